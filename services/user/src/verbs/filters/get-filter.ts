import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { GetFilterRequest } from '@steward/proto/steward/user/v1/filters_pb.ts';
import { ownAccount } from '../../core/accounts/own-account.ts';
import type { Deps } from '../../core/deps.ts';
import { filterKey } from '../../core/model/filter.ts';

/** Returns a stored filter of the caller (client-plane.md 7.7). */
export async function getFilter(deps: Deps, request: GetFilterRequest, context: HandlerContext) {
  const userId = ownAccount(context, request.userId);
  const stored = await deps.filters.findOne({ _id: filterKey(userId, request.filterId) });
  if (!stored) throw refuse.notFound('There is no such filter');
  return { filter: stored.filter };
}
