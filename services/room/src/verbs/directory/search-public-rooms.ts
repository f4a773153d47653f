import { refuse } from '@steward/errors';
import type { SearchPublicRoomsRequest } from '@steward/proto/steward/room/v1/directory_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { publicRoomPage } from './public-room-page.ts';

/** Lists a page of the rooms in the directory that match a filter (client-plane.md 7.11). */
export async function searchPublicRooms(deps: Deps, request: SearchPublicRoomsRequest) {
  const { genericSearchTerm, roomTypes } = request.filter ?? {};
  return publicRoomPage(deps, request, {
    term: genericSearchTerm?.toLowerCase(),
    types: roomTypes === undefined ? undefined : readTypes(roomTypes),
  });
}

function readTypes(text: string): ReadonlySet<string | null> {
  const types: unknown = JSON.parse(text);
  if (!Array.isArray(types) || !types.every((type) => type === null || typeof type === 'string')) {
    throw refuse.badJson("'room_types' must be a list of strings and nulls");
  }
  return new Set<string | null>(types);
}
