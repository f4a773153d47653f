import { once, setMaxListeners } from 'node:events';
import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * How long clients have to use a connection that they keep open, and to be told that it closes, in
 * milliseconds. A busy one is used within it; a proxy that sends a request just when an idle connection
 * is closed has to find out whether the request was taken.
 */
const IDLE_GRACE_MS = 1_000;

/** How long requests under way have to be answered after that, in milliseconds. */
const ANSWER_LIMIT_MS = 15_000;

/** Whether a gateway is about to end. */
export interface Ending {
  readonly begun: boolean;
  /** Raised when requests that wait for something to happen are given up. */
  readonly givesUp: AbortSignal;
}

/**
 * Makes a gateway that is closed part from its clients in order: it takes no new connections, answers
 * what comes on the open ones with `Connection: close`, finishes what is under way, and lets go of
 * connections that nobody uses. Whoever is refused or finds a connection closed can go elsewhere without
 * asking what became of the request.
 */
export function closeGracefully(app: FastifyInstance): Ending {
  const giving = new AbortController();
  // Each request that waits listens.
  setMaxListeners(0, giving.signal);
  const ending = { begun: false, givesUp: giving.signal };
  let underWay = 0;
  let onAnswered = () => {};
  app.addHook('onRequest', async (_, reply) => {
    underWay++;
    reply.raw.once('close', () => {
      underWay--;
      if (underWay === 0) onAnswered();
    });
  });
  app.addHook('onSend', async (_, reply) => {
    if (ending.begun) reply.header('connection', 'close');
  });
  app.addHook('preClose', async () => {
    ending.begun = true;
    const { server } = app;
    if (!server.listening) return;
    const closed = once(server, 'close');
    stopListening(server);
    await Promise.race([closed, after(IDLE_GRACE_MS)]);
    giving.abort();
    server.closeIdleConnections();
    if (underWay > 0) {
      const answered = new Promise<void>((resolve) => {
        onAnswered = resolve;
      });
      await Promise.race([answered, after(ANSWER_LIMIT_MS)]);
    }
    // What is left has sent half a request, or takes too long.
    server.closeAllConnections();
  });
  return ending;
}

/** An HTTP server's own `close` also closes idle connections, at once. */
function stopListening(server: Server): void {
  Server.prototype.close.call(server);
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
