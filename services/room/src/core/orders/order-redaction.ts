import { refuse } from '@steward/errors';
import { requireAuthority } from '@steward/rpc';
import { append } from '../aggregate/append.ts';
import { planAppend } from '../aggregate/plan-append.ts';
import { requireRoomId } from '../aliases/named-room.ts';
import type { Deps } from '../deps.ts';
import { isEventId } from '../protocol/mod.ts';
import type { AppendOptions } from '../queues/append-job.ts';
import type { RoomView } from '../view/room-view.ts';
import { addOrderedRedaction } from './add-ordered-redaction.ts';
import { appendOptionsOf, carriedOut, type Order, type Ordered, sendOptionsOf } from './order.ts';

/** An order to redact an event. */
export interface RedactionOrder extends Order {
  readonly eventId: string;
  readonly reason?: string | undefined;
}

/**
 * Redacts an event in the name of the most powerful local member who may, of its sender, or of the administrator, see `chooseRedactor`. An
 * event that is redacted already stays so, and nothing is sent.
 *
 * @throws refuse.unknown, refuse.invalidParam for malformed ids; refuse.notFound for an unknown room, or an event that the room does not have;
 * refuse.unknown for an event that cannot be redacted, and when there is none in whose name the server may speak
 */
export async function orderRedaction(
  deps: Deps,
  order: RedactionOrder,
  options: AppendOptions = {},
): Promise<Ordered> {
  requireIds(order);
  return append(deps, order.roomId, (view) => addOrdered(deps, view, order), appendOptionsOf(options));
}

/** Plans `orderRedaction`. */
export async function planRedaction(deps: Deps, order: RedactionOrder): Promise<Ordered> {
  requireIds(order);
  return planAppend(deps, order.roomId, (view) => addOrdered(deps, view, order), appendOptionsOf({}));
}

function requireIds({ roomId, eventId }: RedactionOrder): void {
  requireRoomId(roomId);
  if (!isEventId(eventId)) throw refuse.invalidParam('Not an event id');
}

async function addOrdered(deps: Deps, view: RoomView, order: RedactionOrder): Promise<Ordered> {
  const { roomId, eventId, reason } = order;
  const send = sendOptionsOf(order, eventId);
  const before = await carriedOut(deps, view, send);
  if (before) return before;
  const stored = await deps.events.findOne({ _id: eventId });
  if (stored?.arrival === undefined || stored.room_id !== roomId) throw refuse.notFound('Event not found');
  await requireAuthority(deps.authority, order.rights, [stored.sender]);
  return addOrderedRedaction(deps, view, { stored, reason, rights: order.rights }, send);
}
