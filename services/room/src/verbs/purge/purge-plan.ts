import type { Planned } from '@steward/plans';
import type { Deps } from '../../core/deps.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import { BEGINNING, type Position } from '../../core/model/position.ts';
import { isPurged, losesLast, nextEvents } from './next-events.ts';

/** How many events a plan reads; of a longer history it says how much there is at least. */
const MOST_EVENTS = 20_000;

/** What a purge of the history before a boundary would remove. */
export async function purgePlan(
  deps: Pick<Deps, 'events' | 'rooms' | 'serverName'>,
  { room_id: roomId, depth }: Pick<EventDocument, 'room_id' | 'depth'>,
  deleteLocal: boolean,
): Promise<Planned> {
  const room = await deps.rooms.findOne({ _id: roomId });
  const sample = [{ kind: 'room', id: roomId, name: room?.name ?? null }];
  // Its task fails.
  if (!room || losesLast(room, depth)) return { changes: [], sample };
  let [read, count] = [0, 0];
  for (let position: Position | undefined = BEGINNING; position && read < MOST_EVENTS; ) {
    const found: readonly EventDocument[] = await nextEvents(deps, roomId, position, depth);
    read += found.length;
    count += found.filter((event) => isPurged(deps, { deleteLocal }, event)).length;
    const last = found.at(-1);
    position = last && { depth: last.depth, arrival: last.arrival ?? 0 };
  }
  const isHidden = (room.horizon?.depth ?? 0) < depth;
  return {
    changes: [
      { kind: 'events', change: 'removed', count, atLeast: read >= MOST_EVENTS },
      { kind: 'rooms', change: 'changed', count: isHidden || count > 0 ? 1 : 0 },
    ],
    sample,
    irreversible: isHidden || count > 0 ? ['history'] : [],
    state: [depth, deleteLocal],
  };
}
