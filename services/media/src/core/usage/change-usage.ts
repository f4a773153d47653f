import {
  type AggregateDeps,
  type Decided,
  defineAggregate,
  deleteAggregates,
  insertAggregates,
  MAX_PENDING_EFFECTS,
} from '@steward/service';
import { Conflict, NOT_FLUSHED, type WriteOptions } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { Media } from '../model/media.ts';
import { facetOf, newUsage, type Usage, type UsageEffect } from '../model/usage.ts';
import { nameUsages } from './name-usages.ts';

/** The maximum number of media in one change. */
export const MAX_MEDIA_OF_CHANGE = MAX_PENDING_EFFECTS;

/**
 * The usage of users as an aggregate. Its effects update or delete the media. They are not flushed: after a power failure
 * they are still pending.
 */
export const usages = defineAggregate<Usage, UsageEffect, Pick<Deps, 'media' | 'usage'> & AggregateDeps>({
  collection: (deps) => deps.usage,
  effects: {
    counted: (deps, _, effects) => markCounted(deps, effects),
    async removed({ media }, _, effects) {
      await deleteAggregates(media, { _id: { $in: keysOf(effects) }, state: 'deleting' }, NOT_FLUSHED);
    },
  },
});

/** A decision about the usage of a user; `undefined` for no change. */
export type UsageDecision<R = undefined> = Decided<Usage, UsageEffect, R>;

/**
 * Removes media of a user finally, each exactly once, also when other processes do the same concurrently. `find` reads
 * the media after the usage, so that the state that it finds belongs to the version of the usage on which the commit
 * depends. It runs again after a conflict with another commit.
 *
 * @param find returns the media, at most `MAX_MEDIA_OF_CHANGE`
 * @returns the media that this call removed
 */
export async function removeFromUsage(
  deps: Deps,
  userId: string,
  find: () => Promise<readonly Media[]>,
): Promise<readonly Media[]> {
  const removal = await changeOrCreateUsage(deps, userId, async (usage) => {
    const removed = await find();
    if (removed.length === 0) return undefined;
    // The removal of an uncounted medium does not change the sums.
    const counted = removed.filter(({ uncounted }) => !uncounted);
    return {
      set: { ...addedTo(usage, counted, -1), ...withoutReservationsOf(usage, removed) },
      effects: removed.map(({ _id }) => ({ kind: 'removed', media: _id })),
      result: removed,
    };
  });
  return removal ?? [];
}

/** The sums of a usage after media were added, or removed with a `sign` of -1. */
export function addedTo(
  usage: Usage,
  media: readonly Media[],
  sign: 1 | -1 = 1,
): Pick<Usage, 'count' | 'length' | 'facet'> {
  const count = usage.count + sign * media.length;
  const length = usage.length + sign * media.reduce((sum, medium) => sum + medium.length, 0);
  return { count, length, facet: facetOf(count) };
}

/** Changes the usage of a user as the aggregate does; creates it if there is none. Returns the result of the decision. */
export async function changeOrCreateUsage<R = undefined>(
  deps: Deps,
  userId: string,
  decide: (usage: Usage) => UsageDecision<R> | Promise<UsageDecision<R>>,
  options?: WriteOptions,
): Promise<R | undefined> {
  const changed = await usages.change(deps, userId, decide, options);
  if (changed) return changed.result;
  await createUsages(deps, [userId]);
  return (await usages.change(deps, userId, decide, options))?.result;
}

/** The end of the reservations of media that are counted or gone. */
export function withoutReservationsOf(
  { reserved = [] }: Usage,
  media: readonly Media[],
): Pick<Usage, 'reserved'> {
  const keys = new Set(media.map(({ _id }) => _id));
  const others = reserved.filter((reservation) => !keys.has(reservation.media));
  return others.length < reserved.length ? { reserved: others } : {};
}

/** Applies the effects of commits that count media. */
export async function markCounted(
  { media }: Pick<Deps, 'media'>,
  effects: readonly UsageEffect[],
): Promise<void> {
  await media.unversioned.updateMany(
    { _id: { $in: keysOf(effects) }, uncounted: true },
    { $unset: { uncounted: true } },
    NOT_FLUSHED,
  );
}

/** Creates the usage of those users who have none. */
export async function createUsages(deps: Deps, userIds: readonly string[]): Promise<void> {
  const missing = new Set(userIds);
  const found = deps.usage.find({ _id: { $in: userIds } }, { projection: { _id: 1 } });
  for await (const { _id } of found) missing.delete(_id);
  if (missing.size === 0) return;
  const documents = [...missing].map(newUsage);
  await insertAggregates(deps.usage, documents, { ordered: false }).catch((error: unknown) => {
    // A concurrent upload or import has created some of them.
    if (!(error instanceof Conflict)) throw error;
  });
  // An upload does not fail when the user service is unreachable; the sweep reads the names later.
  await nameUsages(deps, [...missing]).catch((error: unknown) =>
    deps.report('display names were not read', { error }),
  );
}

function keysOf(effects: readonly UsageEffect[]): readonly string[] {
  return effects.map(({ media }) => media);
}
