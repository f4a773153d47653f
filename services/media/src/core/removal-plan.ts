import type { Planned } from '@steward/plans';
import { type Media, uriOf } from './model/media.ts';

/** What `removeMedia` would remove. */
export function removalPlan(
  media: readonly Pick<Media, 'origin' | 'media_id' | 'upload_name' | 'length'>[],
  { atLeast = false }: { readonly atLeast?: boolean } = {},
): Planned {
  return {
    changes: [{ kind: 'media', change: 'removed', count: media.length, atLeast }],
    sample: media.map((medium) => ({ kind: 'media', id: uriOf(medium), name: medium.upload_name })),
    irreversible: media.length > 0 ? ['media'] : [],
    state: [media.reduce((sum, { length }) => sum + length, 0)],
  };
}

/** How many media a plan of a selection reads; of more it says how many there are at least. */
const MOST = 10_000;

/** Plans the removal of media that are found in batches. */
export async function removalPlanOf(batches: AsyncIterable<readonly Media[]>): Promise<Planned> {
  const found: Pick<Media, 'origin' | 'media_id' | 'upload_name' | 'length'>[] = [];
  for await (const some of batches) {
    for (const { origin, media_id, upload_name, length } of some)
      found.push({ origin, media_id, upload_name, length });
    if (found.length >= MOST) return removalPlan(found, { atLeast: true });
  }
  return removalPlan(found);
}
