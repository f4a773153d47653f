import type { HandlerContext } from '@connectrpc/connect';
import { recordChange } from '@steward/audit';
import { refuse } from '@steward/errors';
import type { Deps } from '../../core/deps.ts';
import { type SecondFactor, secondFactorOf } from '../../core/model/second-factor.ts';
import { hasProof, type SecondFactorProof } from '../../core/second-factor/try-proof.ts';
import { useSecondFactor } from '../../core/second-factor/use-second-factor.ts';
import { provedAccount } from './proved-account.ts';

/**
 * Changes the second factor of the caller's account, with proofs of the password and of the factor.
 *
 * @throws refuse.notFound without a second factor, refuse.missingParam without a code, and what the proofs throw
 */
export async function changeOwnFactor(
  deps: Deps,
  request: SecondFactorProof & { readonly password?: string | undefined },
  context: HandlerContext,
  next: (factor: SecondFactor) => SecondFactor | null,
): Promise<void> {
  const { _id: userId } = await provedAccount(deps, context, request);
  if (!hasProof(request)) throw refuse.missingParam("'totp' or 'recovery_code' is missing");
  await useSecondFactor(deps, userId, request, {
    of(account) {
      const factor = secondFactorOf(account);
      if (!factor) throw refuse.notFound('The account has no second factor');
      return factor;
    },
    next,
    beforeCommit: () => recordChange(context),
  });
}
