import { stepUpRequired } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { factorName, secondFactorOf } from '../model/second-factor.ts';
import { proofStagesOf } from './proof-stages.ts';
import { hasProof, type SecondFactorProof } from './try-proof.ts';
import { useSecondFactor } from './use-second-factor.ts';

/**
 * Requires a proof of an account's second factor, if it has one, and uses the code up. To be called only after the
 * password was right, so that others cannot use up the attempts.
 *
 * @returns the name of the second factor that was proved, see `factorName`; null when none was
 * @throws stepUpRequired, which names the stages, without a proof; refuse.forbidden for a wrong or used code;
 * limitExceeded after too many wrong ones
 */
export async function requireSecondFactor(
  deps: Deps,
  account: Pick<Account, '_id' | 'password_hash' | 'second_factor'>,
  proof: SecondFactorProof,
): Promise<number | null> {
  if (!secondFactorOf(account)) return null;
  if (!hasProof(proof)) throw stepUpRequired(proofStagesOf(deps, account));
  let proved: number | null = null;
  await useSecondFactor(deps, account._id, proof, {
    of(current) {
      proved = factorName(current);
      return secondFactorOf(current);
    },
  });
  return proved;
}
