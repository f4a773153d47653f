import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { refuse } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { DownloadRequest } from '@steward/proto/steward/media/v1/media_pb.ts';
import { hasScope, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { keptName } from '../../core/model/file-name.ts';
import { readMedium } from '../../core/read-medium.ts';
import { awaitUpload } from './await-upload.ts';
import { requestedRange } from './byte-range.ts';
import { contentHeaders, type Head, isKnown, isSame, notModified } from './content-head.ts';
import { untilAborted } from './until-aborted.ts';
import { type Audience, type VisibleMedia, visibleMedia } from './visible-media.ts';

/** A piece of a binary answer: first the head, then bytes. */
export type Piece = { readonly head: Head } | { readonly data: Uint8Array<ArrayBuffer> };

/** The common parameters of both methods for downloads. */
export type DownloadQuery = Pick<
  DownloadRequest,
  'serverName' | 'mediaId' | 'fileName' | 'timeoutMs' | 'range' | 'ifRange' | 'ifNoneMatch'
>;

/** The value of the parameter with which administrators download quarantined media. */
const BYPASS = 'true';

/**
 * Streams a medium to the holder of an access token, a quarantined one to an administrator who may release it and
 * requests it explicitly (behaviour.md 14.2), which the audit log records.
 *
 * @throws refuse.unknown when another caller requests it, before any look-up
 */
export async function* downloadAsUser(
  deps: Deps,
  request: DownloadRequest,
  context: HandlerContext,
): AsyncGenerator<Piece> {
  const isBypass = request.adminUnsafelyBypassQuarantine === BYPASS;
  if (isBypass && !hasScope(requester(context), Scope.MEDIA_WRITE)) {
    throw refuse.unknown('Only a server administrator may bypass the quarantine');
  }
  yield* download(deps, request, isBypass ? 'admin' : 'user', context.signal, async (media) => {
    if (media.quarantined_by !== null) await recordCall(context, { scope: Scope.MEDIA_WRITE });
  });
}

/**
 * Streams a medium, or the requested part of it (client-plane.md 7.12).
 *
 * @param beforeReading is awaited when the medium was found
 */
export async function* download(
  deps: Deps,
  request: DownloadQuery,
  audience: Audience,
  signal: AbortSignal,
  beforeReading?: (media: VisibleMedia) => Promise<void>,
): AsyncGenerator<Piece> {
  const media = await awaitUpload(deps, request, audience, signal);
  const again = () => visibleMedia(deps, request, audience);
  await beforeReading?.(media);
  deps.accessTimes.touch(media._id);
  const mayStore = audience !== 'admin';
  if (isKnown(request.ifNoneMatch)) {
    yield { head: notModified(mayStore) };
    return;
  }
  const { length } = media;
  const range = isSame(request.ifRange) ? requestedRange(request.range, length) : undefined;
  if (range === 'unsatisfiable') {
    yield { head: { status: 416, headers: { 'content-range': `bytes */${length}` } } };
    return;
  }
  const name = keptName(request.fileName) ?? media.upload_name;
  const headers = { ...contentHeaders(media.type, name, mayStore), 'accept-ranges': 'bytes' };
  if (range) {
    const last = range.start + range.length - 1;
    const partial = { ...headers, 'content-range': `bytes ${range.start}-${last}/${length}` };
    yield { head: { status: 206, length: BigInt(range.length), headers: partial } };
  } else {
    yield { head: { status: 200, length: BigInt(length), headers } };
  }
  for await (const data of untilAborted(readMedium(deps, media, again, range), signal)) {
    yield { data: data as Uint8Array<ArrayBuffer> };
    deps.traffic.downloadedBytes.add({}, data.length);
  }
}
