import type { HandlerContext } from '@connectrpc/connect';
import { headers, requester } from '@steward/rpc';
import { changeAccount } from '../../core/accounts/change-account.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { causedBy } from '../../core/model/cause.ts';

/**
 * Sets fields of an account that administrators control; they take effect with the account's next request.
 *
 * @returns the changed account; `undefined` when there is none
 */
export function setCondition(
  deps: Deps,
  context: HandlerContext,
  userId: string,
  decide: (account: Account) => Partial<Account>,
): Promise<Account | undefined> {
  const cause = causedBy(requester(context), context.requestHeader.get(headers.traceparent));
  return changeAccount(deps, userId, cause, (account) => ({ set: decide(account), effects: [] }));
}
