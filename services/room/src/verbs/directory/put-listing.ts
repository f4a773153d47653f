import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { PutListingRequest } from '@steward/proto/steward/room/v1/directory_pb.ts';
import { existingRoom } from '../../core/aggregate/load-room.ts';
import { rooms } from '../../core/aggregate/rooms.ts';
import type { Deps } from '../../core/deps.ts';
import { facetAfter } from '../../core/model/room-facet.ts';
import { requireDirectoryEditor } from '../../core/refusals/require-directory-editor.ts';

/** Adds a room to the directory or removes it; allowed to its directory editors (client-plane.md 7.11). */
export async function putListing(deps: Deps, request: PutListingRequest, context: HandlerContext) {
  const isPublic = request.visibility !== 'private';
  const room = await existingRoom(deps, request.roomId);
  await requireDirectoryEditor(deps, room, context);
  if (isPublic && !deps.settings.publicRooms.enabled)
    throw refuse.forbidden('This server has no room directory');
  await rooms.change(deps, room._id, (current) =>
    current.public === isPublic
      ? undefined
      : { set: { public: isPublic, ...facetAfter(current, { public: isPublic }) } },
  );
  return {};
}
