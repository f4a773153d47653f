import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  GetSessionKeyRequest,
  GetSessionKeyResponseSchema,
} from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { keyBackupSessionId } from '../../core/model/key-backup.ts';
import { existingKeyBackup } from './existing-key-backup.ts';
import { toBackedUpSession } from './read-backed-up-keys.ts';

/** Returns one key in a backup. */
export async function getSessionKey(
  deps: Deps,
  { version, roomId, sessionId }: GetSessionKeyRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetSessionKeyResponseSchema>> {
  const backup = await existingKeyBackup(deps, requester(context).userId, version);
  const session = await deps.keyBackupSessions.findOne({
    _id: keyBackupSessionId(backup, roomId, sessionId),
  });
  if (!session) throw refuse.notFound('There is no such key in the backup');
  return { session: toBackedUpSession(session) };
}
