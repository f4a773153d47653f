import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { clampToSafe } from '@steward/kernel';
import type { Planned } from '@steward/plans';
import type {
  DeleteMediaBeforeRequest,
  DeleteMediaBeforeResponseSchema,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { requester, strongerThan } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { removalPlanOf } from '../../core/removal-plan.ts';
import { removeUnusedLocal, type UnusedLocal, unusedLocal } from './remove-unused.ts';

/** Deletes media of this server by last use and size, without avatars unless the request says otherwise (behaviour.md 5.1). */
export async function deleteMediaBefore(
  deps: Deps,
  request: DeleteMediaBeforeRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof DeleteMediaBeforeResponseSchema>> {
  const deletedMedia: string[] = [];
  let skipped = 0;
  const unused = {
    ...(await selectionOf(deps, request, context)),
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

/** Plans `deleteMediaBefore`. */
export async function planDeleteMediaBefore(
  deps: Deps,
  request: DeleteMediaBeforeRequest,
  context: HandlerContext,
): Promise<Planned> {
  return removalPlanOf(unusedLocal(deps, await selectionOf(deps, request, context)));
}

async function selectionOf(
  deps: Deps,
  request: DeleteMediaBeforeRequest,
  context: HandlerContext,
): Promise<UnusedLocal> {
  if (request.serverName !== undefined && request.serverName !== deps.serverName) {
    throw refuse.unknown('This works with media of this server only');
  }
  return {
    beforeTs: clampToSafe(request.beforeTs),
    sizeGt: clampToSafe(request.sizeGt ?? 0n),
    keepProfiles: request.keepProfiles ?? true,
    except: new Set(await strongerThan(deps.authority, requester(context))),
  };
}
