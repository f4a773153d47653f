import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';

/** How many connections may be open that have not completed their handshake. One more closes the oldest. */
const MAX_HANDSHAKES = 64;

/** Bounds the connections of those who have not shown a certificate yet. */
export function limitHandshakes(server: Http2SecureServer): void {
  // In the order of insertion, so that the first is the oldest. The socket of TLS is another one, with the same remote end.
  const unproved = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const end = endOf(socket);
    unproved.set(end, socket);
    socket.once('close', () => {
      if (unproved.get(end) === socket) unproved.delete(end);
    });
    if (unproved.size <= MAX_HANDSHAKES) return;
    const [oldest] = unproved.values();
    oldest?.destroy();
  });
  server.on('secureConnection', (socket) => unproved.delete(endOf(socket)));
}

function endOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
