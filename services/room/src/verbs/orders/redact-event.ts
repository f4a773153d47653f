import type { HandlerContext } from '@connectrpc/connect';
import type { Planned } from '@steward/plans';
import type { RedactEventRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { callId, headers, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { orderRedaction, planRedaction, type RedactionOrder } from '../../core/orders/order-redaction.ts';
import { checkedTargets, onlyTarget, orderMany } from './order-many.ts';

/** Redacts an event in the name of a local member, or creates the task that does it for several. */
export async function redactEvent(deps: Deps, request: RedactEventRequest, context: HandlerContext) {
  const { roomId, eventIds, reason } = request;
  const eventId = targetOf(request);
  if (eventId === undefined)
    return orderMany(deps, { action: 'redact', roomId, targets: eventIds, reason }, context);
  const ordered = await orderRedaction(deps, orderOf(request, context, eventId), {
    traceparent: context.requestHeader.get(headers.traceparent) ?? '',
  });
  return { redactionId: ordered.eventId, sender: ordered.sender, changed: ordered.changed };
}

/** Plans `redactEvent`. */
export async function planRedactEvent(
  deps: Deps,
  request: RedactEventRequest,
  context: HandlerContext,
): Promise<Planned> {
  const { roomId, eventIds } = request;
  const eventId = targetOf(request);
  const targets =
    eventId === undefined
      ? await checkedTargets(deps, { action: 'redact', roomId, targets: eventIds })
      : [eventId];
  const unredacted = { _id: { $in: targets }, room_id: roomId, redacted_by: { $exists: false } };
  const count =
    eventId === undefined
      ? await deps.events.countDocuments(unredacted)
      : Number((await planRedaction(deps, orderOf(request, context, eventId))).changed);
  return {
    changes: [{ kind: 'events', change: 'changed', count }],
    sample: targets.map((id) => ({ kind: 'event', id })),
    irreversible: count > 0 ? ['contents'] : [],
  };
}

function targetOf({ eventId, eventIds }: RedactEventRequest): string | undefined {
  return onlyTarget({ one: eventId, many: eventIds, fields: ['event_id', 'event_ids'] });
}

function orderOf(
  { roomId, reason }: RedactEventRequest,
  context: HandlerContext,
  eventId: string,
): RedactionOrder {
  const caller = requester(context);
  return { roomId, eventId, reason, actor: caller.owner, rights: caller, orderId: callId(context) };
}
