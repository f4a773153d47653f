import type { Deps } from '../deps.ts';
import type { Room } from '../model/room.ts';
import { settleRoom } from './apply-pending.ts';
import { settleNewcomers } from './recheck-admitted-members.ts';

/** Rooms that are settled at once. */
const BATCH = 16;

/**
 * Settles every room that owes something. One that cannot be settled does not keep the others from it.
 *
 * @throws AggregateError at the end, with what went wrong for each of those
 */
export async function sweepRooms(deps: Deps): Promise<void> {
  const errors: unknown[] = [];
  const settleBatch = async (batch: readonly Room[]) => {
    const outcomes = await Promise.allSettled(
      batch.map(async (room) => settleNewcomers(deps, await settleRoom(deps, room))),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') errors.push(outcome.reason);
  };
  let batch: Room[] = [];
  // Not $exists: an empty list leaves an entry in some engines' indexes, and a bound passes it over.
  for await (const room of deps.rooms.find({ 'pending.id': { $gt: '' } })) {
    batch.push(room);
    if (batch.length < BATCH) continue;
    await settleBatch(batch);
    batch = [];
  }
  await settleBatch(batch);
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} rooms were not settled`);
}
