import type { HandlerContext } from '@connectrpc/connect';
import { reportEvent } from '@steward/audit';
import { refuse } from '@steward/errors';
import { AccountSuspensionLiftedSchema } from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import type { SuspendRequest } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { raiseDeferred } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { setCondition } from './set-condition.ts';

/** Suspends an account, or lifts its suspension (behaviour.md 13.1). */
export async function suspend(deps: Deps, request: SuspendRequest, context: HandlerContext) {
  await existingAccount(deps, request.userId);
  raiseDeferred(context);
  const changed = await setCondition(deps, context, request.userId, () => ({ suspended: request.suspend }));
  if (!changed) throw refuse.notFound('User not found');
  if (!request.suspend) reportEvent(context, AccountSuspensionLiftedSchema, {});
  return { suspended: { [`user_${request.userId}_suspended`]: changed.suspended } };
}
