import { type Filter, forEachBatch } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { Media } from '../model/media.ts';
import type { Usage } from '../model/usage.ts';
import { changeTogether } from './change-together.ts';
import {
  addedTo,
  createUsages,
  MAX_MEDIA_OF_CHANGE,
  markCounted,
  usages,
  withoutReservationsOf,
} from './change-usage.ts';

/** The number of uncounted media in one read of the sweep: as many as an import inserts at a time. */
const SWEEP_BATCH = 1_000;

/** The most media that one bulk write counts. */
const MAX_COUNTED_TOGETHER = 2_000;

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
  const which = { ...filter, uncounted: true } as const;
  await forEachBatch(deps.media, which, { size: SWEEP_BATCH, projection: { user_id: 1 } }, (uncounted) =>
    countOfUsers(deps, [...new Set(uncounted.flatMap(({ user_id }) => (user_id === null ? [] : [user_id])))]),
  );
}

/** Counts all uncounted media of users: most users in one bulk write, the others one by one. */
async function countOfUsers(deps: Deps, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  await createUsages(deps, userIds);
  const found = await deps.usage.find({ _id: { $in: userIds } }).toArray();
  // Read after the usage, so that their state belongs to the versions on which the commits depend.
  const uncounted = await deps.media
    .find({ user_id: { $in: userIds }, uncounted: true }, { limit: MAX_COUNTED_TOGETHER })
    .toArray();
  const byUser = Map.groupBy(uncounted, ({ user_id }) => user_id);
  const others = new Set(uncounted.length < MAX_COUNTED_TOGETHER ? [] : userIds);
  const changes = found.flatMap((current) => {
    const media = byUser.get(current._id) ?? [];
    const isSimple = media.length <= MAX_MEDIA_OF_CHANGE && !current.pending?.length;
    if (!isSimple) others.add(current._id);
    if (!isSimple || media.length === 0) return [];
    const set = { ...addedTo(current, media), ...withoutReservationsOf(current, media) };
    const effects = media.map(({ _id }) => ({ kind: 'counted', media: _id }) as const);
    return [{ current, decision: { set, effects } }];
  });
  const counted =
    changes.length === 0 ||
    (await usages.commitTogether(deps, changes, (effects) => markCounted(deps, effects)));
  for (const userId of counted ? others : userIds) await countMedia(deps, userId);
}
