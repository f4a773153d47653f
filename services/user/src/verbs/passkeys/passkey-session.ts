import type { HandlerContext } from '@connectrpc/connect';
import { refuse, stepUpRequired } from '@steward/errors';
import { isRecent, noAdministrator, refuseWithheld, requester } from '@steward/rpc';
import { callersAccount } from '../../core/accounts/callers-account.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';

/**
 * The account of an administrator session whose user has recently proved who they are, with the second factor if the account has one.
 *
 * @returns also the digest of the session
 * @throws refuse.forbidden with another credential, stepUpRequired, and as `refuseWithheld` when the session has less rights than the account
 */
export async function provedSession(
  deps: Deps,
  context: HandlerContext,
): Promise<{ readonly account: Account; readonly session: string }> {
  const caller = requester(context);
  const { kind, provedTs = 0, proofStages = [], lacksSecondFactor, withheldScopes = [], tokenId } = caller;
  const account = await callersAccount(deps, caller);
  if (kind !== 'session') throw refuse.forbidden('Passkeys are changed in an administrator session');
  if (lacksSecondFactor) throw noAdministrator(caller);
  if (!isRecent(provedTs, deps.clock.now(), deps.settings.stepUpMs)) throw stepUpRequired(proofStages);
  refuseWithheld(caller, withheldScopes);
  return { account, session: tokenId };
}
