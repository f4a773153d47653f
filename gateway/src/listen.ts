import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';
import type { Config } from '@steward/config';
import type { FastifyInstance } from 'fastify';

/**
 * How many connections may wait to be accepted; the operating system may permit fewer. When a burst of connections exceeds
 * it, the systems of all clients repeat their attempts to connect, the first time after a second.
 */
const BACKLOG = 4_096;

/**
 * How many sockets listen on the port. Node accepts one connection of each in a turn of the event loop. With one socket, a
 * new client would wait for as many turns as there are connections in a burst, each as long as the work of all clients.
 */
const LISTENERS = 16;

/** The systems on which sockets of one port share its connections. */
const SHARES_PORTS = process.platform === 'linux';

declare module 'fastify' {
  interface FastifyInstance {
    /** Servers that accept connections for the gateway, and close with it. */
    readonly acceptors: Server[];
  }
}

/**
 * Makes the gateway listen on the configured host and port. Resolves with its URL.
 *
 * @throws the error of the socket, such as EADDRINUSE, also if another gateway listens
 */
export async function listen(
  gateway: FastifyInstance,
  { host, port }: Pick<Config['server'], 'host' | 'port'>,
): Promise<string> {
  if (!SHARES_PORTS) return gateway.listen({ host, port, backlog: BACKLOG });
  if (port !== 0) await requireFree({ host, port });
  const shared = { backlog: BACKLOG, reusePort: true };
  const url = await gateway.listen({ host, port, ...shared });
  const { address, port: chosen } = gateway.server.address() as AddressInfo;
  for (let count = 1; count < LISTENERS; count++) {
    const acceptor = createServer({ allowHalfOpen: true, noDelay: true });
    acceptor.on('connection', (socket) => gateway.server.emit('connection', socket));
    gateway.acceptors.push(acceptor);
    await open(acceptor, { host: address, port: chosen, ...shared });
  }
  return url;
}

/** @throws the error of the socket if any other listens, because sockets that share the port would not refuse each other */
async function requireFree(address: ListenOptions): Promise<void> {
  const server = createServer();
  await open(server, address);
  server.close();
  await once(server, 'close');
}

async function open(server: Server, address: ListenOptions): Promise<void> {
  server.listen(address);
  await once(server, 'listening');
}
