import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { admitsScraper, type Metrics } from '@steward/telemetry';

/** A server for probes and metrics. */
export interface Probes {
  /** The port on which it listens. */
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `/health` (200 or 503) and `/metrics` on a separate port over HTTP/1.1, which the port of a service does
 * not support. With a token, `/metrics` requires it.
 */
export async function serveProbes(options: {
  readonly host: string;
  readonly port: number;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
  readonly healthy: () => Promise<boolean>;
}): Promise<Probes> {
  const { metrics, metricsToken, healthy } = options;
  const server = createServer(async (request, response) => {
    if (request.url === '/health') {
      const ok = await healthy();
      response.writeHead(ok ? 200 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ status: ok ? 'ok' : 'unavailable' }));
    } else if (request.url === '/metrics') {
      if (!admitsScraper(request.headers.authorization, metricsToken)) {
        response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
        return;
      }
      response.setHeader('content-type', metrics.contentType).end(await metrics.render());
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
