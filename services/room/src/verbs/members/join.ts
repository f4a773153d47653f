import type { HandlerContext } from '@connectrpc/connect';
import type { JoinRoomOrAliasRequest, JoinRoomRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import { headers, requester } from '@steward/rpc';
import { resolveRoom } from '../../core/aliases/resolve-room.ts';
import type { Deps } from '../../core/deps.ts';
import { enterRoom } from '../../core/membership/enter-room.ts';

/** Joins a room that is named by its id or an alias (client-plane.md 7.9). */
export async function joinRoomOrAlias(deps: Deps, request: JoinRoomOrAliasRequest, context: HandlerContext) {
  const roomId = await resolveRoom(deps, request.roomIdOrAlias);
  return join(deps, roomId, request.reason, context);
}

/** Joins a room (client-plane.md 7.9). */
export async function joinRoom(deps: Deps, request: JoinRoomRequest, context: HandlerContext) {
  return join(deps, request.roomId, request.reason, context);
}

async function join(deps: Deps, roomId: string, reason: string | undefined, context: HandlerContext) {
  const given = reason === undefined ? {} : { reason };
  await enterRoom(deps, requester(context), roomId, given, context.requestHeader.get(headers.traceparent));
  return { roomId };
}
