import type { ReceivedEvent, roomGuestAccessWithdrawn } from '@steward/events';
import { append } from '../core/aggregate/append.ts';
import type { Deps } from '../core/deps.ts';
import { toRoomEvent } from '../core/model/event-form.ts';
import { isGuestContent } from '../core/model/guest.ts';
import { denyGuestJoin } from '../core/protocol/mod.ts';
import { loadEvents } from '../core/reading/load-events.ts';
import { addOwnMember } from '../core/view/add-own-member.ts';
import type { RoomView } from '../core/view/room-view.ts';
import { forAll } from './for-all.ts';

/** Members that are read with one query. */
const PAGE = 500;

/** Makes the guests in a room leave, unless guests may join again by now (client-plane.md 5.3). */
export async function onGuestAccessWithdrawn(
  deps: Deps,
  { fact: { roomId }, traceparent }: ReceivedEvent<typeof roomGuestAccessWithdrawn>,
  signal: AbortSignal,
): Promise<void> {
  const leave = (userId: string) =>
    append(deps, roomId, (view) => leaveAsGuest(view, userId), { traceparent, inBackground: true });
  await forAll(guestsIn(deps, roomId), leave, signal);
}

async function* guestsIn(deps: Deps, roomId: string): AsyncGenerator<readonly string[]> {
  let after = '';
  for (;;) {
    const page = await deps.members
      .find(
        { room_id: roomId, membership: 'join', user_id: { $gt: after }, local: true },
        { sort: { user_id: 1 }, limit: PAGE, projection: { user_id: 1, event_id: 1 } },
      )
      .toArray();
    const last = page.at(-1);
    if (!last) return;
    after = last.user_id;
    const events = await loadEvents(
      deps,
      page.map(({ event_id }) => event_id),
    );
    yield events.flatMap((event) =>
      isGuestContent(toRoomEvent(event).event.content) ? (event.state_key ?? []) : [],
    );
  }
}

async function leaveAsGuest(view: RoomView, userId: string): Promise<void> {
  if (!denyGuestJoin(await view.lookup([['m.room.guest_access', '']]))) return;
  if ((await view.membership(userId)) === 'join') await addOwnMember(view, userId, 'leave');
}
