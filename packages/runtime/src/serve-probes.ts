import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { admitsScraper, type Metrics } from '@steward/telemetry';
import { answerProbe, PROBE_PATHS } from './readiness/answer-probe.ts';
import type { Readiness } from './readiness/readiness.ts';

/** A server for probes and metrics. */
export interface Probes {
  /** The port on which it listens. */
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `/health`, `/health/ready`, `/health/live` and `/metrics` on a separate port over HTTP/1.1, which the port of a service does
 * not support. With a token, `/metrics` requires it.
 */
export async function serveProbes(options: {
  readonly host: string;
  readonly port: number;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
  readonly readiness: Pick<Readiness, 'read'>;
}): Promise<Probes> {
  const { metrics, metricsToken, readiness } = options;
  const server = createServer(async (request, response) => {
    const path = PROBE_PATHS.find((each) => each === request.url);
    if (path) {
      const { status, body } = await answerProbe(path, readiness);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
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
