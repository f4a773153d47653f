import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import { optionalInt64 } from '@steward/kernel';
import type {
  GetMediaInfoRequest,
  GetMediaInfoResponseSchema,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { mediaKey } from '../../core/model/media.ts';

/** Returns everything stored about a medium (behaviour.md 13.6). */
export async function getMediaInfo(
  deps: Deps,
  { serverName, mediaId }: GetMediaInfoRequest,
): Promise<MessageInitShape<typeof GetMediaInfoResponseSchema>> {
  await deps.accessTimes.flush();
  const medium = await deps.media.findOne({ _id: mediaKey(serverName, mediaId), state: 'stored' });
  if (!medium) throw refuse.notFound('Media not found');
  const isLocal = medium.origin === deps.serverName;
  return {
    mediaInfo: {
      mediaOrigin: isLocal ? undefined : medium.origin,
      userId: medium.user_id ?? undefined,
      mediaId: medium.media_id,
      mediaType: medium.type,
      mediaLength: BigInt(medium.length),
      uploadName: medium.upload_name ?? undefined,
      createdTs: BigInt(medium.created_ts),
      filesystemId: isLocal ? undefined : (medium.blob ?? undefined),
      urlCache: medium.url_cache,
      lastAccessTs: optionalInt64(medium.last_access_ts),
      quarantinedBy: medium.quarantined_by ?? undefined,
      authenticated: medium.authenticated,
      safeFromQuarantine: isLocal ? medium.safe_from_quarantine : undefined,
      sha256: medium.sha256 ?? undefined,
    },
  };
}
