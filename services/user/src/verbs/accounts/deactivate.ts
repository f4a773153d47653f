import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { Planned } from '@steward/plans';
import type { DeactivateRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { headers, raiseDeferred, requester } from '@steward/rpc';
import { planChange } from '../../core/accounts/change-account.ts';
import { deactivateAccount, decideDeactivation } from '../../core/accounts/deactivate-account.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import { deactivationPlan } from '../../core/accounts/plan-deactivation.ts';
import type { Deps } from '../../core/deps.ts';

/** Deactivates an account for an administrator (behaviour.md 2.5). */
export async function deactivate(deps: Deps, request: DeactivateRequest, context: HandlerContext) {
  await check(deps, request, context);
  return deactivateAccount(
    deps,
    request.userId,
    { erase: request.erase },
    requester(context),
    context.requestHeader.get(headers.traceparent),
  );
}

/** Plans `deactivate`. */
export async function planDeactivate(
  deps: Deps,
  request: DeactivateRequest,
  context: HandlerContext,
): Promise<Planned> {
  await check(deps, request, context);
  const { userId, erase } = request;
  const change = await planChange(deps, userId, decideDeactivation(deps, { erase }, requester(context)));
  if (!change) throw refuse.notFound('User not found');
  return deactivationPlan(deps, change, { erase });
}

async function check(deps: Deps, { userId }: DeactivateRequest, context: HandlerContext): Promise<void> {
  await existingAccount(deps, userId);
  raiseDeferred(context);
}
