import type { FindFilterRequest } from '@steward/proto/steward/user/v1/account_feed_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { filterKey } from '../../core/model/filter.ts';

/** Returns a stored filter of an account, for the service that applies it. */
export async function findFilter(deps: Pick<Deps, 'filters'>, { userId, filterId }: FindFilterRequest) {
  const stored = await deps.filters.findOne({ _id: filterKey(userId, filterId) });
  return stored ? { filter: stored.filter } : {};
}
