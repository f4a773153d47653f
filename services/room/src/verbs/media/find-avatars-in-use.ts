import { refuse } from '@steward/errors';
import type { FindAvatarsInUseRequest } from '@steward/proto/steward/room/v1/media_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** The most content URIs of one request. */
const MAX_URIS = 1_000;

/** Returns which content URIs were ever the avatar of a room or of a member (behaviour.md 5.1); for other services. */
export async function findAvatarsInUse(deps: Deps, { uris }: FindAvatarsInUseRequest) {
  if (uris.length > MAX_URIS) throw refuse.invalidParam(`At most ${MAX_URIS} avatars at once`);
  const inUse: string[] = [];
  for (const uri of new Set(uris)) {
    // One query for each URI: very many member events may have the same avatar, and one of them is enough.
    if (await deps.events.findOne({ avatar: uri }, { projection: { _id: 1 } })) inUse.push(uri);
  }
  return { uris: inUse };
}
