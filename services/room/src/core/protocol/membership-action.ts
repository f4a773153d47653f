import { type JsonObject, own, ownString } from '@steward/kernel';
import { type Denial, forbidden } from './denial.ts';
import type { Membership, StateLookup } from './event.ts';

/** What one user does to another by a path of its own. */
export type MembershipAction = 'ban' | 'invite' | 'kick' | 'unban';

/** What somebody is called and looks like everywhere. */
export interface Profile {
  readonly displayName?: string | null;
  readonly avatarUrl?: string | null;
}

/**
 * Why an action has nothing to act on; `undefined` when the rules of the room decide (client-plane.md 5.2).
 * Both a kick and the lifting of a ban end as the membership `leave`, so the rules alone cannot tell them
 * apart.
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

/** Why a guest may not join; `undefined` when they may (client-plane.md 5.3). */
export function denyGuestJoin(state: StateLookup): Denial | undefined {
  const access = ownString(state('m.room.guest_access', '')?.event.content, 'guest_access');
  return access === 'can_join' ? undefined : forbidden('Guests may not join this room');
}

/** The memberships that show the profile of whoever they are about. */
const SHOWS_PROFILE: ReadonlySet<Membership> = new Set(['invite', 'join', 'knock']);

/**
 * The content of a member event (client-plane.md 5.2): what the client gave, the target's profile where it
 * gave none, and never a claim that somebody vouches for the join.
 *
 * @param profile that of the target
 * @param authoriser who vouches for a join that needs it
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
