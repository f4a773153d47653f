import type { EventDocument } from './event-document.ts';

/** The types of messages that users write. */
const MESSAGE_TYPES: ReadonlySet<string> = new Set(['m.room.message', 'm.room.encrypted', 'm.sticker']);

/** Whether an event counts as a message of its room; a redacted one does, as long as it is stored. */
export function isMessage({ type, state_key }: Pick<EventDocument, 'type' | 'state_key'>): boolean {
  return state_key === undefined && MESSAGE_TYPES.has(type);
}

/**
 * The time of an event as activity in its room, in milliseconds since the Unix epoch. What the event says of itself counts
 * up to the time at which this server received it, so that no event is active in the future.
 */
export function activityTime({
  origin_server_ts,
  received_ts,
}: Pick<EventDocument, 'origin_server_ts' | 'received_ts'>): number {
  return Math.min(origin_server_ts, received_ts);
}
