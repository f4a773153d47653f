import type { HandlerContext } from '@connectrpc/connect';
import type { CreateKeyBackupRequest } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { headers, requester } from '@steward/rpc';
import { changeAccount } from '../../core/accounts/change-account.ts';
import type { Deps } from '../../core/deps.ts';
import { removeKeyBackup } from '../../core/key-backups/remove-key-backup.ts';
import { requireNotEmptied } from '../../core/keys/require-not-emptied.ts';
import { type Cause, causedBy } from '../../core/model/cause.ts';
import { keyBackupId } from '../../core/model/key-backup.ts';
import { addWithinQuota } from '../../core/quotas/add-within-quota.ts';
import { activeSession, sessionEnded } from '../../core/sessions/active-session.ts';
import { readAuthData } from './read-auth-data.ts';

/**
 * Creates a backup (client-plane.md 12), which becomes the current one. The account counts its version up
 * first, so no version is ever used twice; a crash before the insertion leaves a version unused.
 */
export async function createKeyBackup(deps: Deps, request: CreateKeyBackupRequest, context: HandlerContext) {
  const caller = requester(context);
  const authData = readAuthData(request.authData);
  const { account } = await activeSession(deps, caller);
  const { epoch } = account.sessions;
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  let version = 0;
  await addWithinQuota(deps, account, {
    kind: 'key_backup_versions',
    exists: async () => false,
    count: () => deps.keyBackups.countDocuments({ user_id: caller.userId }),
    async add() {
      version = await nextVersion(deps, caller.userId, cause);
      await deps.keyBackups.insertOne({
        _id: keyBackupId(caller.userId, version),
        user_id: caller.userId,
        version,
        algorithm: request.algorithm,
        auth_data: authData,
        etag: 0,
        epoch,
        bytes: 0,
      });
      return true;
    },
    takeBack: () => removeKeyBackup(deps, caller.userId, version),
  });
  await requireNotEmptied(deps, caller.userId, epoch);
  return { version: String(version) };
}

async function nextVersion(deps: Deps, userId: string, cause: Cause): Promise<number> {
  const account = await changeAccount(deps, userId, cause, ({ key_backup_version: last = 0 }) => ({
    set: { key_backup_version: last + 1 },
    effects: [],
  }));
  if (!account?.key_backup_version) throw sessionEnded();
  return account.key_backup_version;
}
