import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { clampToSafe } from '@steward/kernel';
import type {
  DeleteMediaBeforeRequest,
  DeleteMediaBeforeResponseSchema,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { requester, strongerThan } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { removeUnusedLocal } from './remove-unused.ts';

/** Deletes media of this server by last use and size, without avatars unless the request says otherwise (behaviour.md 5.1). */
export async function deleteMediaBefore(
  deps: Deps,
  request: DeleteMediaBeforeRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof DeleteMediaBeforeResponseSchema>> {
  if (request.serverName !== undefined && request.serverName !== deps.serverName) {
    throw refuse.unknown('This works with media of this server only');
  }
  const deletedMedia: string[] = [];
  let skipped = 0;
  const unused = {
    beforeTs: clampToSafe(request.beforeTs),
    sizeGt: clampToSafe(request.sizeGt ?? 0n),
    keepProfiles: request.keepProfiles ?? true,
    except: new Set(await strongerThan(deps.authority, requester(context))),
    onSkipped: (count: number) => {
      skipped += count;
    },
  };
  for await (const removed of removeUnusedLocal(deps, unused)) {
    for (const { media_id } of removed) deletedMedia.push(media_id);
  }
  const left = skipped > 0 ? { skipped: BigInt(skipped) } : {};
  return { deletedMedia, total: BigInt(deletedMedia.length), ...left };
}
