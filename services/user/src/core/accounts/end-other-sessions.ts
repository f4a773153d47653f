import type { Requester } from '@steward/rpc';
import type { Account } from '../model/account.ts';
import type { AccountEffect } from '../model/account-effect.ts';

/**
 * How a new password ends the sessions of an account: all of them, except that of the calling request when users
 * change their own password.
 */
export function endOtherSessions(
  account: Account,
  caller: Requester,
): { readonly sessions: Account['sessions']; readonly effect: AccountEffect } {
  const own = caller.owner === account._id && caller.userId === account._id;
  return {
    sessions: { epoch: account.sessions.epoch + 1, except: own ? caller.tokenId : null },
    effect: { kind: 'sessions_ended' },
  };
}
