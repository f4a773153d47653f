/** A command of the program `steward`. */
export interface Command {
  /** What it does, in one line of the help. */
  readonly summary: string;
  /** The module that it runs, relative to the root of the workspace; set-up builds it into `dist`, under the command's name. */
  readonly source: string;
  /** Whether it is a process of the server, which has settings and no options. */
  readonly isProcess?: true;
}

/** The commands of `./steward`, which are those of the image, of the units of systemd and of the npm scripts. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: {
    summary:
      'runs the whole server in one process: on the embedded store, or as one of several on a database and a broker',
    source: 'services/all-in-one/src/main.ts',
    isProcess: true,
  },
  gateway: {
    summary: 'runs the gateway of several processes: the HTTP API and the console',
    source: 'gateway/src/main.ts',
    isProcess: true,
  },
  user: {
    summary: 'runs the user service of several processes: accounts, devices, sessions and access',
    source: 'services/user/src/main.ts',
    isProcess: true,
  },
  room: {
    summary: 'runs the room service of several processes: rooms and their events',
    source: 'services/room/src/main.ts',
    isProcess: true,
  },
  media: {
    summary: 'runs the media service of several processes',
    source: 'services/media/src/main.ts',
    isProcess: true,
  },
  moderation: {
    summary: 'runs the moderation service of several processes: reports, the audit log, webhooks, statistics',
    source: 'services/moderation/src/main.ts',
    isProcess: true,
  },
  register: {
    summary: 'creates an account with the registration secret',
    source: 'services/all-in-one/src/register/main.ts',
  },
  import: {
    summary: 'loads records from files',
    source: 'services/all-in-one/src/import/main.ts',
  },
  export: {
    summary: 'writes records of what the server stores to files',
    source: 'services/all-in-one/src/export/main.ts',
  },
  migrate: {
    summary: 'takes over what another homeserver stores',
    source: 'services/all-in-one/src/migrate/main.ts',
  },
  backup: {
    summary: 'copies everything that the server stores',
    source: 'services/all-in-one/src/backup/main.ts',
  },
  restore: {
    summary: 'restores a backup into an empty store',
    source: 'services/all-in-one/src/restore/main.ts',
  },
  move: {
    summary: 'moves a server from the embedded store to a database',
    source: 'services/all-in-one/src/move/main.ts',
  },
  'media-move': {
    summary: 'moves the media of a running server to another store',
    source: 'services/all-in-one/src/move-media/main.ts',
  },
  shard: {
    summary: 'distributes the collections over the shards of a MongoDB cluster',
    source: 'services/all-in-one/src/shard/main.ts',
  },
  'audit-verify': {
    summary: 'checks an export of the audit log',
    source: 'services/all-in-one/src/audit-verify/main.ts',
  },
};

/** What releases before 0.2.0 called some commands. */
export const FORMER_NAMES: ReadonlyMap<string, string> = new Map([
  ['all-in-one', 'serve'],
  ['mongo-shard', 'shard'],
]);
