import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { refuse } from '@steward/errors';
import type { ConfirmTotpRequest } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { enrolmentOf } from '../../core/model/second-factor.ts';
import { newRecoveryCodes } from '../../core/second-factor/recovery-codes.ts';
import { useSecondFactor } from '../../core/second-factor/use-second-factor.ts';
import { ownAccount } from './own-account.ts';

/**
 * Completes the enrolment of the caller's account with a code of the app.
 *
 * @throws refuse.notFound when none has begun, or it has expired
 */
export async function confirmTotp(deps: Deps, { totp }: ConfirmTotpRequest, context: HandlerContext) {
  const { _id: userId } = await ownAccount(deps, context);
  const { codes, digests } = newRecoveryCodes(deps.random);
  await useSecondFactor(
    deps,
    userId,
    { totp },
    {
      of(account) {
        const enrolment = enrolmentOf(account, deps.clock.now());
        if (!enrolment) throw refuse.notFound('No enrolment has begun, or it has expired');
        return enrolment;
      },
      next: (enrolment) => ({
        ...enrolment,
        confirmed_ts: deps.clock.now(),
        recovery_codes: digests,
        failures: 0,
      }),
      beforeCommit: () => recordCall(context),
    },
  );
  return { recoveryCodes: [...codes] };
}
