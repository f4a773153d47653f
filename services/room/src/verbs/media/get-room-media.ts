import type { MessageInitShape } from '@bufbuild/protobuf';
import { parseContentUri } from '@steward/kernel';
import type {
  GetRoomMediaRequest,
  GetRoomMediaResponseSchema,
} from '@steward/proto/steward/room/v1/media_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { roomMediaPage } from './room-media.ts';

/** Lists all media in a room's events, separated into media of this server and of other servers (behaviour.md 5). */
export async function getRoomMedia(
  deps: Deps,
  { roomId }: GetRoomMediaRequest,
): Promise<MessageInitShape<typeof GetRoomMediaResponseSchema>> {
  const seen = new Set<string>();
  let before: number | undefined;
  do {
    const page = await roomMediaPage(deps, roomId, before);
    for (const uri of page.uris) seen.add(uri);
    before = page.next;
  } while (before !== undefined);
  const { local = [], remote = [] } = Object.groupBy(seen, (uri) =>
    parseContentUri(uri)?.serverName === deps.serverName ? 'local' : 'remote',
  );
  return { local, remote };
}
