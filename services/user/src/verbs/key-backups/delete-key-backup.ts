import type { HandlerContext } from '@connectrpc/connect';
import type { DeleteKeyBackupRequest } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { headers, requester } from '@steward/rpc';
import { changeAccount } from '../../core/accounts/change-account.ts';
import type { Deps } from '../../core/deps.ts';
import { causedBy } from '../../core/model/cause.ts';
import { existingKeyBackup } from './existing-key-backup.ts';

/** Deletes a backup with the keys in it (client-plane.md 12), as an effect of a change of the account. */
export async function deleteKeyBackup(deps: Deps, request: DeleteKeyBackupRequest, context: HandlerContext) {
  const caller = requester(context);
  const { version } = await existingKeyBackup(deps, caller.userId, request.version);
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  await changeAccount(deps, caller.userId, cause, () => ({
    set: {},
    effects: [{ kind: 'key_backup_deleted', backup: version }],
  }));
  return {};
}
