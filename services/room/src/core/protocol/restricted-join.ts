import { isObject, own, ownString } from '@steward/kernel';
import { isRestrictedRule } from './auth-events.ts';
import type { Denial } from './denial.ts';
import { joinRuleOf, membershipOf, type StateLookup } from './event.ts';
import { serverNameOf } from './ids.ts';
import { powerLevelsOf } from './power-levels.ts';
import type { RoomVersion } from './room-versions.ts';

/** The most rooms of a join rule that are considered; further ones are ignored. */
const MAX_ALLOWED_ROOMS = 100;

/**
 * The rooms whose members may join, if a user's join depends on them; `undefined` if it does not, because the room has
 * no restricted join rule, or the user is joined, invited or banned (client-plane.md 5.3).
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

/** One of the rooms of `roomsThatAllow`. */
export interface AllowingRoom {
  readonly isKnown: boolean;
  /** Whether the joining user has joined it. */
  readonly isJoined: boolean;
}

/**
 * The users of this server who are listed in the power levels, or created the room, and whose level suffices to
 * authorise a join; the most powerful first. The caller checks whether they are joined.
 */
export function listedAuthorisers(
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

/** Whether a user of this server may authorise a join, which requires being joined and the level to invite. */
export function mayAuthoriseJoin(userId: string, version: RoomVersion, state: StateLookup): boolean {
  const levels = powerLevelsOf(state, version);
  return membershipOf(state, userId) === 'join' && levels.ofUser(userId) >= levels.toDo('invite');
}

/**
 * Returns why a restricted join is refused; `undefined` if it is not.
 *
 * @param authoriser a user for whom `mayAuthoriseJoin` holds, if there is one
 */
export function denyRestrictedJoin(
  rooms: readonly AllowingRoom[],
  authoriser: string | undefined,
): Denial | undefined {
  if (rooms.some(({ isKnown, isJoined }) => isKnown && isJoined)) {
    if (authoriser !== undefined) return undefined;
    return { refusal: 'unableToGrantJoin', message: 'No user of this server may authorise the join' };
  }
  return rooms.length > 0 && rooms.every(({ isKnown }) => !isKnown)
    ? { refusal: 'unableToAuthoriseJoin', message: 'No room whose members may join is known here' }
    : { refusal: 'forbidden', message: 'The user is in none of the rooms whose members may join' };
}
