import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListRoomMediaRequest,
  ListRoomMediaResponseSchema,
} from '@steward/proto/steward/room/v1/media_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { roomMediaPage } from './room-media.ts';

/** Lists a page of the media in a room's events; for other services. */
export async function listRoomMedia(
  deps: Deps,
  { roomId, cursor }: ListRoomMediaRequest,
): Promise<MessageInitShape<typeof ListRoomMediaResponseSchema>> {
  const { uris, next } = await roomMediaPage(deps, roomId, cursor === undefined ? undefined : Number(cursor));
  return { uris: [...uris], ...(next === undefined ? {} : { nextCursor: BigInt(next) }) };
}
