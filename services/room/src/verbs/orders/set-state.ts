import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { isObject } from '@steward/kernel';
import type { SetStateRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { callId, headers, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { orderEvent } from '../../core/orders/order-event.ts';
import { parseContent } from '../../core/protocol/mod.ts';

/** Sets a state event in the name of a local member. */
export async function setState(
  deps: Deps,
  { roomId, type, stateKey = '', content: text }: SetStateRequest,
  context: HandlerContext,
) {
  if (type === 'm.room.member') throw refuse.invalidParam('Memberships have requests of their own');
  const content: unknown = parseContent(text);
  if (!isObject(content)) throw refuse.badJson("'content' must be an object");
  return orderEvent(
    deps,
    {
      roomId,
      event: { type, state_key: stateKey, content },
      actor: requester(context).owner,
      rights: requester(context),
      orderId: callId(context),
    },
    { traceparent: context.requestHeader.get(headers.traceparent) ?? '' },
  );
}
