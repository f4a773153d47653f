import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address of this machine that stays the same while a server behind it is restarted on other ports. */
export interface FixedAddress {
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Passes connections on to a server.
 *
 * @param portOf the present port of the server, asked for each connection
 */
export async function openFixedAddress(portOf: () => number): Promise<FixedAddress> {
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    const server = connect(portOf(), '127.0.0.1');
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => server.destroy());
    server.on('error', () => socket.destroy());
    socket.pipe(server).pipe(socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
