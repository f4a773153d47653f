import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  GetKeyBackupRequest,
  GetKeyBackupResponseSchema,
} from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import type { KeyBackup } from '../../core/model/key-backup.ts';
import { currentKeyBackup, existingKeyBackup } from './existing-key-backup.ts';

/** Returns the caller's current backup, or the one of a version (client-plane.md 12). */
export async function getKeyBackup(
  deps: Deps,
  { version }: GetKeyBackupRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetKeyBackupResponseSchema>> {
  const { userId } = requester(context);
  const backup =
    version === undefined
      ? await currentKeyBackup(deps, userId)
      : await existingKeyBackup(deps, userId, version);
  return {
    algorithm: backup.algorithm,
    authData: backup.auth_data,
    version: String(backup.version),
    ...(await countAndEtagOf(deps, backup)),
  };
}

/** The number of keys in a backup, and the etag, which changes with the keys. */
export async function countAndEtagOf(
  deps: Deps,
  { user_id, version, etag }: KeyBackup,
): Promise<{ readonly count: bigint; readonly etag: string }> {
  const count = await deps.keyBackupSessions.countDocuments({ user_id, version });
  return { count: BigInt(count), etag: String(etag) };
}
