import { toRefusal } from '@steward/errors';
import { unchanged } from '@steward/service';
import { accountAggregate } from '../accounts/account-aggregate.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import type { SecondFactor } from '../model/second-factor.ts';
import { type SecondFactorProof, tryProof } from './try-proof.ts';

const FORBIDDEN = 403;

/** What happens with a proof. */
export interface Use {
  /** The second factor that the proof is for; undefined when the account needs none. It may throw a refusal. */
  readonly of: (account: Account) => SecondFactor | undefined;
  /** The second factor after a right proof, null for none; unchanged but for the used code by default. */
  readonly next?: (factor: SecondFactor) => SecondFactor | null;
  /** Runs once before the first commit, and before a wrong proof is refused that is not counted, unless too many were tried. */
  readonly beforeCommit?: () => Promise<void>;
}

/**
 * Tries a proof of an account's second factor, and changes the factor if it is right, in one commit. A crash after the
 * commit costs the user a code.
 *
 * @throws refuse.forbidden for a wrong or used code, limitExceeded after too many
 */
export async function useSecondFactor(
  deps: Deps,
  userId: string,
  proof: SecondFactorProof,
  { of, next = (factor) => factor, beforeCommit }: Use,
): Promise<void> {
  let before = beforeCommit;
  const tried = await accountAggregate.change(deps, userId, async (account) => {
    const factor = of(account);
    if (!factor) return undefined;
    const secret = deps.sealedSecrets.open(userId, factor.secret);
    const attempt = tryProof(factor, secret, proof, deps.clock.now());
    const { refusal } = attempt;
    const isTried = attempt.factor !== undefined || toRefusal(refusal).status === FORBIDDEN;
    if (isTried) {
      await before?.();
      before = undefined;
    }
    if (!attempt.factor) return unchanged(refusal);
    if (refusal) return { set: { second_factor: attempt.factor }, result: refusal };
    // A secret that was stored as it is, or with an earlier key, is encrypted with the present one.
    const sealed = secret === undefined ? factor.secret : deps.sealedSecrets.seal(userId, secret);
    return { set: { second_factor: next({ ...attempt.factor, secret: sealed }) } };
  });
  if (tried?.result) throw tried.result;
}
