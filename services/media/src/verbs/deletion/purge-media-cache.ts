import type { PurgeMediaCacheRequest } from '@steward/proto/steward/media/v1/administration_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { clampToSafe } from '../../core/page.ts';
import { removeMedia } from '../../core/remove-media.ts';
import { unusedMedia } from './unused-media.ts';

/** Deletes media of other servers by last use, except quarantined ones (behaviour.md 5.2). */
export async function purgeMediaCache(deps: Deps, request: PurgeMediaCacheRequest) {
  let deleted = 0;
  // Media of other servers have no uploader.
  for await (const some of unusedMedia(deps, { user_id: null }, clampToSafe(request.beforeTs))) {
    const keys = some.flatMap(({ _id, quarantined_by }) => (quarantined_by === null ? [_id] : []));
    if (keys.length > 0) deleted += (await removeMedia(deps, keys, { quarantined_by: null })).length;
  }
  return { deleted: BigInt(deleted) };
}
