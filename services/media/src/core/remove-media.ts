import { changeAggregates, deleteAggregates } from '@steward/service';
import type { Filter } from '@steward/store';
import type { Deps } from './deps.ts';
import type { Media } from './model/media.ts';
import { removeBlobs } from './remove-blobs.ts';
import { changeUsage } from './usage/change-usage.ts';

/** As many media as go together: few enough that other requests do not wait for them. */
export const MAX_AT_ONCE = 24;

/** How many media the sweep reads together. */
const SWEEP_BATCH = 100;

/** How long the sweep leaves a deletion to the request that began it, which answers with its count, in milliseconds. */
const GRACE_MS = 60_000;

/**
 * Deletes media with their bytes and thumbnails. From the first step on they are not served; then the
 * bytes go, and then, in one step, the record and what it counted. Media whose bytes cannot be removed stay
 * on record, and are tried again by the sweep.
 *
 * @param keys at most `MAX_AT_ONCE`
 * @param which of these; all unless given
 * @returns the media that this very call removed
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

/** Finishes the deletions that a crash interrupted. */
export async function sweepDeleting(deps: Deps): Promise<void> {
  const begunBefore = deps.clock.now() - GRACE_MS;
  let last = '';
  for (;;) {
    const some = await deps.media
      .find(
        { state: 'deleting', _id: { $gt: last } },
        { sort: { _id: 1 }, limit: SWEEP_BATCH, projection: { deleting_ts: 1 } },
      )
      .toArray();
    const keys = some.filter(({ deleting_ts: ts = 0 }) => ts <= begunBefore).map(({ _id }) => _id);
    for (let start = 0; start < keys.length; start += MAX_AT_ONCE) {
      await removeMedia(deps, keys.slice(start, start + MAX_AT_ONCE));
    }
    if (some.length < SWEEP_BATCH) return;
    last = some.at(-1)?._id ?? last;
  }
}

/** Removes the bytes of media; returns those of which nothing is left. */
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
    return changeUsage(deps, userId, async () => ({
      kind: 'removed',
      media: await deps.media.find({ _id: { $in: keys }, state: 'deleting' }).toArray(),
    }));
  }
  const removed: Media[] = [];
  for (const medium of media) {
    const deleted = await deleteAggregates(deps.media, { _id: medium._id, state: 'deleting' });
    if (deleted > 0) removed.push(medium);
  }
  return removed;
}
