import type { HandlerContext } from '@connectrpc/connect';
import type { RedactEventRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { callId, headers, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { orderRedaction } from '../../core/orders/order-redaction.ts';
import { onlyTarget, orderMany } from './order-many.ts';

/** Redacts an event in the name of a local member, or creates the task that does it for several. */
export async function redactEvent(
  deps: Deps,
  { roomId, eventId: given, eventIds, reason }: RedactEventRequest,
  context: HandlerContext,
) {
  const eventId = onlyTarget({ one: given, many: eventIds, fields: ['event_id', 'event_ids'] });
  if (eventId === undefined)
    return orderMany(deps, { action: 'redact', roomId, targets: eventIds, reason }, context);
  const ordered = await orderRedaction(
    deps,
    {
      roomId,
      eventId,
      reason,
      actor: requester(context).owner,
      rights: requester(context),
      orderId: callId(context),
    },
    { traceparent: context.requestHeader.get(headers.traceparent) ?? '' },
  );
  return { redactionId: ordered.eventId, sender: ordered.sender, changed: ordered.changed };
}
