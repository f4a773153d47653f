import { once } from 'node:events';
import { type AddressInfo, connect, Server, type Socket } from 'node:net';
import fastify from 'fastify';
import { expect, it, onTestFinished, vi } from 'vitest';
import { closeGracefully } from './close-gracefully.ts';
import { listen } from './listen.ts';

/** A gateway that is closed after the test. */
function create() {
  const gateway = fastify({ return503OnClosing: false });
  closeGracefully(gateway);
  gateway.get('/', async () => ({}));
  onTestFinished(() => gateway.close());
  return gateway;
}

/** How many sockets listen on Linux, where they share the port. */
const LISTENERS = process.platform === 'linux' ? 16 : 1;

const MANY = 100;

it('a gateway listens on several sockets of one port, and closes all of them', async () => {
  const gateway = create();
  const url = await listen(gateway, { host: '127.0.0.1', port: 0 });
  const { port } = gateway.server.address() as AddressInfo;
  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect(gateway.acceptors).toHaveLength(LISTENERS - 1);
  const answers = await Promise.all(Array.from({ length: MANY }, () => fetch(url)));
  expect(answers.map(({ status }) => status)).toEqual(Array(MANY).fill(200));
  let accepted = 0;
  gateway.server.on('connection', () => accepted++);
  const idle: Socket[] = Array.from({ length: MANY }, () => connect(port, '127.0.0.1'));
  await expect.poll(() => accepted).toBe(MANY);
  const closed = idle.map((socket) => once(socket.resume(), 'close'));
  await gateway.close();
  await Promise.all(closed);
  await expect(fetch(url)).rejects.toThrow();
});

it('a port at which another gateway listens is in use', async () => {
  const gateway = create();
  await listen(gateway, { host: '127.0.0.1', port: 0 });
  const { port } = gateway.server.address() as AddressInfo;
  await expect(listen(create(), { host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    port,
  });
});

it.each(['127.0.0.1', '0.0.0.0', 'localhost'])(
  'a port of %s is in use by a gateway on all addresses',
  async (host) => {
    const gateway = create();
    await listen(gateway, { host: '0.0.0.0', port: 0 });
    const { port } = gateway.server.address() as AddressInfo;
    await expect(listen(create(), { host, port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
  },
);

it('a gateway listens with no socket that accepts no connections, which would reset them', async () => {
  const gateway = create();
  await listen(gateway, { host: '127.0.0.1', port: 0 });
  const { port } = gateway.server.address() as AddressInfo;
  await gateway.close();
  const opened = vi.spyOn(Server.prototype, 'listen');
  onTestFinished(() => opened.mockRestore());
  const next = create();
  await listen(next, { host: '127.0.0.1', port });
  const accepting = new Set<unknown>([next.server, ...next.acceptors]);
  expect(opened.mock.contexts.filter((server) => !accepting.has(server))).toEqual([]);
  expect(opened).toHaveBeenCalledTimes(LISTENERS);
});

it('a gateway listens again where one has ended', async () => {
  const gateway = create();
  await listen(gateway, { host: '127.0.0.1', port: 0 });
  const { port } = gateway.server.address() as AddressInfo;
  await gateway.close();
  const next = create();
  await listen(next, { host: '127.0.0.1', port });
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
});
