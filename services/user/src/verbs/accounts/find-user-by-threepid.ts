import { refuse } from '@steward/errors';
import type { FindUserByThreepidRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { holderOfThreepid } from '../../core/accounts/threepid-claims.ts';
import type { Deps } from '../../core/deps.ts';

/** Finds the account that holds an address (behaviour.md 2.14). */
export async function findUserByThreepid(deps: Deps, request: FindUserByThreepidRequest) {
  const userId = await holderOfThreepid(deps, request.medium, request.address);
  if (userId === undefined) throw refuse.notFound('User not found');
  return { userId };
}
