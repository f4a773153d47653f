import { type RoomEvent, readingVersion, redact, type StoredEvent } from '../protocol/mod.ts';
import type { EventDocument } from './event-document.ts';

/** The event of a document as it was sent, whether it has been redacted or not. */
export function originalEvent(document: EventDocument): RoomEvent {
  return {
    eventId: document._id,
    roomId: document.room_id,
    roomVersion: document.room_version,
    event: JSON.parse(document.json) as StoredEvent,
    ...(document.arrival === undefined ? {} : { arrival: document.arrival }),
  };
}

/** The event of a document as it is to be seen: without its content if it has been redacted. */
export function toRoomEvent(document: EventDocument): RoomEvent {
  const original = originalEvent(document);
  return document.redacted_by === undefined ? original : redacted(original);
}

/** An event without what a redaction takes away. */
export function redacted(original: RoomEvent): RoomEvent {
  return { ...original, event: redact(original.event, readingVersion(original.roomVersion)) };
}
