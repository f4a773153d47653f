import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type ListenOptions, type Server } from 'node:net';
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

/** How long the check whether another gateway listens may take, in milliseconds; a connection within a machine takes none. */
const CONNECT_LIMIT_MS = 1_000;

/** Addresses that stand for all of the machine. */
const ANY: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const LOOPBACK = ['127.0.0.1', '::1'];

/** The systems on which sockets of one port share its connections. */
const SHARES_PORTS = process.platform === 'linux';

declare module 'fastify' {
  interface FastifyInstance {
    /** Servers that accept connections for the gateway, and close with it. */
    readonly acceptors: Server[];
  }
}

type Address = Pick<Config['server'], 'host' | 'port'>;

/**
 * Makes the gateway listen on the configured host and port. Resolves with its URL.
 *
 * @throws the error of the socket, such as EADDRINUSE, also if another gateway listens
 */
export async function listen(gateway: FastifyInstance, { host, port }: Address): Promise<string> {
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

/**
 * Connects rather than listens: the connections of clients that try the port at that moment would be reset.
 *
 * @throws EADDRINUSE if any other socket listens, because sockets that share the port would not refuse each other
 */
async function requireFree({ host, port }: Address): Promise<void> {
  const hosts = await placesOf(host);
  const used = await Promise.all(hosts.map((each) => isListening({ host: each, port })));
  const address = hosts[used.indexOf(true)];
  if (address === undefined) return;
  const error = new Error(`listen EADDRINUSE: address already in use ${address}:${port}`);
  throw Object.assign(error, { code: 'EADDRINUSE', syscall: 'listen', address, port });
}

/** Addresses of this machine at which a socket that listens on a host accepts connections. */
async function placesOf(host: string): Promise<readonly string[]> {
  const addresses = (await lookup(host, { all: true })).map(({ address }) => address);
  return addresses.some((address) => ANY.has(address)) ? LOOPBACK : addresses;
}

async function isListening(address: Address): Promise<boolean> {
  const socket = connect({ ...address, timeout: CONNECT_LIMIT_MS });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // The system may give the connection the port it connects to, and so connect it to itself.
  socket.once('connect', () => resolve(socket.localPort !== socket.remotePort));
  // A socket whose queue is full does not answer.
  socket.once('timeout', () => resolve(true));
  socket.once('error', () => resolve(false));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

async function open(server: Server, address: ListenOptions): Promise<void> {
  server.listen(address);
  await once(server, 'listening');
}
