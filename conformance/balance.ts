import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** More than the servers accept. */
const MAX_HEADER_BYTES = 1024 * 1024;

/** A load balancer in front of some servers. */
export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

/** Sends each request to the next one of some servers, unchanged, and passes its answer on as it comes. */
export async function balance(urls: readonly string[]): Promise<Balancer> {
  let requests = 0;
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (incoming, outgoing) => {
    const { hostname, port } = new URL(urls[requests++ % urls.length] ?? '');
    const { method, url: path, headers } = incoming;
    const forwarded = request({ hostname, port, method, path, headers });
    // A body can be refused before any of it arrives.
    forwarded.flushHeaders();
    forwarded.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.statusMessage, answer.rawHeaders);
      pipeline(answer, outgoing, () => {});
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    pipeline(incoming, forwarded, () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
