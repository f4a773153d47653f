import { refuse } from '@steward/errors';
import type { FastifyInstance } from 'fastify';

/** The limit of requests in progress; further ones are refused. */
const MAX_IN_FLIGHT = 1_000;

/** The limit of long polls, which are counted separately: each holds its socket and little else. */
const MAX_LONG_POLLS = 10_000;

/** The limit of the bytes of all request bodies in memory. */
const MAX_BODY_BYTES_IN_FLIGHT = 256 * 1024 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The request is a long poll, which causes no work while it waits. */
    readonly longPoll?: boolean;
  }
}

/**
 * Bounds the memory of requests: a request beyond the limits is answered with 503 before its body is read.
 */
export function limitAdmission(app: FastifyInstance): void {
  const inProgress = { count: 0, limit: MAX_IN_FLIGHT };
  const longPolls = { count: 0, limit: MAX_LONG_POLLS };
  let bodyBytes = 0;
  app.addHook('onRequest', async (request, reply) => {
    const { bodyLimit, config } = request.routeOptions;
    const kind = config.longPoll ? longPolls : inProgress;
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const bytes = Math.min(
      length === undefined ? (encoding === undefined ? 0 : bodyLimit) : Number(length),
      bodyLimit,
    );
    if (kind.count >= kind.limit || bodyBytes + bytes > MAX_BODY_BYTES_IN_FLIGHT) {
      throw refuse.unavailable('The server is busy');
    }
    kind.count++;
    bodyBytes += bytes;
    reply.raw.once('close', () => {
      kind.count--;
      bodyBytes -= bytes;
    });
  });
}
