import type { MessageInitShape } from '@bufbuild/protobuf';
import type { TotpStatusSchema } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { enrolmentEnd, enrolmentOf, secondFactorOf } from '../../core/model/second-factor.ts';

/** The second factor of an account as its user and administrators see it; never a secret. */
export function toTotpStatus(
  { clock }: Pick<Deps, 'clock'>,
  account: Account,
): MessageInitShape<typeof TotpStatusSchema> {
  const now = clock.now();
  const factor = secondFactorOf(account);
  const enrolment = enrolmentOf(account, now);
  return {
    enabled: factor !== undefined,
    recoveryCodesLeft: BigInt(factor?.recovery_codes.length ?? 0),
    serverTs: BigInt(now),
    ...(factor ? { confirmedTs: BigInt(factor.confirmed_ts) } : {}),
    ...(enrolment ? { enrolmentExpiresTs: BigInt(enrolmentEnd(enrolment)) } : {}),
  };
}
