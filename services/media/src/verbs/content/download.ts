import type { DownloadRequest } from '@steward/proto/steward/media/v1/media_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { keptName } from '../../core/model/file-name.ts';
import { requestedRange } from './byte-range.ts';
import { contentHeaders, type Head, isKnown, isSame, NOT_MODIFIED } from './content-head.ts';
import { untilAborted } from './until-aborted.ts';
import { visibleMedia } from './visible-media.ts';

/** A piece of a binary answer: first the head, then bytes. */
export type Piece = { readonly head: Head } | { readonly data: Uint8Array<ArrayBuffer> };

/** The common parameters of both methods for downloads. */
export type DownloadQuery = Pick<
  DownloadRequest,
  'serverName' | 'mediaId' | 'fileName' | 'range' | 'ifRange' | 'ifNoneMatch'
>;

/**
 * Streams a medium, or the requested part of it (client-plane.md 7.12).
 *
 * @param publicly whether the caller is not authenticated
 */
export async function* download(
  deps: Deps,
  request: DownloadQuery,
  publicly: boolean,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  const media = await visibleMedia(deps, request, publicly);
  deps.accessTimes.touch(media._id);
  if (isKnown(request.ifNoneMatch)) {
    yield { head: NOT_MODIFIED };
    return;
  }
  const { length } = media;
  const range = isSame(request.ifRange) ? requestedRange(request.range, length) : undefined;
  if (range === 'unsatisfiable') {
    yield { head: { status: 416, headers: { 'content-range': `bytes */${length}` } } };
    return;
  }
  const name = keptName(request.fileName) ?? media.upload_name;
  const headers = { ...contentHeaders(media.type, name), 'accept-ranges': 'bytes' };
  if (range) {
    const last = range.start + range.length - 1;
    const partial = { ...headers, 'content-range': `bytes ${range.start}-${last}/${length}` };
    yield { head: { status: 206, length: BigInt(range.length), headers: partial } };
  } else {
    yield { head: { status: 200, length: BigInt(length), headers } };
  }
  for await (const data of untilAborted(deps.blobs.open(media.blob, range), signal)) {
    yield { data: data as Uint8Array<ArrayBuffer> };
  }
}
