import type { FastifyInstance } from 'fastify';

/** The headers of every answer (behaviour.md 0.4), errors included: browsers cannot read an answer without them. */
const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers':
    'X-Requested-With, Content-Type, Authorization, Date, X-Steward-Reason, Last-Event-ID, If-Match',
  'access-control-expose-headers': 'X-Request-Id, Retry-After, ETag',
  'cache-control': 'no-cache, no-store, must-revalidate',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * Sets the documented headers and answers every OPTIONS. The official CORS plugin sets most of them on preflights
 * only, whereas the documentation requires them on every answer.
 */
export function setResponseHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
    if (request.method === 'OPTIONS') reply.code(204).header('content-length', '0').send();
    else done();
  });
}
