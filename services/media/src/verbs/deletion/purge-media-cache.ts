import { clampToSafe } from '@steward/kernel';
import type { Planned } from '@steward/plans';
import type { PurgeMediaCacheRequest } from '@steward/proto/steward/media/v1/administration_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { removalPlanOf } from '../../core/removal-plan.ts';
import { removeUnusedRemote, unusedRemote } from './remove-unused.ts';

/** Deletes media of other servers by last use, except quarantined ones (behaviour.md 5.2). */
export async function purgeMediaCache(deps: Deps, request: PurgeMediaCacheRequest) {
  let deleted = 0;
  for await (const removed of removeUnusedRemote(deps, clampToSafe(request.beforeTs)))
    deleted += removed.length;
  return { deleted: BigInt(deleted) };
}

/** Plans `purgeMediaCache`. */
export function planPurgeMediaCache(deps: Deps, { beforeTs }: PurgeMediaCacheRequest): Promise<Planned> {
  return removalPlanOf(unusedRemote(deps, clampToSafe(beforeTs)));
}
