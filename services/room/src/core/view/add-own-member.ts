import type { JsonObject } from '@steward/kernel';
import {
  authStateKeys,
  type EventDraft,
  type Membership,
  memberContent,
  type Profile,
} from '../protocol/mod.ts';
import type { RoomView } from './room-view.ts';

/**
 * Adds a member event that the server sends in the name of a user: rate limits and conditions of the account do not
 * apply, only the rules of the room.
 *
 * @param given further content besides membership and profile
 */
export async function addOwnMember(
  view: RoomView,
  userId: string,
  membership: Membership,
  profile: Profile = {},
  given: JsonObject = {},
): Promise<void> {
  await view.add(ownMember(userId, membership, profile, given));
}

/** Reads the state on which the member events of users depend, with a constant number of queries. */
export async function prepareOwnMembers(
  view: RoomView,
  userIds: readonly string[],
  membership: Membership,
): Promise<void> {
  await view.prepare(userIds.flatMap((userId) => authStateKeys(ownMember(userId, membership))));
}

/** The member event of a user that the server sends in the name of this user. */
export function ownMember(
  userId: string,
  membership: Membership,
  profile: Profile = {},
  given: JsonObject = {},
): EventDraft {
  const content = memberContent(membership, profile, given);
  return { type: 'm.room.member', state_key: userId, sender: userId, content };
}
