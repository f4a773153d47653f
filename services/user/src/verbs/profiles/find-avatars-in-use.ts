import { refuse } from '@steward/errors';
import type { FindAvatarsInUseRequest } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** The maximum of content URIs in one request. */
const MAX_URIS = 1_000;

/** Returns which of some content URIs are the avatar of a user of this server, for other services. */
export async function findAvatarsInUse(deps: Deps, { uris }: FindAvatarsInUseRequest) {
  if (uris.length > MAX_URIS) throw refuse.invalidParam(`At most ${MAX_URIS} avatars may be named`);
  const inUse: string[] = [];
  for (const uri of new Set(uris)) {
    // One query per URI: very many users may have the same avatar, and finding one of them is enough.
    if (await deps.accounts.findOne({ avatar_url: uri }, { projection: { _id: 1 } })) inUse.push(uri);
  }
  return { uris: inUse };
}
