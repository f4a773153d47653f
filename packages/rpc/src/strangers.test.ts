import { once } from 'node:events';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { Code, createClient } from '@connectrpc/connect';
import { compressionGzip, createConnectTransport } from '@connectrpc/connect-node';
import { Health } from '@steward/proto/health/v1/health_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { headers, type RpcServer, route, serveRpc } from './mod.ts';

const CREDENTIAL = 'internal-credential';

/** The limits of `limit-unauthenticated.ts`. */
const MAX_STRANGERS = 64;
const MAX_CALLS = 20;

/** That of `health.ts`. */
const MAX_WATCHERS = 100;

let server: RpcServer;
let handled = 0;
const connections: ClientHttp2Session[] = [];

beforeAll(async () => {
  server = await serveRpc({
    routes: [
      route(AccountService, {
        getAdminFlag: () => {
          handled++;
          return { admin: true };
        },
      } as never),
    ],
    interceptors: [],
    credential: CREDENTIAL,
    host: '127.0.0.1',
    port: 0,
    healthy: async () => true,
  });
});
afterEach(() => {
  for (const connection of connections.splice(0)) connection.destroy();
});
afterAll(() => server.close());

async function open(): Promise<ClientHttp2Session> {
  const connection = connect(server.url);
  connection.on('error', () => {});
  connections.push(connection);
  // The server has accepted the connection.
  await once(connection, 'remoteSettings');
  return connection;
}

/** Begins a call and never sends the end of its message. */
function begin(connection: ClientHttp2Session, sent: IncomingHttpHeaders = {}) {
  const stream = connection.request({
    ':method': 'POST',
    ':path': '/steward.user.v1.AccountService/GetAdminFlag',
    'content-type': 'application/proto',
    ...sent,
  });
  stream.on('error', () => {});
  stream.resume().write('the beginning of a message');
  return stream;
}

const toHealth = { ':path': `/${Health.typeName}/Check` };

describe('a caller without the credential', () => {
  it.each([
    { type: 'application/proto', status: 401 },
    { type: 'application/grpc', status: 200 },
    { type: 'application/grpc-web+proto', status: 200 },
  ])(
    'a caller without the credential is refused before its message of $type is received',
    async ({ type, status }) => {
      const stream = begin(await open(), { 'content-type': type });
      const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders];
      expect(answer[':status']).toBe(status);
      expect(handled).toBe(0);
    },
  );

  it('asks for health in a few bytes only', async () => {
    const client = createClient(Health, createConnectTransport({ baseUrl: server.url, httpVersion: '2' }));
    await client.check({});
    await expect(client.check({ service: 'x'.repeat(5_000) })).rejects.toMatchObject({
      code: Code.ResourceExhausted,
    });
  });

  it('can watch health as often as is permitted to all', async () => {
    const calls = new AbortController();
    const client = () =>
      createClient(Health, createConnectTransport({ baseUrl: server.url, httpVersion: '2' }));
    const watch = (watching: ReturnType<typeof client>) =>
      watching.watch({}, { signal: calls.signal })[Symbol.asyncIterator]().next();
    for (let connection = 0; connection < MAX_WATCHERS / MAX_CALLS; connection++) {
      const one = client();
      await Promise.all(Array.from({ length: MAX_CALLS }, () => watch(one)));
    }
    await expect(watch(client())).rejects.toMatchObject({ code: Code.ResourceExhausted });
    calls.abort();
  });

  it('loses its connection after some refused calls', async () => {
    const connection = await open();
    const closed = once(connection, 'close');
    for (let call = 0; call < MAX_CALLS; call++) await once(begin(connection), 'close');
    expect(connection.destroyed).toBe(false);
    begin(connection);
    await closed;
  });

  it('loses its connection when too many of its calls are in progress', async () => {
    const connection = await open();
    const closed = once(connection, 'close');
    for (let call = 0; call <= MAX_CALLS; call++) begin(connection, toHealth);
    await closed;
  });

  it('loses its connection when others open too many, and one with the credential does not', async () => {
    const known = await open();
    begin(known, { [headers.credential]: CREDENTIAL });
    await once(known, 'remoteSettings');
    const first = await open();
    const closed = once(first, 'close');
    for (let other = 0; other < MAX_STRANGERS; other++) await open();
    await closed;
    expect(known.destroyed).toBe(false);
  });
});

describe('a caller with the credential', () => {
  const interceptors = [
    (next: (request: never) => Promise<never>) => (request: { readonly header: Headers }) => {
      request.header.set(headers.credential, CREDENTIAL);
      return next(request as never);
    },
  ] as never;

  it('a caller with the credential is refused with a compressed message, which is not decompressed', async () => {
    const transport = createConnectTransport({
      baseUrl: server.url,
      httpVersion: '2',
      sendCompression: compressionGzip,
      compressMinBytes: 0,
      interceptors,
    });
    const bomb = createClient(AccountService, transport).getAdminFlag({ userId: 'x'.repeat(10_000_000) });
    await expect(bomb).rejects.toMatchObject({ code: Code.Unimplemented });
    expect(handled).toBe(0);
  });

  it('has as many calls in progress as a gateway needs', async () => {
    const connection = await open();
    begin(connection, { [headers.credential]: CREDENTIAL });
    await once(connection, 'remoteSettings');
    expect(connection.remoteSettings.maxConcurrentStreams).toBe(20_000);
  });
});
