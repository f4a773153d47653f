import { refuse } from '@steward/errors';
import type { GetThumbnailRequest } from '@steward/proto/steward/media/v1/media_pb.ts';
import { derivedKey } from '../../core/blobs/blob-key.ts';
import { BlobMissing, type BlobStore, PIECE_BYTES } from '../../core/blobs/mod.ts';
import type { Deps } from '../../core/deps.ts';
import { keepBlob } from '../../core/keep-blob.ts';
import { readMedium } from '../../core/read-medium.ts';
import { nameOfSize, sizeFor, type ThumbnailSize } from '../../core/thumbnails/sizes.ts';
import type { MadeThumbnail } from '../../core/thumbnails/thumbnailer.ts';
import { awaitUpload } from './await-upload.ts';
import { contentHeaders, isKnown, notModified } from './content-head.ts';
import type { Piece } from './download.ts';
import { type Audience, type VisibleMedia, visibleMedia } from './visible-media.ts';

/** The largest file from which a thumbnail is created, in bytes, because it is held in memory. */
const MAX_SOURCE_BYTES = 64 * 1024 * 1024;

/** A limit above the size of every thumbnail, in bytes. */
const MAX_THUMBNAIL_BYTES = 16 * 1024 * 1024;

/** The common parameters of both methods for thumbnails. */
export type ThumbnailQuery = Pick<
  GetThumbnailRequest,
  'serverName' | 'mediaId' | 'width' | 'height' | 'method'
> &
  Partial<Pick<GetThumbnailRequest, 'ifNoneMatch' | 'timeoutMs'>>;

/** How an administrator looks at a thumbnail. */
export interface Inspection {
  /** It does not count as an access of the medium, and caches do not store it. */
  readonly isInspection: true;
  /** Is awaited when the medium was found. */
  readonly beforeReading: (media: VisibleMedia) => Promise<void>;
}

/** Streams a thumbnail, which is created and stored at the first request (client-plane.md 7.12). */
export async function* getThumbnail(
  deps: Deps,
  request: ThumbnailQuery,
  audience: Audience,
  signal: AbortSignal,
  inspection?: Inspection,
): AsyncGenerator<Piece> {
  const media = await awaitUpload(deps, request, audience, signal);
  const again = () => visibleMedia(deps, request, audience);
  await inspection?.beforeReading(media);
  const size = sizeFor({ ...request, method: request.method === 'crop' ? 'crop' : 'scale' });
  if (isKnown(request.ifNoneMatch)) {
    deps.accessTimes.touch(media._id);
    yield { head: notModified() };
    return;
  }
  const known = await kept(deps, media, size);
  const { type, bytes } = known ?? (await made(deps, media, size, again));
  deps.traffic.thumbnails.add({ source: known ? 'kept' : 'made' });
  if (!inspection) deps.accessTimes.touch(media._id);
  const headers = contentHeaders(type, null, !inspection);
  yield { head: { status: 200, length: BigInt(bytes.length), headers } };
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield { data: new Uint8Array(bytes.subarray(at, at + PIECE_BYTES)) };
  }
}

/** Returns the stored thumbnail; `undefined` when it has to be created, possibly again. */
async function kept(
  { blobs }: Deps,
  media: VisibleMedia,
  size: ThumbnailSize,
): Promise<MadeThumbnail | undefined> {
  const key = derivedKey(media.blob, nameOfSize(size));
  const known = media.thumbnails.find((thumbnail) => thumbnail.key === key);
  if (!known) return undefined;
  try {
    return { type: known.type, bytes: await readAll(blobs.open(key)) };
  } catch (error) {
    if (error instanceof BlobMissing) return undefined;
    throw error;
  }
}

/** The thumbnails that are being created, by key; further requests for one wait for it. */
const inProgress = new WeakMap<BlobStore, Map<string, Promise<MadeThumbnail>>>();

function made(
  deps: Deps,
  media: VisibleMedia,
  size: ThumbnailSize,
  again: () => Promise<VisibleMedia>,
): Promise<MadeThumbnail> {
  const ofStore = inProgress.get(deps.blobs) ?? new Map<string, Promise<MadeThumbnail>>();
  inProgress.set(deps.blobs, ofStore);
  const key = derivedKey(media.blob, nameOfSize(size));
  const making = ofStore.get(key) ?? make(deps, media, size, key, again).finally(() => ofStore.delete(key));
  ofStore.set(key, making);
  return making;
}

/** @throws refuse.notFound when it cannot be created */
async function make(
  deps: Deps,
  media: VisibleMedia,
  size: ThumbnailSize,
  key: string,
  again: () => Promise<VisibleMedia>,
): Promise<MadeThumbnail> {
  const { blobs, thumbnailer } = deps;
  if (media.length > MAX_SOURCE_BYTES) throw refuse.notFound('There is no thumbnail of this medium');
  if (!thumbnailer.free) throw refuse.unavailable('Too many thumbnails are being made; try again');
  const thumbnail = await thumbnailer.make(() => readAll(readMedium(deps, media, again)), size);
  if (!thumbnail) throw refuse.notFound('There is no thumbnail of this medium');
  const put = () => blobs.put(key, once(thumbnail.bytes), MAX_THUMBNAIL_BYTES);
  await keepBlob(deps, key, put, ({ length }) =>
    attach(deps, media, { ...size, key, length, type: thumbnail.type }),
  )
    // It is served nevertheless, and created again at the next request.
    .catch((error: unknown) => deps.report('a thumbnail was not kept', { error }));
  return thumbnail;
}

/** Names a thumbnail in the document; when the medium is being deleted or has been moved, removes the thumbnail. */
async function attach(
  { blobs, media: collection }: Deps,
  { _id, blob }: VisibleMedia,
  thumbnail: VisibleMedia['thumbnails'][number],
): Promise<void> {
  const { matchedCount } = await collection.unversioned.updateOne(
    { _id, blob, state: 'stored' },
    { $addToSet: { thumbnails: thumbnail } },
  );
  if (matchedCount === 0) await blobs.delete(thumbnail.key);
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
