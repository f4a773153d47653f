import type { ReceivedEvent, userDeactivated } from '@steward/events';
import { removeInBatches } from '@steward/store';
import { append } from '../core/aggregate/append.ts';
import type { Deps } from '../core/deps.ts';
import { membershipsOf } from '../core/membership/memberships-of.ts';
import { isPresent, type MemberDocument, PRESENT } from '../core/model/member.ts';
import { firstEpochAt } from '../core/model/membership-epochs.ts';
import { loadEvents } from '../core/reading/load-events.ts';
import { addOwnMember, prepareOwnMembers } from '../core/view/add-own-member.ts';
import type { RoomView } from '../core/view/room-view.ts';
import { forAll } from './for-all.ts';

/**
 * Makes a deactivated user leave every room, and rejects invitations and knocks (behaviour.md 2.5, effects 7 and 10).
 * If the fact is received late, a user who was reactivated keeps the memberships that began since the deactivation.
 */
export async function onUserDeactivated(
  deps: Deps,
  { fact, timeMs, traceparent }: ReceivedEvent<typeof userDeactivated>,
  signal: AbortSignal,
): Promise<void> {
  const leave = (member: MemberDocument) =>
    append(deps, member.room_id, (view) => leaveFrom(view, member), { traceparent, inBackground: true });
  await forAll(membershipsToLeave(deps, fact.userId, timeMs), leave, signal);
  // Those since a reactivation stay, which takes more than a millisecond.
  await removeInBatches(deps.receipts, { user_id: fact.userId, ts: { $lte: timeMs } });
}

async function* membershipsToLeave(deps: Deps, userId: string, deactivatedMs: number) {
  for (const membership of PRESENT) {
    for await (const page of membershipsOf(deps, userId, membership)) {
      // Queried after the page: if the account is still deactivated, no membership of the page follows a reactivation.
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
  const firstLater = firstEpochAt(ms);
  // A member event may be a later change within a membership epoch.
  return page.filter(({ membership, stay, event_id }) =>
    membership === 'join' ? stay < firstLater : early.has(event_id),
  );
}

/** @throws Error when the membership has changed since it was read, so that the fact is delivered again */
async function leaveFrom(view: RoomView, { user_id: userId, event_id }: MemberDocument): Promise<void> {
  await prepareOwnMembers(view, [userId], 'leave');
  if (!isPresent(await view.membership(userId))) return;
  if ((await view.state('m.room.member', userId))?.eventId !== event_id) {
    throw new Error('The membership of a deactivated user has changed');
  }
  await addOwnMember(view, userId, 'leave');
}
