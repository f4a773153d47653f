import type { HandlerContext } from '@connectrpc/connect';
import { noAdministrator, requester } from '@steward/rpc';
import { callersAccount } from '../../core/accounts/callers-account.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';

/**
 * The account of a caller who may see and end its administrator sessions: who knows the password alone does not, if the account has a
 * second factor, or must have one.
 *
 * @throws stepUpRequired or refuse.forbidden without a proof of the second factor, and as `callersAccount`
 */
export async function provedCaller(deps: Deps, context: HandlerContext): Promise<Account> {
  const caller = requester(context);
  const account = await callersAccount(deps, caller);
  if (caller.lacksSecondFactor || caller.mustEnrol) throw noAdministrator(caller);
  return account;
}
