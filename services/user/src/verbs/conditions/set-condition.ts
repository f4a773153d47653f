import type { HandlerContext } from '@connectrpc/connect';
import { headers, requester } from '@steward/rpc';
import { changeAccount } from '../../core/accounts/change-account.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { causedBy } from '../../core/model/cause.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';

/**
 * Sets fields of an account that administrators control; they take effect with the account's next request.
 *
 * @returns the changed account; `undefined` when there is none
 * @throws refuse.forbidden when it has a scope that the caller does not have
 */
export function setCondition(
  deps: Deps,
  context: HandlerContext,
  userId: string,
  decide: (account: Account) => Partial<Account>,
): Promise<Account | undefined> {
  const caller = requester(context);
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  return changeAccount(deps, userId, cause, async (account) => {
    await requireAuthority(deps, caller, account);
    return { set: decide(account), effects: [] };
  });
}
