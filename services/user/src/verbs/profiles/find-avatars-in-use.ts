import { refuse } from '@steward/errors';
import type { FindAvatarsInUseRequest } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** As many content URIs as a service may ask about at once. */
const MAX_URIS = 1_000;

/** Which of some content URIs are the avatar of a user of this server, for other services. */
export async function findAvatarsInUse(deps: Deps, { uris }: FindAvatarsInUseRequest) {
  if (uris.length > MAX_URIS) throw refuse.invalidParam(`At most ${MAX_URIS} avatars at once`);
  const inUse: string[] = [];
  for (const uri of new Set(uris)) {
    // One by one: an avatar may be that of very many users, of whom one is enough.
    if (await deps.accounts.findOne({ avatar_url: uri }, { projection: { _id: 1 } })) inUse.push(uri);
  }
  return { uris: inUse };
}
