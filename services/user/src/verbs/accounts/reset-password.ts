import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { ResetPasswordRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { headers, raiseDeferred, requester } from '@steward/rpc';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { changeAccount } from '../../core/accounts/change-account.ts';
import { endOtherSessions } from '../../core/accounts/end-other-sessions.ts';
import { parseOrRefuse } from '../../core/accounts/local-user.ts';
import { withPassword } from '../../core/accounts/new-password.ts';
import type { Deps } from '../../core/deps.ts';
import { causedBy } from '../../core/model/cause.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';
import { limitOfPassword } from '../../core/sessions/limit-of-caller.ts';

/** Sets an account's password (behaviour.md 2.6); a deactivated account stays deactivated. */
export async function resetPassword(deps: Deps, request: ResetPasswordRequest, context: HandlerContext) {
  parseOrRefuse(request.userId);
  raiseDeferred(context);
  if (!deps.settings.passwordsMaySet) throw refuse.forbidden('Users have no passwords on this server');
  if (!(await accountAggregate.load(deps, request.userId))) throw refuse.notFound('User not found');

  const caller = requester(context);
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  const password = {
    hash: await deps.passwords.hash(request.newPassword, caller.userId),
    limit: await limitOfPassword(deps, caller, request.userId),
  };
  await changeAccount(deps, request.userId, cause, async (account) => {
    await requireAuthority(deps, caller, account);
    const set = withPassword(account, password);
    if (request.logoutDevices === false) return { set, effects: [] };
    const { sessions, effect } = endOtherSessions(account, caller);
    return { set: { ...set, sessions }, effects: [effect] };
  });
  return {};
}
