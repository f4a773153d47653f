import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { Planned } from '@steward/plans';
import type { PutAdminFlagRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { headers, raiseDeferred, raiseDeferredOf, requester } from '@steward/rpc';
import { changeAccount, type Decision } from '../../core/accounts/change-account.ts';
import { parseOrRefuse, requireLocal } from '../../core/accounts/local-user.ts';
import { accountChangePlan } from '../../core/accounts/plan-account-change.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { causedBy } from '../../core/model/cause.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';
import { pendingRights } from '../../core/roles/pending-rights.ts';

/** Grants or revokes an account's administrator flag; it takes effect with the account's next request. */
export async function putAdminFlag(deps: Deps, request: PutAdminFlagRequest, context: HandlerContext) {
  const decide = decision(deps, request, context);
  const cause = causedBy(requester(context), context.requestHeader.get(headers.traceparent));
  const changed = await changeAccount(deps, request.userId, cause, decide);
  if (!changed) throw refuse.notFoundUnknown('User not found');
  return { rightsPending: await pendingRights(deps, changed) };
}

/** Plans `putAdminFlag`. */
export async function planPutAdminFlag(
  deps: Deps,
  request: PutAdminFlagRequest,
  context: HandlerContext,
): Promise<Planned> {
  const plan = await accountChangePlan(deps, request.userId, decision(deps, request, context));
  if (!plan) throw refuse.notFoundUnknown('User not found');
  return plan;
}

function decision(
  deps: Deps,
  request: PutAdminFlagRequest,
  context: HandlerContext,
): (account: Account) => Promise<Decision> {
  const user = parseOrRefuse(request.userId);
  raiseDeferredOf(context, 'admin');
  requireLocal(deps, user);
  raiseDeferred(context);
  const caller = requester(context);
  if (!request.admin && caller.userId === user.id) throw refuse.unknown('You cannot demote yourself');
  return async (account) => {
    await requireAuthority(deps, caller, account);
    await requireAuthority(deps, caller, { admin: request.admin });
    return { set: { admin: request.admin }, effects: [] };
  };
}
