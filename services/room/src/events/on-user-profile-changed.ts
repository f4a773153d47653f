import type { ReceivedEvent, userProfileChanged } from '@steward/events';
import { own, pick } from '@steward/kernel';
import { append } from '../core/aggregate/append.ts';
import type { Deps } from '../core/deps.ts';
import { profileOf } from '../core/membership/change-membership.ts';
import { membershipsOf } from '../core/membership/memberships-of.ts';
import type { ProfileKey } from '../core/model/event-document.ts';
import { GUEST_KIND, isGuestContent } from '../core/model/guest.ts';
import type { Profile } from '../core/protocol/mod.ts';
import { ownMember } from '../core/view/add-own-member.ts';
import type { RoomView } from '../core/view/room-view.ts';
import { forAll } from './for-all.ts';

/**
 * Updates a user's profile in every room that they have joined (client-plane.md 7.5). Uses the current profile, so that
 * neither the order nor the delay of the facts matters. A name or an avatar that the user has chosen for one room stays.
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
    await append(deps, room_id, (view) => showProfile(deps, view, userId, current), {
      traceparent,
      inBackground: true,
    });
  };
  await forAll(membershipsOf(deps, userId, 'join'), show, signal);
}

async function showProfile(deps: Deps, view: RoomView, userId: string, profile: Profile): Promise<void> {
  const current = await view.state('m.room.member', userId);
  if (!current || (await view.membership(userId)) !== 'join') return;
  const { content } = current.event;
  const ownProfile = await chosenIn(deps, view, current.eventId);
  const next = ownMember(userId, 'join', profile, {
    ...(isGuestContent(content) ? GUEST_KIND : {}),
    ...pick(content, ownProfile),
  });
  const isShown = (key: string) => (own(content, key) ?? null) === (own(next.content, key) ?? null);
  if (isShown('displayname') && isShown('avatar_url')) return;
  await view.add(next, { ownProfile });
}

/** What of their profile the user of a member event has chosen for its room. */
async function chosenIn(
  { events }: Pick<Deps, 'events'>,
  view: RoomView,
  eventId: string,
): Promise<readonly ProfileKey[]> {
  const added = view.admitted.find(({ event }) => event.eventId === eventId)?.document;
  const document = added ?? (await events.findOne({ _id: eventId }, { projection: { own_profile: 1 } }));
  return document?.own_profile ?? [];
}
