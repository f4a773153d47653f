import type { Deps } from '../deps.ts';
import type { Usage } from '../model/usage.ts';
import { changeUsage, MAX_MEDIA_OF_CHANGE, usages } from './change-usage.ts';

/** How many uncounted media the sweep reads together. */
const SWEEP_BATCH = 100;

/**
 * Makes all media of a user count that do not yet: to be called after media were inserted. May be called by
 * several at once and be repeated.
 */
export async function countMedia(deps: Deps, userId: string): Promise<void> {
  let more = true;
  while (more) {
    const counted = await changeUsage(deps, userId, async () => ({
      kind: 'counted',
      media: await deps.media
        .find({ user_id: userId, uncounted: true }, { limit: MAX_MEDIA_OF_CHANGE })
        .toArray(),
    }));
    more = counted.length === MAX_MEDIA_OF_CHANGE;
  }
}

/** What a user's media amount to, exact, whichever process crashed during a change; `undefined` for no media ever. */
export async function exactUsage(deps: Deps, userId: string): Promise<Usage | undefined> {
  const uncounted = await deps.media.findOne(
    { user_id: userId, uncounted: true },
    { projection: { _id: 1 } },
  );
  if (uncounted) await countMedia(deps, userId);
  return usages.load(deps, userId);
}

/** Finishes what crashed processes left: applies pending effects, and counts media that were inserted and not counted. */
export async function sweepUsage(deps: Deps): Promise<void> {
  await usages.sweep(deps);
  let last: string | undefined;
  for (;;) {
    const uncounted = await deps.media
      .find(
        { uncounted: true, ...(last === undefined ? {} : { _id: { $gt: last } }) },
        { sort: { _id: 1 }, limit: SWEEP_BATCH, projection: { user_id: 1 } },
      )
      .toArray();
    for (const userId of new Set(uncounted.map(({ user_id }) => user_id))) {
      if (userId !== null) await countMedia(deps, userId);
    }
    if (uncounted.length < SWEEP_BATCH) return;
    last = uncounted.at(-1)?._id;
  }
}
