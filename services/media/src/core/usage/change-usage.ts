import { type AggregateDeps, defineAggregate, deleteAggregates, MAX_PENDING_EFFECTS } from '@steward/service';
import { Conflict } from '@steward/store';
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
  const change = () =>
    usages.change(deps, userId, async (usage) => {
      const { kind, media } = await decide();
      changed = media;
      if (media.length === 0) return undefined;
      // The removal of an uncounted medium does not change the sums.
      const counting = kind === 'counted' ? media : media.filter(({ uncounted }) => !uncounted);
      const sign = kind === 'counted' ? 1 : -1;
      const count = usage.count + sign * counting.length;
      const length = usage.length + sign * counting.reduce((sum, medium) => sum + medium.length, 0);
      return {
        set: { count, length, facet: facetOf(count) },
        effects: media.map(({ _id }) => ({ kind, media: _id })),
      };
    });
  if (await change()) return changed;
  await createUsage(deps, userId);
  await change();
  return changed;
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
