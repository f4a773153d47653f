import type { HandlerContext } from '@connectrpc/connect';
import { headers, requester } from '@steward/rpc';
import type { Account } from '../accounts/account.ts';
import { changeAccount } from '../accounts/change-account.ts';
import { causedBy } from '../accounts/owed.ts';
import type { Deps } from '../deps.ts';

/**
 * Sets what an administrator decides about an account; the account's next request obeys it.
 *
 * @returns the account as it then is; `undefined` when there is none
 */
export function setCondition(
  deps: Deps,
  context: HandlerContext,
  userId: string,
  decide: (account: Account) => Partial<Account>,
): Promise<Account | undefined> {
  const cause = causedBy(requester(context), context.requestHeader.get(headers.traceparent));
  return changeAccount(deps, userId, cause, (account) => ({ set: decide(account), owed: [] }));
}
