import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import type { Media } from '../../core/model/media.ts';
import { BATCH_SIZE } from '../../core/remove-media.ts';

/**
 * Yields, in batches, the media that were not accessed since a time: last accessed before it or, if they never were,
 * uploaded before it (behaviour.md 5.1).
 *
 * @param among selects the media; an equality with which an index over times of use begins
 * @param beforeTs in milliseconds since the Unix epoch
 */
export async function* unusedMedia(
  deps: Pick<Deps, 'media' | 'accessTimes'>,
  among: Filter<Media>,
  beforeTs: number,
): AsyncGenerator<readonly Media[]> {
  await deps.accessTimes.flush();
  const unused: readonly Filter<Media>[] = [
    { last_access_ts: null, created_ts: { $lt: beforeTs } },
    { last_access_ts: { $lt: beforeTs } },
  ];
  for (const filter of unused) {
    let some: Media[] = [];
    for await (const medium of deps.media.find({ $and: [among, filter] })) {
      some.push(medium);
      if (some.length < BATCH_SIZE) continue;
      yield some;
      some = [];
    }
    if (some.length > 0) yield some;
  }
}
