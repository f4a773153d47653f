import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import { readMember } from '../model/read-member.ts';
import type { Room } from '../model/room.ts';
import { roomsWithEventsOf } from './rooms-with-events-of.ts';
import type { UserRedactionParams } from './user-redaction.ts';

/** Events that are read with one query, and redacted with one commit. */
const BATCH = 50;

/** The types of events that are redacted; of member events only those by which the user joined. */
const TYPES = ['m.room.message', 'm.room.encrypted', 'm.room.member'];

/** The rooms in which the events of a sender are redacted. */
export function roomsOf(
  deps: Pick<Deps, 'events'>,
  sender: string,
  { rooms }: UserRedactionParams,
): AsyncIterable<string> | Iterable<string> {
  return rooms.length > 0 ? rooms : roomsWithEventsOf(deps, sender);
}

/** The ids of events of a sender in a room that are to be redacted, the newest first, in batches. */
export async function* unredactedOf(
  deps: Pick<Deps, 'events'>,
  sender: string,
  params: UserRedactionParams,
  { _id: roomId, arrival }: Pick<Room, '_id' | 'arrival'>,
): AsyncGenerator<readonly string[]> {
  for (let below = arrival + 1, left = params.limit; left > 0; ) {
    const found = await eventsBelow(deps, sender, params, roomId, below);
    const redactable = found.filter(isRedactable).slice(0, left);
    yield redactable.flatMap(({ _id, redacted_by }) => (redacted_by === undefined ? [_id] : []));
    left -= redactable.length;
    below = found.at(-1)?.arrival ?? 0;
    if (found.length < BATCH) return;
  }
}

function eventsBelow(
  deps: Pick<Deps, 'events'>,
  sender: string,
  { beforeMs, afterMs }: UserRedactionParams,
  roomId: string,
  below: number,
): Promise<readonly EventDocument[]> {
  const sent = {
    ...(beforeMs === null ? {} : { $lt: beforeMs }),
    ...(afterMs === null ? {} : { $gt: afterMs }),
  };
  return deps.events
    .find(
      {
        sender,
        room_id: roomId,
        arrival: { $gte: 1, $lt: below },
        type: { $in: TYPES },
        ...(Object.keys(sent).length > 0 ? { origin_server_ts: sent } : {}),
      },
      { sort: { arrival: -1 }, limit: BATCH },
    )
    .toArray();
}

function isRedactable(document: EventDocument): boolean {
  return document.type !== 'm.room.member' || readMember(document).membership === 'join';
}
