import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { ResetPasswordRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { headers, type Requester, raiseDeferred, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { changeAccount } from '../../core/accounts/change-account.ts';
import { loadAccount } from '../../core/accounts/load-account.ts';
import { parseOrRefuse } from '../../core/accounts/local-user.ts';
import { causedBy, type Debt } from '../../core/model/account-effect.ts';

/** Sets an account's password (behaviour.md 2.6); a deactivated account stays so. */
export async function resetPassword(deps: Deps, request: ResetPasswordRequest, context: HandlerContext) {
  parseOrRefuse(request.userId);
  raiseDeferred(context);
  if (!deps.settings.passwordsMaySet) throw refuse.forbidden('Users have no passwords on this server');
  if (!(await loadAccount(deps, request.userId))) throw refuse.notFound('User not found');

  const caller = requester(context);
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  const passwordHash = await deps.passwords.hash(request.newPassword);
  await changeAccount(deps, request.userId, cause, (account) => {
    if (request.logoutDevices === false) return { set: { password_hash: passwordHash }, owed: [] };
    const { sessions, debt } = endedSessions(account, caller);
    return { set: { password_hash: passwordHash, sessions }, owed: [debt] };
  });
  return {};
}

/**
 * How a new password ends an account's sessions: all of them, except that of the calling request when
 * somebody changes their own.
 */
export function endedSessions(
  account: Account,
  caller: Requester,
): { readonly sessions: Account['sessions']; readonly debt: Debt } {
  const own = caller.owner === account._id && caller.userId === account._id;
  return {
    sessions: { epoch: account.sessions.epoch + 1, except: own ? caller.tokenId : null },
    debt: { kind: 'sessions_ended' },
  };
}
