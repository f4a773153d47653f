import { refuse } from '@steward/errors';
import { append } from '../aggregate/append.ts';
import { requireRoomId } from '../aliases/named-room.ts';
import type { Deps } from '../deps.ts';
import { toRoomEvent } from '../model/event-form.ts';
import { denyRedaction, type EventDraft, isEventId, type RoomVersion } from '../protocol/mod.ts';
import type { AppendOptions } from '../queues/append-job.ts';
import { addRedaction } from '../sending/add-redaction.ts';
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

/** An order to redact an event. */
export interface RedactionOrder extends Order {
  readonly eventId: string;
  readonly reason?: string | undefined;
}

/**
 * Redacts an event in the name of the most powerful local member who may, or of its sender. An event that is redacted already
 * stays so, and nothing is sent.
 *
 * @throws refuse.unknown, refuse.invalidParam for malformed ids; refuse.notFound for an unknown room, or an event that the room does not have;
 * refuse.unknown for an event that cannot be redacted, and when no local member may do it
 */
export async function orderRedaction(
  deps: Deps,
  order: RedactionOrder,
  options: AppendOptions = {},
): Promise<Ordered> {
  requireRoomId(order.roomId);
  if (!isEventId(order.eventId)) throw refuse.invalidParam('Not an event id');
  return append(deps, order.roomId, (view) => addOrdered(deps, view, order), appendOptionsOf(options));
}

async function addOrdered(deps: Deps, view: RoomView, order: RedactionOrder): Promise<Ordered> {
  const { roomId, eventId, reason } = order;
  const send = sendOptionsOf(order, eventId);
  const before = await carriedOut(deps, view, send);
  if (before) return before;
  const version = versionOf(view);
  const stored = await deps.events.findOne({ _id: eventId });
  if (stored?.arrival === undefined || stored.room_id !== roomId) throw refuse.notFound('Event not found');
  const earlier = stored.redacted_by ?? redactionIn(view, eventId);
  if (earlier !== undefined) return describe(deps, view, earlier, false);
  const target = toRoomEvent(stored);
  const draftOf = (sender: string) => redactionOf(version, { sender, eventId, reason });
  const state = await view.lookup([
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
  ]);
  const deny = async (redactor: string) => denyRedaction({ roomId, redactor, target }, version, state);
  const sender = await chooseSender(deps, view, version, draftOf, { last: stored.sender, deny });
  return { eventId: await addRedaction(deps, view, draftOf(sender), send), sender, changed: true };
}

/** The redaction of an event that was added to the same commit. */
function redactionIn(view: RoomView, eventId: string): string | undefined {
  return view.admitted.find(({ document }) => document.redacts === eventId)?.event.eventId;
}

/** A redaction has its target where the version of the room has it. */
function redactionOf(
  { redactsInContent }: RoomVersion,
  { sender, eventId, reason }: { sender: string; eventId: string; reason: string | undefined },
): EventDraft {
  const content = reason === undefined ? {} : { reason };
  const type = 'm.room.redaction';
  return redactsInContent
    ? { type, sender, content: { ...content, redacts: eventId } }
    : { type, sender, content, redacts: eventId };
}
