import type { Clock } from '@steward/kernel';
import { changeAggregates, openCollections } from '@steward/service';
import type { Store } from '@steward/store';
import { collections } from './collections.ts';

/**
 * Marks media as those whose deletion has begun, in a store that no service has open; the sweep of the service completes
 * it. For a copy of the documents without the bytes of media that were deleted after it was made.
 *
 * @param keys the ids of their documents
 */
export async function markDeleting(store: Store, clock: Clock, keys: readonly string[]): Promise<void> {
  const { media } = await openCollections(store, { media: collections.media });
  const set = { state: 'deleting', deleting_ts: clock.now() } as const;
  await changeAggregates(media, { _id: { $in: [...keys] } }, { set });
}
