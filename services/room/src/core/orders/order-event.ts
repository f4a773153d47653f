import { append } from '../aggregate/append.ts';
import { requireRoomId } from '../aliases/named-room.ts';
import type { Deps } from '../deps.ts';
import { refuseNoticeRoom } from '../notices/notice-rooms.ts';
import type { EventDraft } from '../protocol/mod.ts';
import type { AppendOptions } from '../queues/append-job.ts';
import { addChecked } from '../sending/add-checked.ts';
import type { RoomView } from '../view/room-view.ts';
import { chooseSender } from './choose-sender.ts';
import {
  appendOptionsOf,
  carriedOut,
  describe,
  type Order,
  type Ordered,
  sendOptionsOf,
  versionOf,
} from './order.ts';

/** An order to send an event: a message, or a change of the state other than a membership. */
export interface EventOrder extends Order {
  readonly event: Omit<EventDraft, 'sender' | 'redacts'>;
}

/**
 * Sends an event in the name of the most powerful local member who may send it. State that the room has already is not
 * sent again.
 *
 * @throws refuse.notFound for an unknown room; refuse.forbidden for one of server notices; refuse.unknown when no local member may send
 * it; the refusal of content that is not
 * valid for its type; refuse.forbidden when only members over whom the caller has no authority could send it
 */
export async function orderEvent(
  deps: Deps,
  order: EventOrder,
  options: AppendOptions = {},
): Promise<Ordered> {
  requireRoomId(order.roomId);
  return append(deps, order.roomId, (view) => addOrdered(deps, view, order), appendOptionsOf(options));
}

async function addOrdered(deps: Deps, view: RoomView, order: EventOrder): Promise<Ordered> {
  const { type, state_key: stateKey } = order.event;
  const send = sendOptionsOf(order, JSON.stringify([type, stateKey ?? null]));
  const before = await carriedOut(deps, view, send);
  if (before) return before;
  await refuseNoticeRoom(deps, view.room);
  const version = versionOf(view);
  const draftOf = (sender: string): EventDraft => ({ ...order.event, sender });
  const { sender, showsOrder } = await chooseSender(deps, view, version, order, draftOf, { speaks: true });
  const added = view.admitted.length;
  const eventId = await addChecked(deps, view, draftOf(sender), { ...send, showsOrder });
  return describe(deps, view, eventId, view.admitted.length > added);
}
