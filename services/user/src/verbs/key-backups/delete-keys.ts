import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { DeleteKeysRequest } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { deleteCountedSessions } from '../../core/key-backups/delete-backup-sessions.ts';
import { existingKeyBackup } from './existing-key-backup.ts';
import { countAndEtagOf } from './get-key-backup.ts';

/** Removes keys from a backup (client-plane.md 12): all, those of a room, or one. */
export async function deleteKeys(
  deps: Deps,
  { version, roomId, sessionId }: DeleteKeysRequest,
  context: HandlerContext,
) {
  const { _id, ...backup } = await existingKeyBackup(deps, requester(context).userId, version);
  const chosen = {
    user_id: backup.user_id,
    version: backup.version,
    ...(roomId === undefined ? {} : { room_id: roomId }),
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
  };
  await deleteCountedSessions(deps, chosen);
  const remaining = await deps.keyBackups.findOne({ _id });
  if (!remaining) throw refuse.notFound('There is no key backup of this version');
  return countAndEtagOf(deps, remaining);
}
