import { refuse } from '@steward/errors';
import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { isAlive, type Token } from '../model/token.ts';

/** The caller of a session. */
export type Caller = Pick<Requester, 'userId' | 'owner' | 'tokenId'>;

/** A session that was alive when its account was read. */
export interface ActiveSession {
  /** The account that the caller acts as. */
  readonly account: Account;
  /** The token of the session; undefined when an administrator acts as the user. */
  readonly token: Token | undefined;
}

/**
 * Reads the session of an authenticated caller again, for a write on the caller's behalf: the account may have been
 * deactivated since the call was authenticated, and even reactivated.
 *
 * @throws refuse.unknownToken when the session has ended
 */
export async function activeSession(
  deps: Pick<Deps, 'accounts' | 'tokens'>,
  { userId, owner, tokenId }: Caller,
): Promise<ActiveSession> {
  const account = await deps.accounts.findOne({ _id: userId });
  if (!account || account.deactivated) throw sessionEnded();
  if (owner !== userId) return { account, token: undefined };
  const token = await deps.tokens.findOne({ _id: tokenId });
  if (!token || !isAlive(token, account)) throw sessionEnded();
  return { account, token };
}

/** The refusal for a caller whose session ended during the request. */
export function sessionEnded(): Error {
  return refuse.unknownToken('The session ended during the request: log in again');
}
