import { type RoomEvent, readingVersion, redact, type StoredEvent } from '../protocol/mod.ts';
import type { EventDocument } from './event-document.ts';

/** The event of a document as it was sent, even if it has been redacted. */
export function originalEvent(document: EventDocument): RoomEvent {
  return {
    eventId: document._id,
    roomId: document.room_id,
    roomVersion: document.room_version,
    event: JSON.parse(document.json) as StoredEvent,
    ...(document.arrival === undefined ? {} : { arrival: document.arrival }),
  };
}

/** The event of a document as readers see it: redacted if it has been. */
export function toRoomEvent(document: EventDocument): RoomEvent {
  const original = originalEvent(document);
  return document.redacted_by === undefined ? original : redacted(original);
}

/** The redacted form of an event. */
export function redacted(original: RoomEvent): RoomEvent {
  return { ...original, event: redact(original.event, readingVersion(original.roomVersion)) };
}
