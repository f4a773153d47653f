import type { HandlerContext } from '@connectrpc/connect';
import { refuse, toRefusal } from '@steward/errors';
import type { UploadRequest } from '@steward/proto/steward/media/v1/media_pb.ts';
import { type Requester, requester } from '@steward/rpc';
import { newBlobKey } from '../../core/blobs/blob-key.ts';
import type { StoredBlob } from '../../core/blobs/mod.ts';
import type { Deps } from '../../core/deps.ts';
import { refuseListed } from '../../core/hashes/refuse-listed.ts';
import { keepBlob } from '../../core/keep-blob.ts';
import { keptName } from '../../core/model/file-name.ts';
import { mediaKey } from '../../core/model/media.ts';
import { keptType } from '../../core/model/media-type.ts';
import { bytesOf } from '../../core/upload-bytes.ts';
import { addMedia } from '../../core/usage/add-media.ts';
import { releaseUpload, reserveUpload } from '../../core/usage/reserve-upload.ts';

const FAILED = 500;

/** The description of an upload, which precedes its bytes, and pieces of them. */
export type UploadPiece = Pick<UploadRequest, 'filename' | 'contentType' | 'contentLength' | 'data'>;

/** Stores the bytes of an upload under a media id. */
export type StoreBytes = (mediaId: string, medium?: { readonly mayBeShown: true }) => Promise<void>;

/**
 * Stores a file after all of its bytes have arrived (client-plane.md 7.12), and counts the outcome.
 *
 * @param storeAs decides under which media id its bytes are stored
 * @returns the result of `storeAs`
 */
export async function storeUpload<P extends UploadPiece, R>(
  deps: Deps,
  pieces: AsyncIterable<P>,
  context: HandlerContext,
  storeAs: (head: P, store: StoreBytes) => Promise<R>,
): Promise<R> {
  const { uploads } = deps.traffic;
  try {
    const user = requester(context);
    const iterator = pieces[Symbol.asyncIterator]();
    const { value: head }: { value?: P } = await iterator.next();
    if (head?.contentLength === undefined) throw refuse.unknown('The request must have a Content-Length');
    const length = Number(head.contentLength);
    if (length > deps.settings.maxUploadBytes) throw refuse.tooLarge('The upload is too large');
    const result = await storeAs(head, (mediaId, medium) =>
      store(deps, { user, mediaId, head, length, mayBeShown: medium?.mayBeShown ?? false }, iterator),
    );
    uploads.add({ outcome: 'stored' });
    deps.counts.add('uploads');
    return result;
  } catch (error) {
    uploads.add({ outcome: outcomeOf(error, context.signal) });
    throw error;
  }
}

function outcomeOf(error: unknown, signal: AbortSignal): 'refused' | 'aborted' | 'failed' {
  if (signal.aborted) return 'aborted';
  return toRefusal(error).status < FAILED ? 'refused' : 'failed';
}

/** An upload whose bytes follow. */
interface Upload {
  readonly user: Requester;
  readonly mediaId: string;
  readonly head: UploadPiece;
  /** In bytes. */
  readonly length: number;
  /** Whether something may show the medium already. */
  readonly mayBeShown: boolean;
}

async function store(deps: Deps, upload: Upload, rest: AsyncIterator<UploadPiece>): Promise<void> {
  const { user, mediaId, head, length } = upload;
  const { userId } = user;
  const key = mediaKey(deps.serverName, mediaId);
  await deps.requireFreeSpace(length);
  await reserveUpload(deps, user, { media: key, length });
  const blob = newBlobKey(deps.random);
  const put = async () => {
    try {
      const stored = await deps.blobs.put(blob, bytesOf(deps, rest, head.data), length);
      // The upload was interrupted, and an incomplete file must not be stored.
      if (stored.length !== length) throw refuse.unknown('The upload is not as long as announced');
      await refuseListed(deps, stored.sha256, { userId, origin: deps.serverName, mediaId });
      return stored;
    } catch (error) {
      // Otherwise the reservation expires.
      await releaseUpload(deps, user, key).catch(() => {});
      throw error;
    }
  };
  await keepBlob(deps, blob, put, (stored) => record(deps, upload, blob, stored));
  deps.traffic.uploadedBytes.add({}, length);
}

async function record(
  deps: Deps,
  { user: { userId }, mediaId, head: { filename, contentType }, mayBeShown }: Upload,
  blob: string,
  { length, sha256 }: StoredBlob,
): Promise<void> {
  await addMedia(deps, {
    _id: mediaKey(deps.serverName, mediaId),
    version: 1,
    origin: deps.serverName,
    media_id: mediaId,
    user_id: userId,
    created_ts: deps.clock.now(),
    length,
    type: keptType(contentType),
    upload_name: keptName(filename),
    sha256,
    last_access_ts: null,
    quarantined_by: null,
    safe_from_quarantine: false,
    blob,
    authenticated: !deps.settings.legacyDownload,
    state: 'stored',
    thumbnails: [],
    ...(mayBeShown ? { unchecked: true as const } : {}),
  });
}
