import type { ReceivedEvent, userDeactivated } from '@steward/events';
import { append } from '../core/aggregate/append.ts';
import type { Deps } from '../core/deps.ts';
import { placesOf } from '../core/membership/memberships-of.ts';
import { isPresent, type MemberDocument, PRESENT } from '../core/model/member.ts';
import { firstStayAt } from '../core/model/membership-epochs.ts';
import { loadEvents } from '../core/reading/load-events.ts';
import { addOwnMember, prepareOwnMembers } from '../core/view/add-own-member.ts';
import type { RoomView } from '../core/view/room-view.ts';
import { forAll } from './for-all.ts';

/**
 * Makes a deactivated user leave every room, and rejects invitations and knocks (behaviour.md 2.5, effects 7
 * and 10). However late it is heard of, somebody who has become active again stays where they came to since.
 */
export async function onUserDeactivated(
  deps: Deps,
  { fact, timeMs, traceparent }: ReceivedEvent<typeof userDeactivated>,
  signal: AbortSignal,
): Promise<void> {
  const leave = (place: MemberDocument) =>
    append(deps, place.room_id, (view) => leaveFrom(view, place), { traceparent, inBackground: true });
  await forAll(placesToLeave(deps, fact.userId, timeMs), leave, signal);
}

async function* placesToLeave(deps: Deps, userId: string, deactivatedMs: number) {
  for (const membership of PRESENT) {
    for await (const page of placesOf(deps, userId, membership)) {
      // Asked only now: all on the page is from before an account that is still deactivated becomes active.
      const deactivated = await deps.users.deactivated([userId]);
      yield deactivated.has(userId) ? page : await begunBefore(deps, page, deactivatedMs);
    }
  }
}

async function begunBefore(
  deps: Deps,
  page: readonly MemberDocument[],
  ms: number,
): Promise<readonly MemberDocument[]> {
  const events = await loadEvents(
    deps,
    page.map(({ event_id }) => event_id),
  );
  const early = new Set(events.flatMap(({ _id, received_ts }) => (received_ts < ms ? [_id] : [])));
  const firstLater = firstStayAt(ms);
  // A member event may be a later change within a stay.
  return page.filter(({ membership, stay, event_id }) =>
    membership === 'join' ? stay < firstLater : early.has(event_id),
  );
}

/**
 * @throws Error when the user has become something else there meanwhile; whether they are to leave must be
 * looked at again
 */
async function leaveFrom(view: RoomView, { user_id: userId, event_id }: MemberDocument): Promise<void> {
  await prepareOwnMembers(view, [userId], 'leave');
  if (!isPresent(await view.membership(userId))) return;
  if ((await view.state('m.room.member', userId))?.eventId !== event_id) {
    throw new Error('The membership of a deactivated user has changed meanwhile');
  }
  await addOwnMember(view, userId, 'leave');
}
