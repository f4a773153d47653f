import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type { Planned } from '@steward/plans';
import type {
  DeleteUserMediaRequest,
  DeleteUserMediaResponseSchema,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { removalPlan } from '../../core/removal-plan.ts';
import { BATCH_SIZE, removeMedia } from '../../core/remove-media.ts';
import { selectUserMedia } from '../../core/user-media.ts';

/** Deletes the media that the list with the same parameters returns (behaviour.md 4.2). */
export async function deleteUserMedia(
  deps: Deps,
  request: DeleteUserMediaRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof DeleteUserMediaResponseSchema>> {
  const { media } = await selectUserMedia(deps, request, context);
  const removed = new Set<string>();
  for (let start = 0; start < media.length; start += BATCH_SIZE) {
    const keys = media.slice(start, start + BATCH_SIZE).map(({ _id }) => _id);
    for (const { _id } of await removeMedia(deps, keys)) removed.add(_id);
  }
  const deletedMedia = media.flatMap(({ _id, media_id }) => (removed.has(_id) ? [media_id] : []));
  return { deletedMedia, total: BigInt(deletedMedia.length) };
}

/** Plans `deleteUserMedia`. */
export async function planDeleteUserMedia(
  deps: Deps,
  request: DeleteUserMediaRequest,
  context: HandlerContext,
): Promise<Planned> {
  return removalPlan((await selectUserMedia(deps, request, context)).media);
}
