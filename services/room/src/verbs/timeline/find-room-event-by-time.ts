import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { clampToSafe } from '@steward/kernel';
import type { FindRoomEventByTimeRequest } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { existingRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { eventsByTime } from '../../core/timeline/events-by-time.ts';
import { recordPrivateRead } from '../../core/visibility/record-private-read.ts';

/** Finds the event of a room that is nearest to a time (behaviour.md 10.6). */
export async function findRoomEventByTime(
  deps: Deps,
  { roomId, ts, dir }: FindRoomEventByTimeRequest,
  context: HandlerContext,
) {
  const room = await existingRoom(deps, roomId);
  await recordPrivateRead(context, room);
  const until = room.arrival;
  const direction = dir === 'b' ? 'b' : 'f';
  const [nearest] = await eventsByTime(deps, { roomId, until, ts: clampToSafe(ts), direction }, 1);
  if (!nearest) throw refuse.notFound('No event was found in that direction');
  return { eventId: nearest._id, originServerTs: BigInt(nearest.origin_server_ts) };
}
