import { insertUpload } from '../change-quarantine.ts';
import type { Deps } from '../deps.ts';
import type { Media } from '../model/media.ts';
import { countMedia } from './count-media.ts';

/** Inserts a medium that a user uploaded, and counts it. If counting fails, the sweep counts it. */
export async function addMedia(
  deps: Deps,
  media: Omit<Media, 'pending'> & { readonly user_id: string },
): Promise<void> {
  await insertUpload(deps, { ...media, uncounted: true });
  await countMedia(deps, media.user_id).catch((error: unknown) =>
    deps.report('a medium was not counted', { error }),
  );
}
