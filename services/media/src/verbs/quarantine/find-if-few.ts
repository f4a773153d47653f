import type { Filter } from '@steward/store';
import { BATCH_SIZE, type MediaBatch } from '../../core/change-quarantine.ts';
import type { Deps } from '../../core/deps.ts';
import type { Media } from '../../core/model/media.ts';
import type { Reach } from '../../core/reach.ts';
import { withSameContent } from '../../core/same-content.ts';

/**
 * Finds media, and all media with the same content.
 *
 * @param which a filter on the found media and on the others
 * @param reach leaves out media, with all of the same content
 * @returns `undefined` when they are too many for one change
 */
export async function findIfFew(
  deps: Pick<Deps, 'media'>,
  named: Filter<Media>,
  which: Filter<Media>,
  reach: Reach,
): Promise<MediaBatch | undefined> {
  const found = await deps.media
    .find({ ...named, ...which }, { limit: BATCH_SIZE + 1, projection: { sha256: 1 } })
    .toArray();
  if (found.length > BATCH_SIZE) return undefined;
  const keys = await withSameContent(deps, await reach(found), which, BATCH_SIZE);
  return keys && { keys, which };
}
