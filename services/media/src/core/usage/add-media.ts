import { insertAggregates } from '@steward/service';
import type { Deps } from '../deps.ts';
import type { Media } from '../model/media.ts';
import { countMedia } from './count-media.ts';

/** Records a medium of a user, and has it count. A count that cannot be made now the sweep makes. */
export async function addMedia(deps: Deps, media: Media & { readonly user_id: string }): Promise<void> {
  await insertAggregates(deps.media, [{ ...media, uncounted: true }]);
  await countMedia(deps, media.user_id).catch((error: unknown) =>
    deps.report('a medium was not counted', { error }),
  );
}
