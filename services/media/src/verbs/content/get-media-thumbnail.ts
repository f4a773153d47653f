import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { refuse } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { GetMediaThumbnailRequest } from '@steward/proto/steward/media/v1/inventory_pb.ts';
import { hasScope, requester, scopeName } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import type { Piece } from './download.ts';
import { getThumbnail } from './get-thumbnail.ts';

/** The size of a thumbnail in a list, in pixels. */
const USUAL_SIZE = 96;

/**
 * Streams a thumbnail to an administrator. One that is larger than those in lists shows what users sent to others: it is recorded in the
 * audit log, as other reads of content are. One of a quarantined image requires a further scope and the explicit parameter, and is
 * recorded in the audit log before it is sent.
 *
 * @throws refuse.forbidden without the scope, before any look-up
 */
export async function* getMediaThumbnail(
  deps: Deps,
  request: GetMediaThumbnailRequest,
  context: HandlerContext,
): AsyncGenerator<Piece> {
  const { serverName, mediaId, width = USUAL_SIZE, height = USUAL_SIZE, method = 'scale' } = request;
  const { allowQuarantined = false } = request;
  if (allowQuarantined && !hasScope(requester(context), Scope.ROOMS_CONTENT))
    throw refuse.forbidden(`This requires the scope ${scopeName(Scope.ROOMS_CONTENT)}`);
  const query = { serverName, mediaId, width, height, method, timeoutMs: 0n };
  yield* getThumbnail(deps, query, allowQuarantined ? 'admin' : 'user', context.signal, {
    isInspection: true,
    beforeReading: async (media) => {
      if (media.quarantined_by !== null) await recordCall(context, { scope: Scope.ROOMS_CONTENT });
      else if (Math.max(width, height) > USUAL_SIZE) await recordCall(context);
    },
  });
}
