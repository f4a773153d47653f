import type { Deps } from '../deps.ts';
import type { Usage } from '../model/usage.ts';
import { changeUsage, loadUsage, MAX_MEDIA_OF_CHANGE, settleUsage } from './change-usage.ts';

/** How many uncounted media the sweep looks at together. */
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

/** What a user's media amount to, exact, whoever died in the midst of a change; `undefined` for no media ever. */
export async function exactUsage(deps: Deps, userId: string): Promise<Usage | undefined> {
  const uncounted = await deps.media.findOne(
    { user_id: userId, uncounted: true },
    { projection: { _id: 1 } },
  );
  if (uncounted) await countMedia(deps, userId);
  return loadUsage(deps, userId);
}

/** Does what dead processes left: settles what usage owes, and counts what was inserted and not counted. */
export async function sweepUsage(deps: Deps): Promise<void> {
  // Not $exists: an empty list leaves an entry in some engines' indexes, and a bound passes it over.
  for await (const usage of deps.usage.find({ 'pending.id': { $gt: '' } })) await settleUsage(deps, usage);
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
