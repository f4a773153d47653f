import { randomId } from '@steward/kernel';
import { Conflict, commit, MAX_OWED, retryOnConflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { Media } from '../model/media.ts';
import { facetOf, newUsage, type Usage, type UsageOwed } from '../model/usage.ts';
import { nameUsages } from './name-usages.ts';

/** How long a change is decided anew when others change the same usage meanwhile. */
const CONFLICT_DEADLINE_MS = 20_000;

/** As many media as a change may concern. */
export const MAX_MEDIA_OF_CHANGE = MAX_OWED;

/** Media that begin or cease to count. */
export interface UsageChange {
  readonly kind: UsageOwed['kind'];
  /** At most `MAX_MEDIA_OF_CHANGE`. */
  readonly media: readonly Media[];
}

/**
 * Makes media of a user count, or removes them for good, each exactly once, whoever else is about to do the
 * same. `decide` reads the media after the usage: what it then finds uncounted or deleted is so for the
 * version of the usage that the commit depends on. It may be asked again when others were quicker.
 *
 * @returns the media that this very call counted or removed
 */
export async function changeUsage(
  deps: Deps,
  userId: string,
  decide: () => Promise<UsageChange>,
): Promise<readonly Media[]> {
  const retry = {
    deadlineMs: deps.clock.now() + CONFLICT_DEADLINE_MS,
    clock: deps.clock,
    random: deps.random,
  };
  const { committed, media } = await retryOnConflict(async () => {
    const usage = await presentUsage(deps, userId);
    const { kind, media } = await decide();
    if (media.length === 0) return { committed: usage, media };
    // What never counted goes without a trace.
    const counting = kind === 'counted' ? media : media.filter(({ uncounted }) => !uncounted);
    const sign = kind === 'counted' ? 1 : -1;
    const count = usage.count + sign * counting.length;
    const length = usage.length + sign * counting.reduce((sum, medium) => sum + medium.length, 0);
    const owed = media.map(
      ({ _id }) => ({ id: randomId(deps.random), kind, media: _id }) satisfies UsageOwed,
    );
    const set = { count, length, facet: facetOf(count) };
    return { committed: await commit(deps.usage, usage, { set }, owed), media };
  }, retry);
  await settleUsage(deps, committed);
  return media;
}

/** The usage of a user, after everything that earlier changes owed; `undefined` when there never was any. */
export async function loadUsage(deps: Deps, userId: string): Promise<Usage | undefined> {
  const usage = await deps.usage.findOne({ _id: userId });
  return usage ? settleUsage(deps, usage) : undefined;
}

/** Does what changes of a usage owe: lets the media follow. Safe to do twice and on several machines at once. */
export async function settleUsage(deps: Pick<Deps, 'media' | 'usage'>, usage: Usage): Promise<Usage> {
  let settled = usage;
  // Others may have changed it while this was settled.
  while (settled.pending?.length) {
    // Only `changeUsage` makes the references of usage.
    const owed = settled.pending as unknown as readonly UsageOwed[];
    await letFollow(deps, owed);
    const after = await deps.usage.findOneAndUpdate(
      { _id: usage._id },
      { $pull: { pending: { id: { $in: owed.map(({ id }) => id) } } } },
      { returnDocument: 'after' },
    );
    settled = after ?? { ...settled, pending: [] };
  }
  return settled;
}

async function letFollow({ media }: Pick<Deps, 'media'>, owed: readonly UsageOwed[]): Promise<void> {
  const keysOf = (wanted: UsageOwed['kind']) =>
    owed.flatMap(({ kind, media: key }) => (kind === wanted ? [key] : []));
  const counted = keysOf('counted');
  const removed = keysOf('removed');
  if (counted.length > 0) {
    await media.updateMany({ _id: { $in: counted }, uncounted: true }, { $unset: { uncounted: true } });
  }
  if (removed.length > 0) await media.deleteMany({ _id: { $in: removed }, state: 'deleting' });
}

async function presentUsage(deps: Deps, userId: string): Promise<Usage> {
  const usage = await loadUsage(deps, userId);
  if (usage) return usage;
  await deps.usage.insertOne(newUsage(userId)).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
  });
  // Not awaited by the upload that began it, were the user service away: the sweep asks again.
  await nameUsages(deps, [userId]).catch((error: unknown) =>
    deps.report('a display name was not asked for', { error }),
  );
  return presentUsage(deps, userId);
}
