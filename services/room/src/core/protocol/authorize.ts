import { own, ownString } from '@steward/kernel';
import { authorizeMember } from './authorize-member.ts';
import { type Denial, forbidden } from './denial.ts';
import { type EventDraft, membershipOf, type StateLookup, type StoredEvent } from './event.ts';
import { isUserId, serverNameOf } from './ids.ts';
import { findForbiddenLevel, findListedCreator, powerLevelsOf } from './power-levels.ts';
import type { RoomVersion } from './room-versions.ts';

/** An event to authorise: a draft, or a complete event. */
export type AuthorizableEvent = EventDraft & Partial<Pick<StoredEvent, 'prev_events' | 'room_id'>>;

/**
 * Returns why a room does not admit an event, given the state before it; `undefined` if it does (client-plane.md 5.2 to
 * 5.4). Reads only the state keys of `authStateKeys`.
 */
export function authorize(
  event: AuthorizableEvent,
  version: RoomVersion,
  state: StateLookup,
): Denial | undefined {
  const create = state('m.room.create', '');
  if (event.type === 'm.room.create') {
    return create === undefined
      ? authorizeCreate(event, version)
      : forbidden('The room has been created already');
  }
  if (create === undefined) return forbidden('The room has not been created');
  if (
    own(create.event.content, 'm.federate') === false &&
    serverNameOf(event.sender) !== serverNameOf(create.event.sender)
  ) {
    return forbidden('The room is closed to users of other servers');
  }
  if (event.type === 'm.room.member') return authorizeMember(event, version, state);
  if (membershipOf(state, event.sender) !== 'join') {
    return forbidden(`${event.sender} is not in the room`);
  }
  if (event.type === 'm.room.aliases' && version.aliasEvents) return authorizeAliases(event);
  return authorizeByLevel(event, version, state);
}

function authorizeCreate(event: AuthorizableEvent, version: RoomVersion): Denial | undefined {
  if (event.state_key !== '') return forbidden('A create event has an empty state key');
  if ((event.prev_events ?? []).length > 0) return forbidden('A create event comes first');
  if (version.hashRoomIds && event.room_id !== undefined) {
    return forbidden('The create event of this room version has no room id');
  }
  if ((ownString(event.content, 'room_version') ?? '1') !== version.id) {
    return forbidden('The create event names another room version');
  }
  if (!version.implicitCreator && own(event.content, 'creator') === undefined) {
    return forbidden('The create event names no creator');
  }
  const creators = own(event.content, 'additional_creators');
  if (!version.creatorsAboveLevels || creators === undefined) return undefined;
  return areUserIds(creators) ? undefined : forbidden("'additional_creators' is not a list of user ids");
}

function areUserIds(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && isUserId(item));
}

function authorizeAliases(event: EventDraft): Denial | undefined {
  if (event.state_key === serverNameOf(event.sender)) return undefined;
  return forbidden('The aliases of another server cannot be set');
}

function authorizeByLevel(event: EventDraft, version: RoomVersion, state: StateLookup): Denial | undefined {
  const levels = powerLevelsOf(state, version);
  const isState = event.state_key !== undefined;
  const ownLevel = levels.ofUser(event.sender);
  const needed = levels.toSend(event.type, isState);
  if (ownLevel < needed) {
    return forbidden(`${event.type} takes a power level of ${needed}, and the sender has ${ownLevel}`);
  }
  if (event.state_key?.startsWith('@') && event.state_key !== event.sender) {
    return forbidden("State under another user's id cannot be set");
  }
  if (event.type === 'm.room.power_levels') {
    const listed = findListedCreator(event, levels);
    if (listed !== undefined) {
      return { refusal: 'badJson', message: `${listed} created the room and cannot be given a level` };
    }
    const violation = findForbiddenLevel(event, levels, version);
    return violation === undefined ? undefined : forbidden(violation);
  }
  if (event.type === 'm.room.redaction' && version.redactionsAuthorised) {
    const isOwnServer = serverNameOf(event.redacts ?? '') === serverNameOf(event.sender);
    if (!isOwnServer && ownLevel < levels.toDo('redact')) {
      return forbidden(`Redacting takes a power level of ${levels.toDo('redact')}`);
    }
  }
  return undefined;
}
