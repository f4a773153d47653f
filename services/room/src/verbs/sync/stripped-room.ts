import type { Deps } from '../../core/deps.ts';
import { toRoomEvent } from '../../core/model/event-form.ts';
import type { MemberDocument } from '../../core/model/member.ts';
import { stateKeyOf } from '../../core/model/room-memory.ts';
import { strippedState, strippedStateKeys } from '../../core/protocol/mod.ts';
import { loadEvents } from '../../core/reading/load-events.ts';

/**
 * What a user who is invited to a room, or knocks, sees of it (client-plane.md 4.4): its
 * state when they came to be that, as JSON text.
 */
export async function strippedRoom(
  deps: Pick<Deps, 'states' | 'events' | 'clock'>,
  { room_id, user_id, sender, arrival }: MemberDocument,
): Promise<string[]> {
  const people = sender === user_id ? [user_id] : [sender, user_id];
  const places = strippedStateKeys(people);
  const intervals = await deps.states
    .find(
      {
        room_id,
        type: { $in: [...new Set(places.map(([type]) => type))] },
        state_key: { $in: ['', ...people] },
        from: { $lte: arrival },
        until: { $gt: arrival },
      },
      { projection: { _id: 1 } },
    )
    .toArray();
  const events = await loadEvents(
    deps,
    intervals.map(({ _id }) => _id),
  );
  const state = new Map(
    events.map((event) => [stateKeyOf(event.type, event.state_key ?? ''), toRoomEvent(event)]),
  );
  const lookup = (type: string, stateKey: string) => state.get(stateKeyOf(type, stateKey));
  return strippedState(lookup, people, deps.clock.now()).map((event) => JSON.stringify(event));
}
