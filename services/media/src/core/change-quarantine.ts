import { randomId } from '@steward/kernel';
import { type Filter, type Owed, sweepOwed } from '@steward/store';
import type { Deps } from './deps.ts';
import type { Media } from './model/media.ts';
import { tellChanges } from './model/quarantine-change.ts';

/** As many media as change together: few enough that other requests do not wait for them. */
export const MAX_AT_ONCE = 24;

/** How many media the sweep looks at together. */
const SWEEP_BATCH = 100;

/**
 * Puts media into quarantine, or takes them out of it, and tells of it.
 *
 * @param keys at most `MAX_AT_ONCE`
 * @param which of these
 * @param quarantinedBy the administrator, or null for no quarantine
 * @returns how many there were
 */
export async function changeQuarantine(
  deps: Deps,
  keys: readonly string[],
  which: Filter<Media>,
  quarantinedBy: string | null,
): Promise<number> {
  const owed: Owed = { id: randomId(deps.random), kind: 'quarantine_changed' };
  const { matchedCount } = await deps.media.updateMany(
    { $and: [{ _id: { $in: keys } }, which] },
    { $set: { quarantined_by: quarantinedBy }, $inc: { version: 1 }, $push: { pending: owed } },
  );
  if (matchedCount === 0) return 0;
  await tellChanges(deps, keys);
  await deps.media.updateMany(
    { _id: { $in: keys }, 'pending.id': owed.id },
    { $pull: { pending: { id: owed.id } } },
  );
  return matchedCount;
}

/** Tells of what processes changed that died before they told. */
export function sweepQuarantine(deps: Deps): Promise<number> {
  return sweepOwed(deps.media, (_, medium) => tellChanges(deps, [medium._id]), { batch: SWEEP_BATCH });
}
