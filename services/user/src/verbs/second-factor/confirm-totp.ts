import type { HandlerContext } from '@connectrpc/connect';
import { recordCall, reportEvent } from '@steward/audit';
import { refuse } from '@steward/errors';
import { SecondFactorEnabledSchema } from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import type { ConfirmTotpRequest } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import { noAdministrator, requester } from '@steward/rpc';
import { callersAccount } from '../../core/accounts/callers-account.ts';
import type { Deps } from '../../core/deps.ts';
import { enrolmentOf } from '../../core/model/second-factor.ts';
import { newRecoveryCodes } from '../../core/second-factor/recovery-codes.ts';
import { useSecondFactor } from '../../core/second-factor/use-second-factor.ts';

/**
 * Completes the enrolment of the caller's account with a code of the app. The code is a proof for the session of the request;
 * after a crash before it is recorded, the user steps up.
 *
 * @throws refuse.notFound when none has begun, or it has expired
 */
export async function confirmTotp(deps: Deps, { totp }: ConfirmTotpRequest, context: HandlerContext) {
  const caller = requester(context);
  if (caller.lacksSecondFactor) throw noAdministrator(caller);
  const { _id: userId } = await callersAccount(deps, caller);
  const { codes, digests } = newRecoveryCodes(deps.random);
  const now = deps.clock.now();
  await useSecondFactor(
    deps,
    userId,
    { totp },
    {
      of(account) {
        const enrolment = enrolmentOf(account, now);
        if (!enrolment) throw refuse.notFound('No enrolment has begun, or it has expired');
        return enrolment;
      },
      next: (enrolment) => ({
        ...enrolment,
        confirmed_ts: now,
        recovery_codes: digests,
        failures: 0,
      }),
      beforeCommit: () => recordCall(context),
    },
  );
  if (caller.kind === 'session')
    await deps.adminSessions.updateOne(
      { _id: caller.tokenId },
      { $set: { proved_ts: now, proved_factor: now } },
    );
  reportEvent(context, SecondFactorEnabledSchema, { userId });
  return { recoveryCodes: [...codes] };
}
