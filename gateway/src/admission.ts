import { refuse } from '@steward/errors';
import type { FastifyInstance } from 'fastify';

/** How many requests are worked on at once; more are asked to come back. */
const MAX_IN_FLIGHT = 1_000;

/** How many more may wait for something to happen: such a request holds its socket and little else. */
const MAX_WAITING = 10_000;

/** How many bytes of bodies are held at once, over all requests. */
const MAX_BODY_BYTES_IN_FLIGHT = 256 * 1024 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The request mostly waits for something to happen, and nothing is done for it meanwhile. */
    readonly waits?: boolean;
  }
}

/**
 * Keeps the memory that requests can take bounded: what comes in over the limits is answered with 503
 * before its body is read.
 */
export function limitAdmission(app: FastifyInstance): void {
  const working = { count: 0, limit: MAX_IN_FLIGHT };
  const waiting = { count: 0, limit: MAX_WAITING };
  let bodyBytes = 0;
  app.addHook('onRequest', async (request, reply) => {
    const { bodyLimit, config } = request.routeOptions;
    const kind = config.waits ? waiting : working;
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
