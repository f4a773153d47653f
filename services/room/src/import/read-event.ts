import { isObject, type JsonObject, own } from '@steward/kernel';
import { parseRecord } from '@steward/records';
import {
  EVENT_MAX_BYTES,
  findRoomVersion,
  isEventId,
  isMembership,
  isRoomId,
  isStorableId,
  isUserId,
  type StoredEvent,
} from '../core/protocol/mod.ts';
import { storedOfEvent } from '../core/records/further-fields.ts';

/** An event of an import record. */
export interface EventRecord {
  readonly eventId: string;
  readonly roomId: string;
  /** All its fields, including those that its room version omits: see `toStoredEvent`. */
  readonly event: StoredEvent;
  /** When the server received it, in milliseconds since the Unix epoch. */
  readonly receivedTs: number;
  readonly softFailed: boolean;
  readonly rejected: boolean;
  /** What the server that exported it has stored beside it. */
  readonly stored: StoredBeside;
}

/** What is stored of an event and does not follow from it. */
type StoredBeside = ReturnType<typeof storedOfEvent.read>;

/**
 * Reads a record.
 *
 * @throws Error that names the invalid field
 */
export function readEvent(text: string): EventRecord {
  const { received_ts, soft_failed, rejected, stored: beside, ...fields } = parseRecord(text);
  // Records may contain null for absent fields.
  const event = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  check(event, 'event_id', (value) => typeof value === 'string' && isEventId(value));
  check(event, 'room_id', (value) => typeof value === 'string' && isRoomId(value));
  check(event, 'type', isText);
  check(event, 'sender', (value) => typeof value === 'string' && isUserId(value));
  check(event, 'origin_server_ts', isCount);
  check(event, 'depth', isCount);
  check(event, 'content', isObject);
  for (const field of ['prev_events', 'auth_events']) check(event, field, isReferences);
  for (const field of ['hashes', 'signatures', 'unsigned']) check(event, field, isOptional(isObject));
  for (const field of ['state_key', 'redacts']) check(event, field, isOptional(isText));
  const receivedTs = received_ts ?? event.origin_server_ts;
  check({ received_ts: receivedTs }, 'received_ts', isCount);
  const stored = event as unknown as StoredEvent;
  if (stored.type === 'm.room.member' && stored.state_key !== undefined) {
    if (!isUserId(stored.state_key)) throw new Error('state_key of a member is not a user id');
    if (!isMembership(own(stored.content, 'membership'))) throw new Error('membership is not valid');
  }
  return {
    eventId: stored.event_id as string,
    roomId: stored.room_id as string,
    event: stored,
    receivedTs: receivedTs as number,
    softFailed: soft_failed === true,
    rejected: rejected === true,
    stored: readStored(beside),
  };
}

function readStored(beside: unknown): StoredBeside {
  if (beside === undefined || beside === null) return {};
  if (!isObject(beside)) throw new Error('stored is not an object');
  return storedOfEvent.read(JSON.stringify(beside));
}

/**
 * The stored form of an event in a room of a version.
 *
 * @throws Error for an event that is too large
 */
export function toStoredEvent({ event }: EventRecord, roomVersion: string): { json: string; bytes: number } {
  const version = findRoomVersion(roomVersion);
  const { event_id, room_id, ...rest } = event;
  const json = JSON.stringify({
    ...(version?.hashRoomIds && event.type === 'm.room.create' ? {} : { room_id }),
    ...(version?.eventIds === 'opaque' ? { event_id } : {}),
    ...rest,
  });
  const bytes = Buffer.byteLength(json);
  if (bytes > EVENT_MAX_BYTES) throw new Error(`an event has at most ${EVENT_MAX_BYTES} bytes`);
  return { json, bytes };
}

function check(record: JsonObject, field: string, holds: (value: unknown) => boolean): void {
  if (!holds(record[field])) throw new Error(`${field} is ${field in record ? 'not valid' : 'missing'}`);
}

const isOptional = (holds: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || holds(value);

function isText(value: unknown): boolean {
  return typeof value === 'string' && isStorableId(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isReferences(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((reference) => typeof (Array.isArray(reference) ? reference[0] : reference) === 'string')
  );
}
