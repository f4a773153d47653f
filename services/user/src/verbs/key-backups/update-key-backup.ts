import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { UpdateKeyBackupRequest } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { existingKeyBackup } from './existing-key-backup.ts';
import { readAuthData } from './read-auth-data.ts';

/** Changes the auth data of a backup (client-plane.md 12); its version and algorithm cannot change. */
export async function updateKeyBackup(deps: Deps, request: UpdateKeyBackupRequest, context: HandlerContext) {
  const { userId } = requester(context);
  const authData = readAuthData(request.authData);
  if (request.version !== undefined && request.version !== request.pathVersion)
    throw refuse.invalidParam("'version' must be the version in the path");
  const backup = await existingKeyBackup(deps, userId, request.pathVersion);
  if (backup.algorithm !== request.algorithm) throw refuse.invalidParam("'algorithm' cannot be changed");
  const { matchedCount } = await deps.keyBackups.updateOne(
    { _id: backup._id },
    { $set: { auth_data: authData } },
  );
  if (matchedCount === 0) throw refuse.notFound('There is no key backup of this version');
  return {};
}
