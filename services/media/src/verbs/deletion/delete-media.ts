import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  DeleteMediaRequest,
  DeleteMediaResponseSchema,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { requester, requireAuthority } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { mediaKey } from '../../core/model/media.ts';
import { removeMedia } from '../../core/remove-media.ts';

/** Deletes one medium of this server (behaviour.md 5). */
export async function deleteMedia(
  deps: Deps,
  { serverName, mediaId }: DeleteMediaRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof DeleteMediaResponseSchema>> {
  if (serverName !== deps.serverName) throw refuse.unknown('This works with media of this server only');
  const key = mediaKey(serverName, mediaId);
  const medium = await deps.media.findOne({ _id: key }, { projection: { user_id: 1 } });
  await requireAuthority(deps.authority, requester(context), [medium?.user_id]);
  const removed = await removeMedia(deps, [key]);
  // A remaining record could not be removed; without one the medium did not exist, or another request removed it.
  if (removed.length === 0 && !(await deps.media.findOne({ _id: key }, { projection: { _id: 1 } }))) {
    throw refuse.notFound('Media not found');
  }
  return { deletedMedia: removed.map(({ media_id }) => media_id), total: BigInt(removed.length) };
}
