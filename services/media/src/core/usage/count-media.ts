import type { Filter } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { Media } from '../model/media.ts';
import type { Usage } from '../model/usage.ts';
import { changeTogether } from './change-together.ts';
import { MAX_MEDIA_OF_CHANGE, usages } from './change-usage.ts';

/** The number of uncounted media in one read of the sweep. */
const SWEEP_BATCH = 100;

/** How many users are counted concurrently. */
const USERS_AT_ONCE = 16;

/**
 * Counts all uncounted media of a user. Callers that insert media call it afterwards. It is idempotent, also in
 * concurrent calls.
 */
export async function countMedia(deps: Deps, userId: string): Promise<void> {
  while ((await changeTogether(deps, userId, { kind: 'count' })) === MAX_MEDIA_OF_CHANGE);
}

/** Returns the usage of a user, exact also after a crash during a change; `undefined` if the user never had media. */
export async function exactUsage(deps: Deps, userId: string): Promise<Usage | undefined> {
  const uncounted = await deps.media.findOne(
    { user_id: userId, uncounted: true },
    { projection: { _id: 1 } },
  );
  if (uncounted) await countMedia(deps, userId);
  return usages.load(deps, userId);
}

/** Completes the work of crashed processes: applies pending effects, and counts inserted media that are uncounted. */
export async function sweepUsage(deps: Deps): Promise<void> {
  await usages.sweep(deps);
  await countUncounted(deps, {});
}

/** Counts the uncounted media that match, and the others of the same users. */
export async function countUncounted(deps: Deps, filter: Filter<Media>): Promise<void> {
  let last: string | undefined;
  for (;;) {
    const uncounted = await deps.media
      .find(
        { ...filter, uncounted: true, ...(last === undefined ? {} : { _id: { $gt: last } }) },
        { sort: { _id: 1 }, limit: SWEEP_BATCH, projection: { user_id: 1 } },
      )
      .toArray();
    const userIds = [...new Set(uncounted.flatMap(({ user_id }) => (user_id === null ? [] : [user_id])))];
    for (let from = 0; from < userIds.length; from += USERS_AT_ONCE) {
      await Promise.all(userIds.slice(from, from + USERS_AT_ONCE).map((userId) => countMedia(deps, userId)));
    }
    if (uncounted.length < SWEEP_BATCH) return;
    last = uncounted.at(-1)?._id;
  }
}
