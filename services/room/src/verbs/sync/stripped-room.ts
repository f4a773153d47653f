import type { Deps } from '../../core/deps.ts';
import { toRoomEvent } from '../../core/model/event-form.ts';
import type { MemberDocument } from '../../core/model/member.ts';
import { stateKeyOf } from '../../core/model/room-memory.ts';
import { eventIdOf } from '../../core/model/state-document.ts';
import { strippedState, strippedStateKeys } from '../../core/protocol/mod.ts';
import { loadEvents } from '../../core/reading/load-events.ts';

/**
 * The stripped state that an invited or knocking user receives of a room (client-plane.md 4.4), as of the invitation or
 * knock; as JSON text.
 */
export async function strippedRoom(
  deps: Pick<Deps, 'states' | 'events' | 'clock'>,
  { room_id, user_id, sender, arrival }: MemberDocument,
): Promise<string[]> {
  const userIds = sender === user_id ? [user_id] : [sender, user_id];
  const keys = strippedStateKeys(userIds);
  const intervals = await deps.states
    .find(
      {
        room_id,
        type: { $in: [...new Set(keys.map(([type]) => type))] },
        state_key: { $in: ['', ...userIds] },
        from: { $lte: arrival },
        until: { $gt: arrival },
      },
      { projection: { _id: 1 } },
    )
    .toArray();
  const events = await loadEvents(deps, intervals.map(eventIdOf));
  const state = new Map(
    events.map((event) => [stateKeyOf(event.type, event.state_key ?? ''), toRoomEvent(event)]),
  );
  const lookup = (type: string, stateKey: string) => state.get(stateKeyOf(type, stateKey));
  return strippedState(lookup, userIds, deps.clock.now()).map((event) => JSON.stringify(event));
}
