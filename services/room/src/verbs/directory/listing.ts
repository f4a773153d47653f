import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { GetListingRequest, PutListingRequest } from '@steward/proto/steward/room/v1/directory_pb.ts';
import { existingRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { requireCurator } from '../../core/refusals/require-directory-editor.ts';

/** Whether the directory lists a room (client-plane.md 7.11). */
export async function getListing(deps: Deps, { roomId }: GetListingRequest) {
  const room = await existingRoom(deps, roomId);
  return { visibility: room.public ? 'public' : 'private' };
}

/** Has the directory list a room, or not, for those who say how it is found (client-plane.md 7.11). */
export async function putListing(deps: Deps, request: PutListingRequest, context: HandlerContext) {
  const isPublic = request.visibility !== 'private';
  const room = await existingRoom(deps, request.roomId);
  await requireCurator(deps, room, context);
  if (isPublic && !deps.settings.publicRooms.enabled)
    throw refuse.forbidden('This server has no room directory');
  // Nothing that is decided about a room looks at this, so it needs no version of its own.
  await deps.rooms.updateOne({ _id: room._id }, { $set: { public: isPublic } });
  return {};
}
