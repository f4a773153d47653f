import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  GetRoomNamesRequest,
  GetRoomNamesResponseSchema,
} from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** The most rooms of a request. */
const MAX_ROOMS = 100;

/** Returns the names of rooms; rooms that this server does not know are left out. */
export async function getRoomNames(
  deps: Deps,
  { roomId: roomIds }: GetRoomNamesRequest,
): Promise<MessageInitShape<typeof GetRoomNamesResponseSchema>> {
  if (roomIds.length > MAX_ROOMS) throw refuse.invalidParam(`'room_id' is given at most ${MAX_ROOMS} times`);
  const found = await deps.rooms
    .find({ _id: { $in: roomIds } }, { projection: { name: 1, canonical_alias: 1, avatar: 1, room_type: 1 } })
    .toArray();
  const rooms = found.map(({ _id: id, name, canonical_alias: alias, avatar, room_type: type }) => [
    id,
    {
      name: name ?? undefined,
      canonicalAlias: alias ?? undefined,
      avatar: avatar ?? undefined,
      roomType: type ?? undefined,
    },
  ]);
  return { rooms: Object.fromEntries(rooms) };
}
