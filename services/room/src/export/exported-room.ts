import type { JsonObject } from '@steward/kernel';
import type { EventDocument } from '../core/model/event-document.ts';
import type { MemberDocument } from '../core/model/member.ts';
import type { Room } from '../core/model/room.ts';
import { furtherOfRoom, storedOfEvent } from '../core/records/further-fields.ts';

/**
 * The record of a room, as the import reads it.
 *
 * @param aliases those that the directory has for it, in ascending order
 */
export function exportedRoom(room: Room, aliases: readonly string[]): JsonObject {
  // An alias that the directory does not have is part of the state only.
  const canonical = aliases.find((alias) => alias === room.canonical_alias) ?? null;
  return {
    room_id: room._id,
    creator: room.creator,
    room_version: room.room_version,
    created_ts: room.created_ts,
    public: room.public,
    name: room.name,
    topic: room.topic,
    canonical_alias: canonical,
    aliases: aliases.filter((alias) => alias !== canonical),
    join_rules: room.join_rules,
    history_visibility: room.history_visibility,
    guest_access: room.guest_access,
    encryption: room.encryption,
    federatable: room.federatable,
    joined_members: room.joined_members,
    state_events: room.state_events,
    ...furtherOfRoom.write(room),
  };
}

/** The record of a current membership. */
export function exportedMember(member: MemberDocument, event: EventDocument): JsonObject {
  return {
    room_id: member.room_id,
    user_id: member.user_id,
    membership: member.membership,
    event_id: member.event_id,
    ts: event.origin_server_ts,
  };
}

/** The record of an event as it was sent, also if it has been redacted: its redaction is an event, too. */
export function exportedEvent(document: EventDocument): JsonObject {
  const { event_id: _, room_id: __, ...event } = JSON.parse(document.json) as JsonObject;
  return {
    event_id: document._id,
    room_id: document.room_id,
    ...event,
    ...(document.received_ts === document.origin_server_ts ? {} : { received_ts: document.received_ts }),
    ...(document.soft_failed ? { soft_failed: true } : {}),
    ...(document.rejected ? { rejected: true } : {}),
    stored: storedOfEvent.write(document),
  };
}
