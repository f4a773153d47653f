import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a server that can be cut, as if the network broke or the server went away. */
export interface Line {
  /** What to connect to instead of the server: its URL with another host and port. */
  readonly url: string;
  /** Breaks every connection at once, and refuses new ones. */
  cut(): Promise<void>;
  /** Lets connections through again. */
  mend(): Promise<void>;
}

/**
 * Puts a line in front of the server that a URL names; `defaultPort` is that of URLs without one.
 *
 * @param at the port of the line, for one that is cut for long: one that the system has chosen, as it does unless one
 *   is given, it may meanwhile give to somebody else
 */
export async function startLine(to: string, defaultPort: number, at = 0): Promise<Line> {
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
    async mend() {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
  };
}
