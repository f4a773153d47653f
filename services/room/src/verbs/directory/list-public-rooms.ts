import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { ListPublicRoomsRequest } from '@steward/proto/steward/room/v1/directory_pb.ts';
import { requesterKey } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { publicRoomPage } from './public-room-page.ts';

/** Lists a page of the room directory (client-plane.md 7.11). */
export async function listPublicRooms(deps: Deps, request: ListPublicRoomsRequest, context: HandlerContext) {
  if (deps.settings.publicRooms.requireAuth && !context.values.get(requesterKey)) {
    throw refuse.missingToken('Missing access token');
  }
  return publicRoomPage(deps, request, {});
}
