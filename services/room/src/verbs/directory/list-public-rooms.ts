import type { HandlerContext } from '@connectrpc/connect';
import type { ListPublicRoomsRequest } from '@steward/proto/steward/room/v1/directory_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { directoryReader } from './directory-reader.ts';
import { publicRoomPage } from './public-room-page.ts';

/** Lists a page of the room directory (client-plane.md 7.11). */
export async function listPublicRooms(deps: Deps, request: ListPublicRoomsRequest, context: HandlerContext) {
  directoryReader(deps, context);
  return publicRoomPage(deps, request, {});
}
