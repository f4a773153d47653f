import { type AggregateDeps, defineAggregate } from '@steward/service';
import type { Filter } from '@steward/store';
import type { Deps } from './deps.ts';
import type { Media, MediaEffect } from './model/media.ts';
import { appendChanges } from './quarantine-changes.ts';

/** How many media change together: few enough that other requests do not wait for them. */
export const MAX_AT_ONCE = 24;

type QuarantineDeps = Pick<Deps, 'media' | 'quarantineChanges'> & AggregateDeps;

/** Media, in so far as a change of them has effects elsewhere. */
const media = defineAggregate<Media, MediaEffect, QuarantineDeps>({
  collection: (deps) => deps.media,
  effects: { quarantine_changed: (deps, { _id }) => appendChanges(deps, [_id]) },
});

/**
 * Puts media into quarantine, or takes them out of it, and appends that to the list of changes.
 *
 * @param keys at most `MAX_AT_ONCE`
 * @param which of these
 * @param quarantinedBy the administrator, or null for no quarantine
 * @returns how many there were
 */
export function changeQuarantine(
  deps: QuarantineDeps,
  keys: readonly string[],
  which: Filter<Media>,
  quarantinedBy: string | null,
): Promise<number> {
  return media.changeMany(
    deps,
    { $and: [{ _id: { $in: keys } }, which] },
    { set: { quarantined_by: quarantinedBy } },
    { kind: 'quarantine_changed' },
    () => appendChanges(deps, keys),
  );
}

/** Appends to the list of changes what processes changed that crashed before they did. */
export function sweepQuarantine(deps: QuarantineDeps): Promise<number> {
  return media.sweep(deps);
}
