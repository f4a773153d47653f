import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { closeGracefully } from './close-gracefully.ts';

/** A gateway whose `/held` is answered when `release` is called. */
async function start() {
  const app = fastify({ return503OnClosing: false });
  const shutdown = closeGracefully(app);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  app.get('/', async () => ({ shutdown: shutdown.started }));
  app.get('/held', async () => {
    hold();
    await released;
    return {};
  });
  onTestFinished(async () => {
    release();
    await app.close();
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { app, port, held, release };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** The answer to a request: headers and body. */
async function get(socket: Socket, path: string): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`);
  return String((await once(socket, 'data'))[0]);
}

it('completes running requests, and then closes their connections', async () => {
  const { app, port, held, release } = await start();
  const socket = await open(port);
  const answer = get(socket, '/held');
  await held;
  const closed = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  release();
  expect(await answer).toMatch(/^HTTP\/1.1 200 .*connection: close\r\n/is);
  await once(socket, 'close');
  await closed;
});

it('aborts long polls after the grace period', async () => {
  const app = fastify({ return503OnClosing: false });
  const { abortsWaits } = closeGracefully(app);
  const { promise: waiting, resolve: wait } = Promise.withResolvers<void>();
  app.get('/', async () => {
    wait();
    await once(abortsWaits, 'abort');
    return {};
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = await open((app.server.address() as AddressInfo).port);
  const answer = get(socket, '/');
  await waiting;
  expect(abortsWaits.aborted).toBe(false);
  await Promise.all([app.close(), answer]);
  expect(await answer).toMatch(/^HTTP\/1.1 200 /);
});

it('answers requests on open connections, and accepts no new connections', async () => {
  const { app, port } = await start();
  const socket = await open(port);
  expect(await get(socket, '/')).toMatch(/connection: keep-alive\r\n.*"shutdown":false/is);
  const closed = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  await expect(open(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(await get(socket, '/')).toMatch(/^HTTP\/1.1 200 .*connection: close\r\n.*"shutdown":true/is);
  await closed;
});

it('closes idle connections, and those with an incomplete request', async () => {
  const { app, port } = await start();
  const idle = await open(port);
  await get(idle, '/');
  const silent = await open(port);
  const half = await open(port);
  half.write('GET / HTTP/1.1\r\nHo');
  const closed = [idle, silent, half].map((socket) => once(socket, 'close'));
  await app.close();
  await Promise.all(closed);
});
