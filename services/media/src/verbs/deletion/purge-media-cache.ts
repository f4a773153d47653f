import { clampToSafe } from '@steward/kernel';
import type { PurgeMediaCacheRequest } from '@steward/proto/steward/media/v1/administration_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { removeUnusedRemote } from './remove-unused.ts';

/** Deletes media of other servers by last use, except quarantined ones (behaviour.md 5.2). */
export async function purgeMediaCache(deps: Deps, request: PurgeMediaCacheRequest) {
  let deleted = 0;
  for await (const removed of removeUnusedRemote(deps, clampToSafe(request.beforeTs)))
    deleted += removed.length;
  return { deleted: BigInt(deleted) };
}
