import { refuse } from '@steward/errors';
import type { FindUserByExternalIdRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { externalIdKey } from '../../core/model/external-id.ts';

/** Finds an account by its id at an identity provider (behaviour.md 2.13). */
export async function findUserByExternalId(deps: Deps, request: FindUserByExternalIdRequest) {
  const key = externalIdKey(request.authProvider, request.externalId);
  const account = await deps.accounts.findOne({ 'external_ids.key': key }, { projection: { _id: 1 } });
  if (!account) throw refuse.notFound('User not found');
  return { userId: account._id };
}
