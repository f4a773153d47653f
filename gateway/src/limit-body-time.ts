import type { FastifyInstance } from 'fastify';

/** How long a client may take to send a body, in milliseconds. */
const BODY_TIMEOUT_MS = 30_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is forwarded while it is received; its handler limits the time between two pieces. */
    readonly streamsBody?: boolean;
  }
}

/** Closes connections whose client takes too long to send a body that is read as a whole. */
export function limitBodyTime(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    const announced = encoding !== undefined || (length !== undefined && length !== '0');
    if (!announced || routeOptions.config.streamsBody) return;
    const timer = setTimeout(() => raw.destroy(), BODY_TIMEOUT_MS);
    timer.unref();
    const done = () => clearTimeout(timer);
    raw.once('end', done).once('close', done);
  });
}
