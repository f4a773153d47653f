import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { Planned } from '@steward/plans';
import type {
  DeleteMediaRequest,
  DeleteMediaResponseSchema,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { requester, requireAuthority } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { type Media, mediaKey } from '../../core/model/media.ts';
import { removalPlan } from '../../core/removal-plan.ts';
import { removeMedia } from '../../core/remove-media.ts';

/** Deletes one medium of this server (behaviour.md 5). */
export async function deleteMedia(
  deps: Deps,
  request: DeleteMediaRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof DeleteMediaResponseSchema>> {
  await check(deps, request, context);
  const key = mediaKey(request.serverName, request.mediaId);
  const removed = await removeMedia(deps, [key]);
  // A remaining record could not be removed; without one the medium did not exist, or another request removed it.
  if (removed.length === 0 && !(await deps.media.findOne({ _id: key }, { projection: { _id: 1 } }))) {
    throw refuse.notFound('Media not found');
  }
  return { deletedMedia: removed.map(({ media_id }) => media_id), total: BigInt(removed.length) };
}

/** Plans `deleteMedia`. */
export async function planDeleteMedia(
  deps: Deps,
  request: DeleteMediaRequest,
  context: HandlerContext,
): Promise<Planned> {
  const medium = await check(deps, request, context);
  if (!medium) throw refuse.notFound('Media not found');
  return removalPlan([medium]);
}

async function check(
  deps: Deps,
  { serverName, mediaId }: DeleteMediaRequest,
  context: HandlerContext,
): Promise<Media | null> {
  if (serverName !== deps.serverName) throw refuse.unknown('This works with media of this server only');
  const medium = await deps.media.findOne({ _id: mediaKey(serverName, mediaId) });
  await requireAuthority(deps.authority, requester(context), [medium?.user_id]);
  return medium;
}
