import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { SetStateRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { headers, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { orderEvent } from '../../core/orders/order-event.ts';
import { parseContent } from '../../core/protocol/mod.ts';

/** Sets a state event in the name of a local member. */
export async function setState(
  deps: Deps,
  { roomId, type, stateKey = '', content }: SetStateRequest,
  context: HandlerContext,
) {
  if (type === 'm.room.member') throw refuse.invalidParam('Memberships have requests of their own');
  return orderEvent(
    deps,
    {
      roomId,
      event: { type, state_key: stateKey, content: parseContent(content) },
      actor: requester(context).userId,
    },
    { traceparent: context.requestHeader.get(headers.traceparent) ?? '' },
  );
}
