import type { HandlerContext } from '@connectrpc/connect';
import type { CreateKeyBackupRequest } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { headers, requester } from '@steward/rpc';
import { changeAccount } from '../../core/accounts/change-account.ts';
import type { Deps } from '../../core/deps.ts';
import { requireNotEmptied } from '../../core/keys/require-not-emptied.ts';
import { causedBy } from '../../core/model/cause.ts';
import { keyBackupId } from '../../core/model/key-backup.ts';
import { activeSession, sessionEnded } from '../../core/sessions/active-session.ts';
import { readAuthData } from './read-auth-data.ts';

/**
 * Begins a backup (client-plane.md 12), which takes the keys from now on. Its version is taken from the
 * account first, so that none is ever used twice; one whose process crashes in between stays unused.
 */
export async function createKeyBackup(deps: Deps, request: CreateKeyBackupRequest, context: HandlerContext) {
  const caller = requester(context);
  const authData = readAuthData(request.authData);
  const { epoch } = (await activeSession(deps, caller)).account.sessions;
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  const account = await changeAccount(deps, caller.userId, cause, ({ key_backup_version: last = 0 }) => ({
    set: { key_backup_version: last + 1 },
    effects: [],
  }));
  if (!account?.key_backup_version) throw sessionEnded();
  const version = account.key_backup_version;
  await deps.keyBackups.insertOne({
    _id: keyBackupId(caller.userId, version),
    user_id: caller.userId,
    version,
    algorithm: request.algorithm,
    auth_data: authData,
    etag: 0,
    epoch,
  });
  await requireNotEmptied(deps, caller.userId, epoch);
  return { version: String(version) };
}
