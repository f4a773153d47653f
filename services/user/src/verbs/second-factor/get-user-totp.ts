import type { GetUserTotpRequest } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { toTotpStatus } from './render-status.ts';

/** Tells whether an account has a second factor. */
export async function getUserTotp(deps: Deps, { userId }: GetUserTotpRequest) {
  return { status: toTotpStatus(deps, await existingAccount(deps, userId)) };
}
