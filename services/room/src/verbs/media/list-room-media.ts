import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListRoomMediaRequest,
  ListRoomMediaResponseSchema,
} from '@steward/proto/steward/room/v1/media_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { roomMediaPage } from './room-media.ts';

/** A page of the media that a room's events show, for other services. */
export async function listRoomMedia(
  deps: Deps,
  { roomId, cursor }: ListRoomMediaRequest,
): Promise<MessageInitShape<typeof ListRoomMediaResponseSchema>> {
  const { uris, next } = await roomMediaPage(deps, roomId, cursor === undefined ? undefined : Number(cursor));
  return { uris: [...uris], ...(next === undefined ? {} : { nextCursor: BigInt(next) }) };
}
