import type { Collections } from '../collections.ts';
import type { EventDocument } from '../model/event-document.ts';
import { eventIdOf } from '../model/state-document.ts';
import { loadEvents } from './load-events.ts';
import type { StatePoint } from './state-at.ts';

/** The member events of senders at a point; senders without a member event are omitted. */
export async function membersOfSenders(
  deps: Pick<Collections, 'states' | 'events'>,
  { roomId, arrival }: StatePoint,
  senders: readonly string[],
): Promise<readonly EventDocument[]> {
  if (senders.length === 0) return [];
  const intervals = await deps.states
    .find(
      {
        room_id: roomId,
        type: 'm.room.member',
        state_key: { $in: [...new Set(senders)] },
        from: { $lte: arrival },
        until: { $gt: arrival },
      },
      { projection: { _id: 1 } },
    )
    .toArray();
  return loadEvents(deps, intervals.map(eventIdOf));
}
