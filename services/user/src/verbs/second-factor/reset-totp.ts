import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { ResetTotpRequest } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import { headers, requester } from '@steward/rpc';
import { changeAccount } from '../../core/accounts/change-account.ts';
import { localUser } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { causedBy } from '../../core/model/cause.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';

/**
 * Removes the second factor of another account, or its enrolment.
 *
 * @throws refuse.unknown for the caller's own account, which needs a code; refuse.forbidden when the account has a scope
 * that the caller does not have
 */
export async function resetTotp(deps: Deps, { userId }: ResetTotpRequest, context: HandlerContext) {
  localUser(deps, userId);
  const caller = requester(context);
  if (caller.userId === userId) throw refuse.unknown('Remove your own second factor with one of its codes');
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  const changed = await changeAccount(deps, userId, cause, async (account) => {
    await requireAuthority(deps, caller, account);
    return { set: account.second_factor ? { second_factor: null } : {}, effects: [] };
  });
  if (!changed) throw refuse.notFound('User not found');
  return {};
}
