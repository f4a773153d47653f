import type { Deps } from '../../core/deps.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import type { Room } from '../../core/model/room.ts';

/**
 * The newest event of a room that had arrived when the server received its first event at or after a time; the newest
 * event of the room if there is no such event (behaviour.md 8.1).
 *
 * @param ts milliseconds since the Unix epoch
 */
export async function findBoundary(
  deps: Pick<Deps, 'events'>,
  room: Room,
  ts: number,
): Promise<EventDocument | undefined> {
  const later = await firstSince(deps, room, ts);
  if (!later) return lastEvent(deps, room);
  const first = await deps.events.findOne(
    { received_ts: { $gte: ts }, arrival: { $gte: 1 } },
    { sort: { received_ts: 1 } },
  );
  const isFirst = first === null || first.received_ts >= later.received_ts;
  return isFirst ? later : lastBefore(deps, room, later.arrival ?? 0);
}

/** The first event of a room that was received at or after a time; arrival numbers follow the order of receipt. */
async function firstSince(
  deps: Pick<Deps, 'events'>,
  room: Room,
  ts: number,
): Promise<EventDocument | undefined> {
  let found: EventDocument | undefined;
  for (let low = 1, high = room.arrival; low <= high; ) {
    const middle = Math.floor((low + high) / 2);
    const event = await deps.events.findOne(
      { room_id: room._id, arrival: { $gte: middle, $lte: high } },
      { sort: { arrival: 1 } },
    );
    if (!event || event.received_ts >= ts) {
      found = event ?? found;
      high = middle - 1;
    } else low = (event.arrival ?? middle) + 1;
  }
  return found;
}

/** The newest event of a room. */
function lastEvent(deps: Pick<Deps, 'events'>, room: Room): Promise<EventDocument | undefined> {
  return lastBefore(deps, room, room.arrival + 1);
}

/** The newest event of a room that arrived before another. */
async function lastBefore(
  deps: Pick<Deps, 'events'>,
  room: Room,
  arrival: number,
): Promise<EventDocument | undefined> {
  const before = { room_id: room._id, arrival: { $gte: 1, $lt: arrival } };
  return (await deps.events.findOne(before, { sort: { arrival: -1 } })) ?? undefined;
}
