import type { HandlerContext } from '@connectrpc/connect';
import { limitExceeded } from '@steward/errors';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { mediaKey } from '../../core/model/media.ts';
import { PENDING_LIFE_MS } from '../../core/model/pending-upload.ts';
import { newMediaId } from './new-media-id.ts';

/** The most content URIs of a user that wait for their bytes. */
const MAX_PENDING = 50;

/**
 * Creates a content URI whose bytes the caller uploads later (client-plane.md 12).
 *
 * @throws limitExceeded also when too many wait for their bytes
 */
export async function createUpload(deps: Deps, context: HandlerContext) {
  const user = requester(context);
  deps.limits.mediaCreate.take(user);
  const now = deps.clock.now();
  const waiting = { user_id: user.userId, expires_ts: { $gte: now } };
  const [newest] = await deps.pendingUploads
    .find(waiting, { sort: { expires_ts: -1 }, skip: MAX_PENDING - 1, limit: 1 })
    .toArray();
  if (newest) throw limitExceeded(newest.expires_ts - now + 1);
  const mediaId = newMediaId(deps.random);
  const expires = now + PENDING_LIFE_MS;
  await deps.pendingUploads.insertOne({
    _id: mediaKey(deps.serverName, mediaId),
    user_id: user.userId,
    expires_ts: expires,
  });
  return { contentUri: `mxc://${deps.serverName}/${mediaId}`, unusedExpiresAt: BigInt(expires) };
}
