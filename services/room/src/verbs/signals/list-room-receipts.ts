import type { HandlerContext } from '@connectrpc/connect';
import type { ListRoomReceiptsRequest } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { existingRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { RECEIPT_TYPES } from '../../core/model/receipt.ts';
import { recordPrivateRead } from '../../core/visibility/record-private-read.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** Lists how far users have read a room, newest reading first; `m.fully_read` is account data and not among them. */
export async function listRoomReceipts(
  deps: Deps,
  { roomId, from = 0n, limit = BigInt(DEFAULT_LIMIT) }: ListRoomReceiptsRequest,
  context: HandlerContext,
) {
  const room = await existingRoom(deps, roomId);
  await recordPrivateRead(context, room);
  const filter = { room_id: roomId, type: { $in: RECEIPT_TYPES } };
  const total = await deps.receipts.countDocuments(filter);
  const skip = Number(from);
  const size = Math.min(Number(limit), MAX_LIMIT);
  const page =
    size === 0
      ? []
      : await deps.receipts.find(filter, { sort: { position: -1, _id: 1 }, skip, limit: size }).toArray();
  const next = skip + page.length;
  return {
    receipts: page.map(({ user_id, type, event_id, ts, thread_id }) => ({
      userId: user_id,
      type,
      eventId: event_id,
      ts: BigInt(ts),
      ...(thread_id === '' ? {} : { threadId: thread_id }),
    })),
    ...(page.length > 0 && next < total ? { nextToken: String(next) } : {}),
    total: BigInt(total),
  };
}
