import { connect, type Socket } from 'node:net';
import type { Transport } from '@connectrpc/connect';
import { loadConfig } from '@steward/config';
import { systemRandom } from '@steward/kernel';
import { WrittenAnswer } from '@steward/rpc';
import { createReadiness } from '@steward/runtime';
import { createLogger, createMetrics, noMeters } from '@steward/telemetry';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createGateway } from './server.ts';

const USER = '/_service/admin/v2/users/@a:test?access_token=t';
const DOWNLOAD = '/_matrix/media/v3/download/test/a';
const LENGTH = 16 * 1024 * 1024;

/** For machines that are busy. */
const WAIT = { timeout: 20_000 };

const never = new Promise<never>(() => {});

/** A gateway with these services, which listens, and what it has written about requests and counted of them. */
async function start(services: Partial<Transport>) {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  const metrics = createMetrics({ program: 'steward', release: '1.0.0' });
  const readiness = createReadiness(noMeters);
  readiness.serve([]);
  const gateway = await createGateway({
    config: loadConfig({ env: {} }),
    logger: createLogger({ level: 'info', name: 'test', destination }),
    random: systemRandom,
    metrics,
    transportOf: () => ({ unary: () => never, stream: () => never, ...services }),
    readiness,
  });
  onTestFinished(() => gateway.close());
  const { port } = new URL(await gateway.listen({ host: '127.0.0.1', port: 0 }));
  /** Sends a request on a connection of its own. */
  const send = (url: string, method = 'GET', body = ''): Socket => {
    const socket = connect(Number(port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write(`${method} ${url} HTTP/1.1\r\nhost: test\r\nx-request-id: r1\r\n${body || '\r\n'}`);
    return socket;
  };
  const lines = () => written.map((line) => JSON.parse(line)).filter(({ route }) => route !== undefined);
  const counts = async () =>
    [
      ...(await metrics.render()).matchAll(/^steward_http_request_duration_seconds_count\{(.*)\} (\d+)$/gm),
    ].map(([, labels = '', count]) => `${/status="(\d+)"/.exec(labels)?.[1]}: ${count}`);
  return { send, lines, counts };
}

/** An answer of a service that is a stream: its head, and these messages. */
const streaming = (messages: () => AsyncGenerator<object>): Partial<Transport> => ({
  stream: async () =>
    ({
      header: new Headers(),
      message: (async function* () {
        yield { head: { status: 200, length: BigInt(LENGTH), headers: {} } };
        yield* messages();
      })(),
    }) as never,
});

it('a request whose client disconnects before the answer has one line and one count, with status 499', async () => {
  const asked = Promise.withResolvers<void>();
  const { send, lines, counts } = await start({
    unary: () => {
      asked.resolve();
      return never;
    },
  });
  const socket = send(USER);
  await asked.promise;
  socket.destroy();
  await vi.waitFor(() => expect(lines()).toHaveLength(1), WAIT);
  expect(lines()).toMatchObject([
    {
      reqId: 'r1',
      verb: 'GET',
      route: '/_service/admin/v2/users/:user_id',
      status: 499,
      address: '127.0.0.1',
    },
  ]);
  expect(await counts()).toEqual(['499: 1']);
});

it.each([
  ['a body', USER, 'PUT'],
  ['an upload', '/_matrix/media/v3/upload?access_token=t', 'POST'],
])('a request whose client disconnects within %s has one line and one count', async (_, url, method) => {
  const { send, lines, counts } = await start({});
  const socket = send(url, method, 'content-length: 100\r\nexpect: 100-continue\r\n\r\nbegin');
  // The server asks for the body.
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  await vi.waitFor(() => expect(lines()).toMatchObject([{ verb: method, status: 499 }]), WAIT);
  expect(await counts()).toEqual(['499: 1']);
});

it.each([
  [
    'a stream',
    DOWNLOAD,
    streaming(async function* () {
      for (;;) yield { data: new Uint8Array(64 * 1024) };
    }),
  ],
  [
    'JSON',
    USER,
    {
      unary: async () =>
        ({
          header: new Headers(),
          message: new WrittenAnswer(200, JSON.stringify('a'.repeat(LENGTH))),
        }) as never,
    },
  ],
])('an answer of %s that its client does not read to its end has status 499', async (_, url, services) => {
  const { send, lines, counts } = await start(services);
  const socket = send(url);
  await new Promise((resolve) => socket.once('readable', resolve));
  socket.destroy();
  await vi.waitFor(() => expect(lines()).toMatchObject([{ status: 499 }]), WAIT);
  expect(lines()[0]).not.toHaveProperty('bytes');
  expect(await counts()).toEqual(['499: 1']);
});

it('an answer that ends early because a service failed has status 500', async () => {
  const services = streaming(async function* () {
    yield { data: new Uint8Array(64 * 1024) };
    throw new Error('a disk failed');
  });
  const { send, lines, counts } = await start(services);
  send(DOWNLOAD).resume();
  await vi.waitFor(() => expect(lines()).toMatchObject([{ status: 500 }]), WAIT);
  expect(await counts()).toEqual(['500: 1']);
});
