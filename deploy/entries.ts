/** The commands, such as that of a container, and their entry points, relative to the root of the workspace. */
export const ENTRIES: Readonly<Record<string, string>> = {
  'all-in-one': 'services/all-in-one/src/main.ts',
  gateway: 'gateway/src/main.ts',
  user: 'services/user/src/main.ts',
  room: 'services/room/src/main.ts',
  media: 'services/media/src/main.ts',
  moderation: 'services/moderation/src/main.ts',
  register: 'services/all-in-one/src/register/main.ts',
  import: 'services/all-in-one/src/import/main.ts',
  export: 'services/all-in-one/src/export/main.ts',
  backup: 'services/all-in-one/src/backup/main.ts',
  move: 'services/all-in-one/src/move/main.ts',
  'media-move': 'services/all-in-one/src/move-media/main.ts',
  'mongo-shard': 'services/all-in-one/src/shard/main.ts',
  'audit-verify': 'services/all-in-one/src/audit-verify/main.ts',
  restore: 'services/all-in-one/src/restore/main.ts',
};
