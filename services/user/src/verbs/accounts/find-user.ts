import { refuse } from '@steward/errors';
import type {
  FindUserByExternalIdRequest,
  FindUserByThreepidRequest,
} from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { holderOfThreepid } from '../../core/accounts/threepid-claims.ts';
import type { Deps } from '../../core/deps.ts';
import { externalIdKey } from '../../core/model/external-id.ts';

/** The account that a provider knows by an id (behaviour.md 2.13). */
export async function findUserByExternalId(deps: Deps, request: FindUserByExternalIdRequest) {
  const key = externalIdKey(request.authProvider, request.externalId);
  const account = await deps.accounts.findOne({ 'external_ids.key': key }, { projection: { _id: 1 } });
  if (!account) throw refuse.notFound('User not found');
  return { userId: account._id };
}

/** The account that holds an address (behaviour.md 2.14). */
export async function findUserByThreepid(deps: Deps, request: FindUserByThreepidRequest) {
  const userId = await holderOfThreepid(deps, request.medium, request.address);
  if (userId === undefined) throw refuse.notFound('User not found');
  return { userId };
}
