import type { HandlerContext } from '@connectrpc/connect';
import type { JoinRoomRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { join } from './join.ts';

/** Joins a room (client-plane.md 7.9). */
export async function joinRoom(deps: Deps, request: JoinRoomRequest, context: HandlerContext) {
  return join(deps, request.roomId, request, context);
}
