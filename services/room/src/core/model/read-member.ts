import { type JsonObject, ownString } from '@steward/kernel';
import type { EventDocument } from './event-document.ts';
import { toRoomEvent } from './event-form.ts';
import type { MemberDocument } from './member.ts';

/** The fields of a member document that come from a member event. */
export function readMember(document: EventDocument): {
  membership: string;
  displayname: string | null;
  avatar_url: string | null;
} {
  const { content } = toRoomEvent(document).event;
  return {
    membership: ownString(content, 'membership') ?? '',
    displayname: textOf(content, 'displayname'),
    avatar_url: textOf(content, 'avatar_url'),
  };
}

/**
 * What a member document takes from an admitted member event.
 *
 * @param arrival the arrival number of the event
 */
export function memberFieldsOf(event: EventDocument, arrival: number): Partial<MemberDocument> {
  return {
    ...readMember(event),
    event_id: event._id,
    arrival,
    sender: event.sender,
    forgotten: event.forgets ?? false,
    ...(event.stay === undefined ? {} : { stay: event.stay }),
  };
}

function textOf(content: JsonObject, key: string): string | null {
  return ownString(content, key) ?? null;
}
