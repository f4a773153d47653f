import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { Planned } from '@steward/plans';
import type { ResetTotpRequest } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import { headers, requester } from '@steward/rpc';
import { changeAccount, type Decision } from '../../core/accounts/change-account.ts';
import { localUser } from '../../core/accounts/local-user.ts';
import { accountChangePlan } from '../../core/accounts/plan-account-change.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { causedBy } from '../../core/model/cause.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';

/**
 * Removes the second factor of another account, or its enrolment.
 *
 * @throws refuse.unknown for the caller's own account, which needs a code; refuse.forbidden when the account has a scope
 * that the caller does not have
 */
export async function resetTotp(deps: Deps, request: ResetTotpRequest, context: HandlerContext) {
  const decide = decision(deps, request, context);
  const cause = causedBy(requester(context), context.requestHeader.get(headers.traceparent));
  const changed = await changeAccount(deps, request.userId, cause, decide);
  if (!changed) throw refuse.notFound('User not found');
  return {};
}

/** Plans `resetTotp`. */
export async function planResetTotp(
  deps: Deps,
  request: ResetTotpRequest,
  context: HandlerContext,
): Promise<Planned> {
  const plan = await accountChangePlan(
    deps,
    request.userId,
    decision(deps, request, context),
    ({ current }) => ({ second_factor: Boolean(current.second_factor) }),
  );
  if (!plan) throw refuse.notFound('User not found');
  return plan;
}

function decision(
  deps: Deps,
  { userId }: ResetTotpRequest,
  context: HandlerContext,
): (account: Account) => Promise<Decision> {
  localUser(deps, userId);
  const caller = requester(context);
  if (caller.userId === userId) throw refuse.unknown('Remove your own second factor with one of its codes');
  return async (account) => {
    await requireAuthority(deps, caller, account);
    return { set: account.second_factor ? { second_factor: null } : {}, effects: [] };
  };
}
