import {
  type AggregateDeps,
  type Decision,
  defineAggregate,
  deleteAggregates,
  MAX_PENDING_EFFECTS,
} from '@steward/service';
import { Conflict, type WriteOptions } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { Media } from '../model/media.ts';
import { facetOf, newUsage, type Usage, type UsageEffect } from '../model/usage.ts';
import { nameUsages } from './name-usages.ts';

/** The maximum number of media in one change. */
export const MAX_MEDIA_OF_CHANGE = MAX_PENDING_EFFECTS;

/** The usage of users as an aggregate. Its effects update or delete the media. */
export const usages = defineAggregate<Usage, UsageEffect, Pick<Deps, 'media' | 'usage'> & AggregateDeps>({
  collection: (deps) => deps.usage,
  effects: {
    async counted({ media }, _, effects) {
      await media.unversioned.updateMany(
        { _id: { $in: keysOf(effects) }, uncounted: true },
        { $unset: { uncounted: true } },
      );
    },
    async removed({ media }, _, effects) {
      await deleteAggregates(media, { _id: { $in: keysOf(effects) }, state: 'deleting' });
    },
  },
});

/** A decision about the usage of a user; `undefined` for no change. */
type UsageDecision = Decision<Usage, UsageEffect> | undefined;

/** Media to count or to remove. */
export interface UsageChange {
  readonly kind: UsageEffect['kind'];
  /** At most `MAX_MEDIA_OF_CHANGE`. */
  readonly media: readonly Media[];
}

/**
 * Counts media of a user, or removes them finally, each exactly once, also when other processes do the same
 * concurrently. `decide` reads the media after the usage, so that the state that it finds belongs to the version of
 * the usage on which the commit depends. It runs again after a conflict with another commit.
 *
 * @returns the media that this call counted or removed
 */
export async function changeUsage(
  deps: Deps,
  userId: string,
  decide: () => Promise<UsageChange>,
): Promise<readonly Media[]> {
  let changed: readonly Media[] = [];
  await changeOrCreateUsage(deps, userId, async (usage) => {
    const { kind, media } = await decide();
    changed = media;
    if (media.length === 0) return undefined;
    // The removal of an uncounted medium does not change the sums.
    const counting = kind === 'counted' ? media : media.filter(({ uncounted }) => !uncounted);
    return {
      set: {
        ...addedTo(usage, counting, kind === 'counted' ? 1 : -1),
        ...withoutReservationsOf(usage, media),
      },
      effects: media.map(({ _id }) => ({ kind, media: _id })),
    };
  });
  return changed;
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

/** Changes the usage of a user as the aggregate does; creates it if there is none. */
export async function changeOrCreateUsage(
  deps: Deps,
  userId: string,
  decide: (usage: Usage) => UsageDecision | Promise<UsageDecision>,
  options?: WriteOptions,
): Promise<void> {
  if (await usages.change(deps, userId, decide, options)) return;
  await createUsage(deps, userId);
  await usages.change(deps, userId, decide, options);
}

/** The end of the reservations of media that are counted or gone. */
function withoutReservationsOf({ reserved = [] }: Usage, media: readonly Media[]): Pick<Usage, 'reserved'> {
  const keys = new Set(media.map(({ _id }) => _id));
  const others = reserved.filter((reservation) => !keys.has(reservation.media));
  return others.length < reserved.length ? { reserved: others } : {};
}

async function createUsage(deps: Deps, userId: string): Promise<void> {
  await usages.create(deps, newUsage(userId)).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
  });
  // An upload does not fail when the user service is unreachable; the sweep reads the name later.
  await nameUsages(deps, [userId]).catch((error: unknown) =>
    deps.report('a display name was not read', { error }),
  );
}

function keysOf(effects: readonly UsageEffect[]): readonly string[] {
  return effects.map(({ media }) => media);
}
