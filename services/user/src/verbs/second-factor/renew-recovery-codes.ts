import type { HandlerContext } from '@connectrpc/connect';
import { reportEvent } from '@steward/audit';
import { SecondFactorRecoveryCodesRenewedSchema } from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import type { RenewRecoveryCodesRequest } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { newRecoveryCodes } from '../../core/second-factor/recovery-codes.ts';
import { changeOwnFactor } from './change-own-factor.ts';

/** Replaces the recovery codes of the caller's account. */
export async function renewRecoveryCodes(
  deps: Deps,
  request: RenewRecoveryCodesRequest,
  context: HandlerContext,
) {
  const { codes, digests } = newRecoveryCodes(deps.random);
  await changeOwnFactor(deps, request, context, (factor) => ({ ...factor, recovery_codes: digests }));
  reportEvent(context, SecondFactorRecoveryCodesRenewedSchema, { userId: requester(context).userId });
  return { recoveryCodes: [...codes] };
}
