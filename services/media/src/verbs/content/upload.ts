import type { HandlerContext } from '@connectrpc/connect';
import type { UploadRequest } from '@steward/proto/steward/media/v1/media_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { newMediaId } from './new-media-id.ts';
import { storeUpload } from './store-upload.ts';

/** Stores a file after all of its bytes have arrived (client-plane.md 7.12). */
export async function upload(
  deps: Deps,
  pieces: AsyncIterable<UploadRequest>,
  context: HandlerContext,
): Promise<{ contentUri: string }> {
  return storeUpload(deps, pieces, context, async (_, store) => {
    const mediaId = newMediaId(deps.random);
    await store(mediaId);
    return { contentUri: `mxc://${deps.serverName}/${mediaId}` };
  });
}
