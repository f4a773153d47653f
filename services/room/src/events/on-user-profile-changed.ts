import type { ReceivedEvent, userProfileChanged } from '@steward/events';
import { own } from '@steward/kernel';
import { append } from '../core/aggregate/append.ts';
import type { Deps } from '../core/deps.ts';
import { profileOf } from '../core/membership/change-membership.ts';
import { membershipsOf } from '../core/membership/memberships-of.ts';
import { GUEST_KIND, isGuestContent } from '../core/model/guest.ts';
import type { Profile } from '../core/protocol/mod.ts';
import { addOwnMember } from '../core/view/add-own-member.ts';
import type { RoomView } from '../core/view/room-view.ts';
import { forAll } from './for-all.ts';

/**
 * Updates a user's profile in every room that they have joined (client-plane.md 7.5). Uses the current profile, so that
 * neither the order nor the delay of the facts matters.
 */
export async function onUserProfileChanged(
  deps: Deps,
  { fact, traceparent }: ReceivedEvent<typeof userProfileChanged>,
  signal: AbortSignal,
): Promise<void> {
  const { userId, roomsUnaware } = fact;
  if (roomsUnaware) return;
  // Read with the first room, because many users are in none.
  let profile: Promise<Profile> | undefined;
  const show = async ({ room_id }: { room_id: string }) => {
    profile ??= profileOf(deps, userId);
    const current = await profile;
    await append(deps, room_id, (view) => showProfile(view, userId, current), {
      traceparent,
      inBackground: true,
    });
  };
  await forAll(membershipsOf(deps, userId, 'join'), show, signal);
}

async function showProfile(view: RoomView, userId: string, profile: Profile): Promise<void> {
  const current = await view.state('m.room.member', userId);
  if (!current || (await view.membership(userId)) !== 'join') return;
  const { content } = current.event;
  const shown = (key: string) => own(content, key) ?? null;
  if (shown('displayname') === profile.displayName && shown('avatar_url') === profile.avatarUrl) return;
  await addOwnMember(view, userId, 'join', profile, isGuestContent(content) ? GUEST_KIND : {});
}
