import { changeAggregates, deleteAggregates } from '@steward/service';
import { type Filter, forEachBatch } from '@steward/store';
import type { Deps } from './deps.ts';
import type { Media } from './model/media.ts';
import { removeBlobs } from './remove-blobs.ts';
import { removeFromUsage } from './usage/change-usage.ts';

/** The number of media in one deletion: few, so that other requests do not wait for it. */
export const BATCH_SIZE = 24;

/** The number of media in one read of the sweep. */
const SWEEP_BATCH = 100;

/** How long the sweep waits for the request that began a deletion, which answers with its count, in milliseconds. */
const GRACE_MS = 60_000;

/**
 * Deletes media with their bytes and thumbnails. The first step marks them, which ends their use; then their bytes
 * are removed; then, in one step, their records and their share of the usage. Media whose bytes cannot be removed
 * keep their records, and the sweep retries them.
 *
 * @param keys at most `BATCH_SIZE`
 * @param which a filter on these media; all by default
 * @returns the media that this call removed
 */
export async function removeMedia(
  deps: Deps,
  keys: readonly string[],
  which?: Filter<Media>,
): Promise<readonly Media[]> {
  const named: Filter<Media> = { _id: { $in: keys } };
  await changeAggregates(deps.media, which ? { $and: [named, which] } : named, {
    set: { state: 'deleting', deleting_ts: deps.clock.now() },
  });
  const deleting = await deps.media.find({ ...named, state: 'deleting' }).toArray();
  const emptied = await withoutBytes(deps, deleting);
  const byUser = Map.groupBy(emptied, ({ user_id }) => user_id);
  const removed: Media[] = [];
  for (const [userId, media] of byUser) removed.push(...(await removeRecords(deps, userId, media)));
  return removed;
}

/** Deletes any number of media, as `removeMedia`. */
export async function removeAllMedia(deps: Deps, keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += BATCH_SIZE)
    await removeMedia(deps, keys.slice(start, start + BATCH_SIZE));
}

/** Finishes the deletions that a crash interrupted. */
export async function sweepDeleting(deps: Deps): Promise<void> {
  const begunBefore = deps.clock.now() - GRACE_MS;
  const options = { size: SWEEP_BATCH, projection: { deleting_ts: 1 } } as const;
  await forEachBatch(deps.media, { state: 'deleting' }, options, async (some) => {
    const keys = some.filter(({ deleting_ts: ts = 0 }) => ts <= begunBefore).map(({ _id }) => _id);
    await removeAllMedia(deps, keys);
  });
}

/** Removes the bytes of media; returns the media whose bytes are removed. */
async function withoutBytes(deps: Deps, media: readonly Media[]): Promise<readonly Media[]> {
  const emptied: Media[] = [];
  for (const medium of media) {
    try {
      await removeBlobs(deps, medium);
      emptied.push(medium);
    } catch (error) {
      deps.report('the bytes of a medium were not removed', { error, media: medium._id });
    }
  }
  return emptied;
}

async function removeRecords(
  deps: Deps,
  userId: string | null,
  media: readonly Media[],
): Promise<readonly Media[]> {
  if (userId !== null) {
    const keys = media.map(({ _id }) => _id);
    return removeFromUsage(deps, userId, () =>
      deps.media.find({ _id: { $in: keys }, state: 'deleting' }).toArray(),
    );
  }
  const removed: Media[] = [];
  for (const medium of media) {
    const deleted = await deleteAggregates(deps.media, { _id: medium._id, state: 'deleting' });
    if (deleted > 0) removed.push(medium);
  }
  return removed;
}
