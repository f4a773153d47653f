import { isObject, own, ownString } from '@steward/kernel';
import { isRestrictedRule } from './auth-events.ts';
import type { Denial } from './denial.ts';
import { joinRuleOf, membershipOf, type StateLookup } from './event.ts';
import { serverNameOf } from './ids.ts';
import { powerLevelsOf } from './power-levels.ts';
import type { RoomVersion } from './room-versions.ts';

/** The rooms that a join rule is asked about at most; further ones are passed over. */
const MAX_ALLOWED_ROOMS = 100;

/**
 * The rooms whose members may join, when that is what a user's join depends on; `undefined` when it is not,
 * because the room has no such rule or the user is joined, invited or banned (client-plane.md 5.3).
 */
export function roomsThatAllow(
  userId: string,
  version: RoomVersion,
  state: StateLookup,
): readonly string[] | undefined {
  if (!isRestrictedRule(joinRuleOf(state), version)) return undefined;
  const membership = membershipOf(state, userId);
  if (membership === 'join' || membership === 'invite' || membership === 'ban') return undefined;
  const allow = own(state('m.room.join_rules', '')?.event.content, 'allow');
  const rooms = new Set<string>();
  for (const entry of Array.isArray(allow) ? allow : []) {
    const roomId = ownString(entry, 'room_id');
    if (ownString(entry, 'type') === 'm.room_membership' && roomId !== undefined) rooms.add(roomId);
    if (rooms.size === MAX_ALLOWED_ROOMS) break;
  }
  return [...rooms];
}

/** What is known of one of the rooms of `roomsThatAllow`. */
export interface AllowingRoom {
  readonly isKnown: boolean;
  /** Whether the user who wants to join is joined there. */
  readonly isJoined: boolean;
}

/**
 * The users of this server who are named in the power levels, or created the room, and may vouch for a
 * join; the most powerful first. Whether they are still joined, the state says.
 */
export function namedAuthorisers(
  version: RoomVersion,
  state: StateLookup,
  serverName: string,
): readonly string[] {
  const levels = powerLevelsOf(state, version);
  const creator = state('m.room.create', '')?.event.sender;
  const users = own(levels.content, 'users');
  const named = new Set([
    ...levels.creators,
    ...(creator === undefined ? [] : [creator]),
    ...(isObject(users) ? Object.keys(users) : []),
  ]);
  return [...named]
    .filter((userId) => serverNameOf(userId) === serverName)
    .map((userId) => ({ userId, level: levels.ofUser(userId) }))
    .filter(({ level }) => level >= levels.toDo('invite'))
    .sort((a, b) => (a.level === b.level ? 0 : b.level - a.level))
    .map(({ userId }) => userId);
}

/** Whether a user of this server may vouch for a join: is joined, and may invite. */
export function mayVouch(userId: string, version: RoomVersion, state: StateLookup): boolean {
  const levels = powerLevelsOf(state, version);
  return membershipOf(state, userId) === 'join' && levels.ofUser(userId) >= levels.toDo('invite');
}

/**
 * Why a join that depends on other rooms is refused; `undefined` when `authoriser` is to vouch for it.
 *
 * @param authoriser a user for whom `mayVouch` holds, if there is one
 */
export function denyRestrictedJoin(
  rooms: readonly AllowingRoom[],
  authoriser: string | undefined,
): Denial | undefined {
  if (rooms.some(({ isKnown, isJoined }) => isKnown && isJoined)) {
    if (authoriser !== undefined) return undefined;
    return { refusal: 'unableToGrantJoin', message: 'Nobody on this server may vouch for the join' };
  }
  return rooms.length > 0 && rooms.every(({ isKnown }) => !isKnown)
    ? { refusal: 'unableToAuthoriseJoin', message: 'No room whose members may join is known here' }
    : { refusal: 'forbidden', message: 'The user is in none of the rooms whose members may join' };
}
