import { isObject, type JsonObject, pick } from '@steward/kernel';
import type { StoredEvent } from './event.ts';
import type { RoomVersion } from './room-versions.ts';

const KEPT = [
  'event_id',
  'type',
  'room_id',
  'sender',
  'state_key',
  'content',
  'hashes',
  'signatures',
  'depth',
  'prev_events',
  'auth_events',
  'origin_server_ts',
];
const KEPT_BEFORE_V11 = [...KEPT, 'prev_state', 'origin', 'membership'];

const KEPT_LEVELS = [
  'ban',
  'events',
  'events_default',
  'kick',
  'redact',
  'state_default',
  'users',
  'users_default',
];

/**
 * The redacted form of an event (client-plane.md 4.5), over which its signatures and its id are computed. Removes
 * `unsigned`. Idempotent.
 */
export function redact(event: StoredEvent, version: RoomVersion): StoredEvent {
  const kept = pick({ ...event }, version.tidyRedaction ? KEPT : KEPT_BEFORE_V11);
  return { ...kept, content: redactContent(event.type, event.content, version) } as StoredEvent;
}

/** The redacted content of an event of a type. */
export function redactContent(type: string, content: JsonObject, version: RoomVersion): JsonObject {
  switch (type) {
    case 'm.room.member':
      return redactMember(content, version);
    case 'm.room.create':
      return version.tidyRedaction ? content : pick(content, ['creator']);
    case 'm.room.join_rules':
      return pick(content, version.restricted ? ['join_rule', 'allow'] : ['join_rule']);
    case 'm.room.power_levels':
      return pick(content, version.tidyRedaction ? [...KEPT_LEVELS, 'invite'] : KEPT_LEVELS);
    case 'm.room.history_visibility':
      return pick(content, ['history_visibility']);
    case 'm.room.aliases':
      return pick(content, version.aliasEvents ? ['aliases'] : []);
    case 'm.room.redaction':
      return pick(content, version.redactsInContent ? ['redacts'] : []);
    default:
      return {};
  }
}

function redactMember(content: JsonObject, version: RoomVersion): JsonObject {
  const keys = ['membership'];
  if (version.redactionKeepsAuthoriser) keys.push('join_authorised_via_users_server');
  const kept = pick(content, keys);
  if (!version.tidyRedaction || !isObject(content.third_party_invite)) return kept;
  const signed = pick(content.third_party_invite, ['signed']);
  return Object.keys(signed).length === 0 ? kept : { ...kept, third_party_invite: signed };
}
