import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { Planned } from '@steward/plans';
import type { ResetPasswordRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { headers, type Requester, raiseDeferred, requester } from '@steward/rpc';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { changeAccount, type Decision } from '../../core/accounts/change-account.ts';
import { endOtherSessions } from '../../core/accounts/end-other-sessions.ts';
import { parseOrRefuse } from '../../core/accounts/local-user.ts';
import { type NewPassword, withPassword } from '../../core/accounts/new-password.ts';
import { accountChangePlan } from '../../core/accounts/plan-account-change.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { causedBy } from '../../core/model/cause.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';
import { limitOfPassword } from '../../core/sessions/limit-of-caller.ts';

/** Sets an account's password (behaviour.md 2.6); a deactivated account stays deactivated. */
export async function resetPassword(deps: Deps, request: ResetPasswordRequest, context: HandlerContext) {
  await check(deps, request, context);
  const caller = requester(context);
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  const password = {
    hash: await deps.passwords.hash(request.newPassword, caller.userId),
    limit: await limitOfPassword(deps, caller, request.userId),
  };
  await changeAccount(deps, request.userId, cause, decision(deps, request, caller, password));
  return {};
}

/** Stands for the hash of a new password in a plan: no account has it. */
const UNHASHED = '';

/** Plans `resetPassword`. */
export async function planResetPassword(
  deps: Deps,
  request: ResetPasswordRequest,
  context: HandlerContext,
): Promise<Planned> {
  await check(deps, request, context);
  const { userId } = request;
  const caller = requester(context);
  const password = { hash: UNHASHED, limit: await limitOfPassword(deps, caller, userId) };
  const decide = decision(deps, request, caller, password);
  const plan = await accountChangePlan(deps, userId, decide, ({ current }) => ({
    password: current.password_hash !== null,
  }));
  if (!plan) throw refuse.notFound('User not found');
  return plan;
}

async function check(deps: Deps, { userId }: ResetPasswordRequest, context: HandlerContext): Promise<void> {
  parseOrRefuse(userId);
  raiseDeferred(context);
  if (!deps.settings.passwordsMaySet) throw refuse.forbidden('Users have no passwords on this server');
  if (!(await accountAggregate.load(deps, userId))) throw refuse.notFound('User not found');
}

function decision(
  deps: Deps,
  { logoutDevices }: ResetPasswordRequest,
  caller: Requester,
  password: NewPassword,
): (account: Account) => Promise<Decision> {
  return async (account) => {
    await requireAuthority(deps, caller, account);
    const set = withPassword(account, password);
    if (logoutDevices === false) return { set, effects: [] };
    const { sessions, effect } = endOtherSessions(account, caller);
    return { set: { ...set, sessions }, effects: [effect] };
  };
}
