import { removeInBatches } from '@steward/store';
import type { Deps } from '../deps.ts';
import { LIFETIME_MS } from './cursors.ts';

/** Rooms that are forgotten together. */
const BATCH = 100;

/**
 * Forgets rooms that were purged so long ago that no sync token knows them, with what a search left of them whose process ended
 * while they were purged. Safe to run in several processes concurrently.
 */
export async function prunePurgedRooms(
  deps: Pick<Deps, 'purgedRooms' | 'searchEntries' | 'searchPositions' | 'clock'>,
): Promise<void> {
  const before = async (ids: readonly string[]) => {
    await removeInBatches(deps.searchEntries, { room_id: { $in: ids } });
    await deps.searchPositions.deleteMany({ _id: { $in: ids } });
  };
  const old = { purged_ts: { $lt: deps.clock.now() - LIFETIME_MS } };
  await removeInBatches(deps.purgedRooms, old, { size: BATCH, before });
}
