import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  DeleteMediaBeforeRequest,
  DeleteMediaBeforeResponseSchema,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import type { Deps } from '../../core/deps.ts';
import type { Media } from '../../core/model/media.ts';
import { clampToSafe } from '../../core/page.ts';
import { removeMedia } from '../../core/remove-media.ts';
import { unusedMedia } from './unused-media.ts';

/** Excludes media that are quarantined or protected from quarantine. */
const UNTOUCHED = { quarantined_by: null, safe_from_quarantine: false } as const;

/** Deletes media of this server by last use and size, without avatars unless the request says otherwise (behaviour.md 5.1). */
export async function deleteMediaBefore(
  deps: Deps,
  request: DeleteMediaBeforeRequest,
): Promise<MessageInitShape<typeof DeleteMediaBeforeResponseSchema>> {
  const { serverName } = deps;
  if (request.serverName !== undefined && request.serverName !== serverName) {
    throw refuse.unknown('This concerns media of this server only');
  }
  const beforeTs = clampToSafe(request.beforeTs);
  const sizeGt = clampToSafe(request.sizeGt ?? 0n);
  const deletedMedia: string[] = [];
  for await (const some of unusedMedia(deps, { origin: serverName }, beforeTs)) {
    const large = some.filter(
      (medium) => medium.length > sizeGt && medium.quarantined_by === null && !medium.safe_from_quarantine,
    );
    const going = (request.keepProfiles ?? true) ? await withoutAvatars(deps, large) : large;
    if (going.length === 0) continue;
    const keys = going.map(({ _id }) => _id);
    for (const { media_id } of await removeMedia(deps, keys, UNTOUCHED)) deletedMedia.push(media_id);
  }
  return { deletedMedia, total: BigInt(deletedMedia.length) };
}

/** Returns the media that are not the avatar of an account, room or member. */
async function withoutAvatars(deps: Deps, media: readonly Media[]): Promise<readonly Media[]> {
  if (media.length === 0) return media;
  const uris = media.map(uriOf);
  const inUse = new Set(
    (await Promise.all([deps.users.avatarsInUse(uris), deps.rooms.avatarsInUse(uris)])).flat(),
  );
  return media.filter((medium) => !inUse.has(uriOf(medium)));
}

function uriOf({ origin, media_id }: Media): string {
  return `mxc://${origin}/${media_id}`;
}
