import { type AggregateDeps, defineAggregate } from '@steward/service';
import type { Filter } from '@steward/store';
import type { Deps } from './deps.ts';
import type { Media, MediaEffect } from './model/media.ts';
import { appendChanges } from './quarantine-changes.ts';

/** The maximum number of media in one change: few, so that other requests do not wait for it. */
export const BATCH_SIZE = 24;

type QuarantineDeps = Pick<Deps, 'media' | 'quarantineChanges'> & AggregateDeps;

/** Media as an aggregate whose changes of the quarantine have effects. */
const media = defineAggregate<Media, MediaEffect, QuarantineDeps>({
  collection: (deps) => deps.media,
  effects: { quarantine_changed: (deps, { _id }) => appendChanges(deps, [_id]) },
});

/**
 * Quarantines media, or ends their quarantine, and appends the changes to the list of changes.
 *
 * @param keys at most `BATCH_SIZE`
 * @param which a filter on these media
 * @param quarantinedBy the administrator, or null for no quarantine
 * @returns the number of matching media
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

/** Appends the changes of processes that crashed before they appended them. */
export function sweepQuarantine(deps: QuarantineDeps): Promise<number> {
  return media.sweep(deps);
}
