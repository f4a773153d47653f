import type { HandlerContext } from '@connectrpc/connect';
import type { ListRoomStateRequest } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { existingRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { SEES_ALL, toClientEvents } from '../../core/reading/client-events.ts';
import { stateAt } from '../../core/reading/state-at.ts';
import { recordPrivateRead } from '../../core/visibility/record-private-read.ts';

/** Lists the current state of a room, or its events of one type (behaviour.md 10.4, 13.5). */
export async function listRoomState(
  deps: Deps,
  { roomId, type }: ListRoomStateRequest,
  context: HandlerContext,
) {
  const room = await existingRoom(deps, roomId);
  await recordPrivateRead(context, room);
  const { arrival } = room;
  const state: string[] = [];
  for await (const page of stateAt(deps, { roomId, arrival }, type || undefined)) {
    state.push(
      ...(await toClientEvents(deps, page, { judgeReplaced: SEES_ALL, form: 'admin', showsOrders: true })),
    );
  }
  return { state };
}
