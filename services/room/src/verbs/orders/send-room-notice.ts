import type { HandlerContext } from '@connectrpc/connect';
import type { SendRoomNoticeRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { callId, headers, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { orderEvent } from '../../core/orders/order-event.ts';

/** Sends a notice in the name of a local member. */
export async function sendRoomNotice(
  deps: Deps,
  { roomId, body }: SendRoomNoticeRequest,
  context: HandlerContext,
) {
  return orderEvent(
    deps,
    {
      roomId,
      event: { type: 'm.room.message', content: { msgtype: 'm.notice', body } },
      actor: requester(context).owner,
      rights: requester(context),
      orderId: callId(context),
    },
    { traceparent: context.requestHeader.get(headers.traceparent) ?? '' },
  );
}
