import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { CompleteUploadRequest } from '@steward/proto/steward/media/v1/media_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { CLAIM_GRACE_MS } from '../../core/keep-blob.ts';
import { mediaKey } from '../../core/model/media.ts';
import { uploadTopic } from '../../core/model/pending-upload.ts';
import { storeUpload } from './store-upload.ts';

/**
 * Stores the bytes of a content URI that the caller has created (client-plane.md 12), once, as an upload without a content URI.
 * One upload of them is in progress at a time; when it fails, the client may repeat it.
 *
 * @throws refuse.forbidden, refuse.notFound, or refuse.cannotOverwriteMedia
 */
export async function completeUpload(
  deps: Deps,
  pieces: AsyncIterable<CompleteUploadRequest>,
  context: HandlerContext,
): Promise<Record<string, never>> {
  const { userId } = requester(context);
  return storeUpload(deps, pieces, context, async ({ serverName, mediaId }, store) => {
    const _id = mediaKey(serverName, mediaId);
    await begin(deps, _id, userId);
    try {
      await store(mediaId, { mayBeShown: true });
    } catch (error) {
      // Otherwise the client waits until the time limit of the upload.
      await deps.pendingUploads.updateOne({ _id }, { $unset: { uploading_until_ts: true } }).catch(() => {});
      throw error;
    }
    await deps.pendingUploads.deleteOne({ _id });
    deps.bus.notify(uploadTopic(_id));
    return {};
  });
}

/** Begins the only upload of these bytes. */
async function begin(deps: Deps, _id: string, userId: string): Promise<void> {
  const now = deps.clock.now();
  const pending = await deps.pendingUploads.findOne({ _id });
  const medium = await deps.media.findOne({ _id }, { projection: { user_id: 1 } });
  if ((medium ?? pending ?? { user_id: userId }).user_id !== userId)
    throw refuse.forbidden('The content URI belongs to another user');
  if (medium)
    throw refuse.cannotOverwriteMedia('The medium was uploaded already: create another content URI');
  if (!pending || pending.expires_ts < now)
    throw refuse.notFound('There is no such content URI, or it has expired: create another one');
  const { uploading_until_ts: until } = pending;
  const { modifiedCount } =
    until !== undefined && until > now
      ? { modifiedCount: 0 }
      : await deps.pendingUploads.updateOne(
          { _id, uploading_until_ts: until ?? { $exists: false } },
          { $set: { uploading_until_ts: now + CLAIM_GRACE_MS } },
        );
  if (modifiedCount === 0)
    throw refuse.cannotOverwriteMedia('The medium is being uploaded: wait, or create another content URI');
}
