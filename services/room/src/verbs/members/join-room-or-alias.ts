import type { HandlerContext } from '@connectrpc/connect';
import type { JoinRoomOrAliasRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import { resolveRoom } from '../../core/aliases/resolve-room.ts';
import type { Deps } from '../../core/deps.ts';
import { join } from './join.ts';

/** Joins a room that the client names by its id or an alias (client-plane.md 7.9). */
export async function joinRoomOrAlias(deps: Deps, request: JoinRoomOrAliasRequest, context: HandlerContext) {
  return join(deps, await resolveRoom(deps, request.roomIdOrAlias), request, context);
}
