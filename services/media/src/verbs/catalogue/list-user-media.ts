import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { optionalInt64 } from '@steward/kernel';
import type {
  ListUserMediaRequest,
  ListUserMediaResponseSchema,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { selectUserMedia } from '../../core/user-media.ts';

/** Returns a page of a user's media (behaviour.md 4.1). */
export async function listUserMedia(
  deps: Deps,
  request: ListUserMediaRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof ListUserMediaResponseSchema>> {
  const { media, total, next } = await selectUserMedia(deps, request, context);
  return {
    media: media.map((medium) => ({
      createdTs: BigInt(medium.created_ts),
      lastAccessTs: optionalInt64(medium.last_access_ts),
      mediaId: medium.media_id,
      mediaLength: BigInt(medium.length),
      mediaType: medium.type,
      quarantinedBy: medium.quarantined_by ?? undefined,
      safeFromQuarantine: medium.safe_from_quarantine,
      uploadName: medium.upload_name ?? undefined,
    })),
    total: BigInt(total),
    ...(next === undefined ? {} : { nextToken: BigInt(next) }),
  };
}
