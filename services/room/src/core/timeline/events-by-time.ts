import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import type { Direction } from '../model/position.ts';

/**
 * The events of a room nearest to a time, the nearest first: at or after it for `f`, at or before it for `b`; events of
 * the same time by depth and arrival. Omits imported events that are hidden from users.
 *
 * @param ts milliseconds since the Unix epoch
 * @param until the arrival of the last event to consider
 */
export function eventsByTime(
  deps: Pick<Deps, 'events'>,
  { roomId, until, ts, direction }: { roomId: string; until: number; ts: number; direction: Direction },
  limit: number,
): Promise<readonly EventDocument[]> {
  const step = direction === 'f' ? 1 : -1;
  return deps.events
    .find(
      {
        room_id: roomId,
        origin_server_ts: direction === 'f' ? { $gte: ts } : { $lte: ts },
        arrival: { $gte: 1, $lte: until },
        soft_failed: { $ne: true },
        rejected: { $ne: true },
      },
      { sort: { origin_server_ts: step, depth: step, arrival: step }, limit },
    )
    .toArray();
}
