import { once, setMaxListeners } from 'node:events';
import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * How long clients have to use a kept-alive connection once more and learn from the answer that it closes, in
 * milliseconds. A busy connection is used within this time; a proxy that sends a request while an idle connection
 * is being closed cannot tell whether the request was accepted.
 */
const IDLE_GRACE_MS = 1_000;

/** How long running requests may take after that, in milliseconds. */
const ANSWER_LIMIT_MS = 15_000;

/** The progress of a gateway's shutdown. */
export interface Shutdown {
  readonly started: boolean;
  /** Raised when long polls are to be aborted. */
  readonly abortsWaits: AbortSignal;
}

/**
 * Makes a gateway shut down gracefully: it accepts no new connections, answers requests on open ones with
 * `Connection: close`, completes running requests, and closes idle connections. A client that is refused, or whose
 * connection is closed, can use another instance: its request was not accepted.
 */
export function closeGracefully(app: FastifyInstance): Shutdown {
  const waits = new AbortController();
  // Each long poll adds a listener.
  setMaxListeners(0, waits.signal);
  const shutdown = { started: false, abortsWaits: waits.signal };
  app.decorate('acceptors', []);
  let running = 0;
  let onAnswered = () => {};
  app.addHook('onRequest', (_, reply, done) => {
    running++;
    reply.raw.once('close', () => {
      running--;
      if (running === 0) onAnswered();
    });
    done();
  });
  app.addHook('onSend', (_, reply, payload, done) => {
    if (shutdown.started) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('preClose', async () => {
    shutdown.started = true;
    const { server } = app;
    if (!server.listening) return;
    const servers = [server, ...app.acceptors];
    const closed = Promise.all(servers.map((each) => once(each, 'close')));
    for (const each of servers) stopListening(each);
    await Promise.race([closed, after(IDLE_GRACE_MS)]);
    waits.abort();
    server.closeIdleConnections();
    if (running > 0) {
      const answered = new Promise<void>((resolve) => {
        onAnswered = resolve;
      });
      await Promise.race([answered, after(ANSWER_LIMIT_MS)]);
    }
    // The remaining connections have an incomplete request, or one that takes too long.
    server.closeAllConnections();
  });
  return shutdown;
}

/** Stops listening without the `close` of HTTP servers, which closes idle connections at once. */
function stopListening(server: Server): void {
  Server.prototype.close.call(server);
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
