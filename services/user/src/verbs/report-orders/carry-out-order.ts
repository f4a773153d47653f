import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { AccountOrder, type CarryOutOrderRequest } from '@steward/proto/steward/user/v1/report_orders_pb.ts';
import { headers, type Rights } from '@steward/rpc';
import { changeAccount, type Decision } from '../../core/accounts/change-account.ts';
import { deactivation } from '../../core/accounts/deactivate-account.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { causedBy } from '../../core/model/cause.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';

/** How many orders an account remembers: more than could be repeated after a crash, because a resolution has at most 20. */
const REMEMBERED = 64;

/**
 * Carries out what the resolution of a report orders of an account, once by the id of the order: an order that is repeated after a
 * crash does not undo what another administrator has decided since.
 *
 * @throws the refusals of the method whose work it is: an unknown account, no authority over it, the last administrator
 */
export async function carryOutOrder(
  deps: Deps,
  { orderId, checkOnly, requestedBy, requesterScopes, userId, order }: CarryOutOrderRequest,
  context: HandlerContext,
) {
  const account = await existingAccount(deps, userId);
  const rights: Rights = requesterScopes ? { admin: false, scopes: requesterScopes.scopes } : { admin: true };
  if (checkOnly) {
    await requireAuthority(deps, rights, account);
    return {};
  }
  const cause = causedBy({ userId: requestedBy }, context.requestHeader.get(headers.traceparent));
  const changed = await changeAccount(deps, userId, cause, async (current) => {
    const { carried_out: earlier = [] } = current;
    if (earlier.includes(orderId)) return { set: {}, effects: [] };
    await requireAuthority(deps, rights, current);
    const { set, effects } = decide(current, order);
    return { set: { ...set, carried_out: [...earlier, orderId].slice(-REMEMBERED) }, effects };
  });
  if (!changed) throw refuse.notFound('User not found');
  return {};
}

function decide(account: Account, order: AccountOrder): Decision {
  switch (order) {
    case AccountOrder.SUSPEND:
      return { set: { suspended: true }, effects: [] };
    case AccountOrder.LOCK:
      return { set: { locked: true }, effects: [] };
    case AccountOrder.DEACTIVATE:
      return deactivation(account, { erase: false });
    case AccountOrder.ERASE:
      return deactivation(account, { erase: true });
    default:
      throw new ConnectError('This release does not know the order', Code.InvalidArgument);
  }
}
