import { stepUpRequired } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import type { RightsLimit } from '../model/rights-limit.ts';
import { type FactorProof, factorName, hasSecondFactor, secondFactorOf } from '../model/second-factor.ts';
import { passkeyNamed, usePasskey } from '../passkeys/use-passkey.ts';
import { proofStagesOf } from './proof-stages.ts';
import { hasProof, type SecondFactorProof } from './try-proof.ts';
import { useSecondFactor } from './use-second-factor.ts';

type Holder = Pick<Account, '_id' | 'password_hash' | 'second_factor' | 'passkeys'>;

/**
 * Requires a proof of an account's second factor, if it has one, and uses the code or the challenge up. To be called only after the
 * password was right, so that others cannot use up the attempts.
 *
 * @param session the digest of the session in which it is proved; null for a sign-in
 * @param alone whether a passkey is the only proof
 * @throws stepUpRequired, which names the stages, without a proof; refuse.forbidden for a wrong or used one;
 * limitExceeded after too many wrong codes
 */
export async function requireSecondFactor(
  deps: Deps,
  account: Holder,
  proof: SecondFactorProof,
  { session = null, alone = false }: { readonly session?: string | null; readonly alone?: boolean } = {},
): Promise<FactorProof> {
  if (proof.passkey) {
    const { id } = await usePasskey(deps, account, proof.passkey, { session, alone });
    return { proved_factor: null, proved_passkey: id };
  }
  if (!hasSecondFactor(account)) return { proved_factor: null };
  if (!hasProof(proof) || !secondFactorOf(account)) throw stepUpRequired(proofStagesOf(deps, account));
  let proved: number | null = null;
  await useSecondFactor(deps, account._id, proof, {
    of(current) {
      proved = factorName(current);
      return secondFactorOf(current);
    },
  });
  return { proved_factor: proved };
}

/** What limits the rights of a session that begins with the factor of a proof; undefined without a proof. */
export function limitOfProof(account: Holder, proof: SecondFactorProof): RightsLimit | undefined {
  if (proof.passkey) {
    const passkey = passkeyNamed(account, proof.passkey);
    return passkey && (passkey.rights_limit ?? null);
  }
  return hasProof(proof) ? (account.second_factor?.rights_limit ?? null) : undefined;
}
