import { removeInBatches } from '@steward/store';
import type { Deps } from '../deps.ts';
import { LIFETIME_MS } from './cursors.ts';

/** Forgets rooms that were purged so long ago that no sync token knows them. Safe to run in several processes concurrently. */
export async function prunePurgedRooms(deps: Pick<Deps, 'purgedRooms' | 'clock'>): Promise<void> {
  await removeInBatches(deps.purgedRooms, { purged_ts: { $lt: deps.clock.now() - LIFETIME_MS } });
}
