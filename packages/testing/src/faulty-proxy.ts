import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of a server that can cut its connections, as a broken network or a stopped server would. */
export interface FaultyProxy {
  /** The URL to connect to: that of the server with another host and port. */
  readonly url: string;
  /** Closes every connection, and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again. */
  repair(): Promise<void>;
}

/**
 * Starts a proxy in front of the server at a URL; `defaultPort` applies to URLs without a port.
 *
 * @param at the port of the proxy. The default lets the system choose one, which it may give to another process while
 *   the proxy is cut for long
 */
export async function startFaultyProxy(to: string, defaultPort: number, at = 0): Promise<FaultyProxy> {
  const url = new URL(to);
  const target = { host: url.hostname, port: Number(url.port || defaultPort) };
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await once(server.listen(at, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    async cut() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async repair() {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
  };
}
