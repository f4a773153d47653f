import { type JsonObject, own, ownString } from '@steward/kernel';
import { type Denial, forbidden } from './denial.ts';
import type { Membership, StateLookup } from './event.ts';

/** A change of another user's membership that has its own endpoint. */
export type MembershipAction = 'ban' | 'invite' | 'kick' | 'unban';

/** The profile of a user. */
export interface Profile {
  readonly displayName?: string | null;
  readonly avatarUrl?: string | null;
}

/**
 * Returns why an action does not apply to a membership; `undefined` if the rules of the room decide (client-plane.md
 * 5.2). The rules cannot distinguish a kick from lifting a ban, because both set the membership `leave`.
 */
export function denyMembershipAction(
  action: MembershipAction,
  before: Membership | undefined,
): Denial | undefined {
  if (action === 'unban' && before !== 'ban') {
    return { refusal: 'badState', message: 'The user is not banned' };
  }
  if (action === 'kick' && (before === undefined || before === 'leave' || before === 'ban')) {
    return forbidden('The user is not in the room');
  }
  return undefined;
}

/** Returns why a guest may not join; `undefined` if guests may (client-plane.md 5.3). */
export function denyGuestJoin(state: StateLookup): Denial | undefined {
  const access = ownString(state('m.room.guest_access', '')?.event.content, 'guest_access');
  return access === 'can_join' ? undefined : forbidden('Guests may not join this room');
}

/** The memberships whose member events show the profile of the target. */
const SHOWS_PROFILE: ReadonlySet<Membership> = new Set(['invite', 'join', 'knock']);

/**
 * The content of a member event (client-plane.md 5.2): the content from the client, and the target's profile unless the
 * client gives one. An authoriser in the content from the client is removed.
 *
 * @param profile the profile of the target
 * @param authoriser the member who authorises a restricted join
 */
export function memberContent(
  membership: Membership,
  profile: Profile,
  given: JsonObject = {},
  authoriser?: string,
): JsonObject {
  const { join_authorised_via_users_server: _, ...kept } = given;
  const { displayName, avatarUrl } = SHOWS_PROFILE.has(membership) ? profile : {};
  return {
    ...(displayName && own(given, 'displayname') === undefined ? { displayname: displayName } : {}),
    ...(avatarUrl && own(given, 'avatar_url') === undefined ? { avatar_url: avatarUrl } : {}),
    ...kept,
    membership,
    ...(authoriser === undefined ? {} : { join_authorised_via_users_server: authoriser }),
  };
}
