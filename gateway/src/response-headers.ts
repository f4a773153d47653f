import type { FastifyInstance } from 'fastify';
import { isConsolePath } from './console/console-path.ts';

/** Permits pages of all origins to read an answer. */
const CROSS_ORIGIN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers':
    'X-Requested-With, Content-Type, Authorization, Date, X-Steward-Reason, Last-Event-ID, If-Match, X-Steward-Wait-For, Idempotency-Key',
  'access-control-expose-headers': 'X-Request-Id, Retry-After, ETag, X-Steward-Position, Idempotent-Replayed',
} as const;

/** The headers of every answer. */
const SAME_ORIGIN_HEADERS = {
  'cache-control': 'no-cache, no-store, must-revalidate',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * The headers of every answer of the API (behaviour.md 0.4), errors included: browsers cannot read an answer without them.
 */
const HEADERS = { ...CROSS_ORIGIN_HEADERS, ...SAME_ORIGIN_HEADERS };

/**
 * Sets the documented headers and answers every OPTIONS. The official CORS plugin sets most of them on preflights
 * only, whereas the documentation requires them on every answer. Pages of other origins
 * must not read the console.
 */
export function setResponseHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const headers = isConsolePath(request.raw.url ?? '') ? SAME_ORIGIN_HEADERS : HEADERS;
    reply.headers(headers).header('x-request-id', request.id);
    if (request.method === 'OPTIONS') reply.code(204).header('content-length', '0').send();
    else done();
  });
}
