import type { GetListingRequest } from '@steward/proto/steward/room/v1/directory_pb.ts';
import { existingRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';

/** Returns whether the directory lists a room (client-plane.md 7.11). */
export async function getListing(deps: Deps, { roomId }: GetListingRequest) {
  const room = await existingRoom(deps, roomId);
  return { visibility: room.public ? 'public' : 'private' };
}
