import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ContentHeadSchema } from '@steward/proto/steward/http/v1/content_pb.ts';
import { disposition } from '../../core/model/file-name.ts';
import { isInline, sentType } from '../../core/model/media-type.ts';

/** What goes before the bytes of an answer. */
export type Head = MessageInitShape<typeof ContentHeadSchema>;

/** Bytes under a path never change, so that one value serves for all. */
const ETAG = '"1"';

/** What is uploaded may be a page, and must not act as one of ours. */
const SAFETY = {
  'content-security-policy':
    "sandbox; default-src 'none'; script-src 'none'; plugin-types application/pdf; style-src 'unsafe-inline'; media-src 'self'; object-src 'self';",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A day in browsers; proxies ask each time, so that a quarantine reaches those behind them. */
const CACHING = {
  'cache-control': 'public,max-age=86400,s-maxage=0,proxy-revalidate',
  etag: ETAG,
};

/** The headers of bytes of this type, to be saved under this name (client-plane.md 7.12). */
export function contentHeaders(type: string, name: string | null): Record<string, string> {
  return {
    'content-type': sentType(type),
    'content-disposition': disposition(isInline(type), name),
    ...SAFETY,
    ...CACHING,
  };
}

/** The answer to a client that has the bytes already. */
export const NOT_MODIFIED: Head = { status: 304, headers: CACHING };

/** Whether a client says with `If-None-Match` that it has the bytes. */
export function isKnown(ifNoneMatch: string | undefined): boolean {
  return (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === ETAG || tag === '*');
}

/** Whether a part may be sent to a client that says with `If-Range` what it must be a part of. */
export function isSame(ifRange: string | undefined): boolean {
  return ifRange === undefined || ifRange.trim() === ETAG;
}
