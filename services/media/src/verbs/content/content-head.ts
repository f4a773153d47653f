import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ContentHeadSchema } from '@steward/proto/steward/http/v1/content_pb.ts';
import { disposition } from '../../core/model/file-name.ts';
import { isInline, sentType } from '../../core/model/media-type.ts';

/** The status and the headers before the bytes of an answer. */
export type Head = MessageInitShape<typeof ContentHeadSchema>;

/** One value for all media, because the bytes under a path never change. */
const ETAG = '"1"';

/** An uploaded page must not run with the rights of pages of this server. */
const SAFETY = {
  'content-security-policy':
    "sandbox; default-src 'none'; script-src 'none'; plugin-types application/pdf; style-src 'unsafe-inline'; media-src 'self'; object-src 'self';",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A day in browsers; proxies revalidate each time, so that a quarantine applies to their clients. */
const CACHING = {
  'cache-control': 'public,max-age=86400,s-maxage=0,proxy-revalidate',
  etag: ETAG,
};

/** No copies of bytes that only an administrator may see. */
const NO_CACHING = { 'cache-control': 'private,no-store', etag: ETAG };

/**
 * Returns the headers of bytes of a type with a file name (client-plane.md 7.12).
 *
 * @param mayStore whether caches may store the bytes
 */
export function contentHeaders(type: string, name: string | null, mayStore = true): Record<string, string> {
  return {
    'content-type': sentType(type),
    'content-disposition': disposition(isInline(type), name),
    ...SAFETY,
    ...cachingHeaders(mayStore),
  };
}

/**
 * Returns the answer to a client that already has the bytes.
 *
 * @param mayStore whether caches may store the bytes
 */
export function notModified(mayStore = true): Head {
  return { status: 304, headers: cachingHeaders(mayStore) };
}

function cachingHeaders(mayStore: boolean): Record<string, string> {
  return mayStore ? CACHING : NO_CACHING;
}

/** Whether a client states with `If-None-Match` that it has the bytes. */
export function isKnown(ifNoneMatch: string | undefined): boolean {
  return (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === ETAG || tag === '*');
}

/** Whether a part may be sent to a client that names the expected content with `If-Range`. */
export function isSame(ifRange: string | undefined): boolean {
  return ifRange === undefined || ifRange.trim() === ETAG;
}
