import { once } from 'node:events';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { refuse, toRefusal } from '@steward/errors';
import { systemRandom } from '@steward/kernel';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { ServerService } from '@steward/proto/steward/user/v1/server_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClientCredential,
  createChannel,
  defer,
  digestOf,
  headers,
  identify,
  type Requester,
  type Route,
  type RpcServer,
  requesterKey,
  route,
  serveRpc,
} from './mod.ts';

const CREDENTIAL = 'internal-credential';
const OLD = 'the old credential of the client';
const NEW = 'the new credential of the client';

/** The limits of `admit-clients.ts` and `limit-unauthenticated.ts`. */
const MAX_CALLS = 100;
const MAX_CONNECTIONS = 32;

const reader = { name: 'reader', scopes: [Scope.USERS_READ, Scope.USERS_WRITE] };
const known = (credential: string): ClientCredential => ({ client: reader, digest: digestOf(credential) });

let server: RpcServer;
let credentials: readonly ClientCredential[] = [];
let hold: Promise<unknown> | undefined;
let running = 0;
const seen: { caller?: Requester | undefined; header?: Headers } = {};
const connections: ClientHttp2Session[] = [];
const unreadable: unknown[] = [];

const routes = [
  route(AccountService, {
    getUser: async () => {
      running++;
      await hold;
      running--;
      return {};
    },
    putUser: () => ({}),
    deactivate: () => {
      throw refuse.notFound('x'.repeat(100_000));
    },
  } as never),
  route(SessionService, { whoAmI: () => ({}), authenticate: () => ({}) } as never),
  route(ServerService, { listClientVersions: () => ({}) } as never),
] as readonly Route[];

const record: Interceptor = (next) => (request) => {
  seen.caller = request.contextValues.get(requesterKey);
  seen.header = request.header;
  return next(request);
};

beforeAll(async () => {
  server = await serveRpc({
    routes,
    interceptors: [identify(() => Promise.reject(refuse.unknownToken('unknown'))), record, defer],
    credential: CREDENTIAL,
    clients: {
      credentials: () => credentials,
      requestId: (sent) => sent ?? 'new-id',
      onUnreadable: (call) => unreadable.push(call),
    },
    host: '127.0.0.1',
    port: 0,
    healthy: async () => true,
  });
});
beforeEach(() => {
  credentials = [known(OLD)];
});
afterEach(() => {
  for (const connection of connections.splice(0)) connection.destroy();
});
afterAll(() => server.close());

const transport = (create = createGrpcTransport) =>
  create({ baseUrl: server.url, httpVersion: '2' } as never);
const accounts = () => createClient(AccountService, transport());
const as = (credential: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { [headers.credential]: credential, ...more },
});
const refusalOf = async (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => ({ ...toRefusal(error), code: ConnectError.from(error).code }),
  );

describe('a call with the credential of a client', () => {
  it.each([
    ['gRPC', createGrpcTransport],
    ['gRPC-Web', createGrpcWebTransport],
    ['Connect', createConnectTransport],
    [
      'Connect with GET',
      (options: object) => createConnectTransport({ ...options, useHttpGet: true } as never),
    ],
  ])('over %s is made by the client itself, with its scopes', async (_, create) => {
    const client = createClient(AccountService, transport(create as never));
    const answer = await new Promise<Headers>((resolve, reject) => {
      client.getUser({}, { ...as(OLD), onHeader: resolve }).catch(reject);
    });
    expect(answer.get('x-request-id')).toBe('new-id');
    expect(seen.caller).toMatchObject({
      userId: 'client:reader',
      owner: 'client:reader',
      kind: 'client',
      admin: false,
      scopes: reader.scopes,
    });
  });

  it('a call with the credential of a client is refused beyond the scopes of the client, those of fields included', async () => {
    const client = accounts();
    expect(await refusalOf(client.putUser({}, as(OLD)))).toBeUndefined();
    expect(await refusalOf(client.putUser({ password: 'x' }, as(OLD)))).toMatchObject({
      status: 403,
      message: 'This requires the scope users:credentials',
    });
    expect(await refusalOf(client.resetPassword({}, as(OLD)))).toMatchObject({ status: 403 });
  });

  it('a call with the credential of a client is refused by methods that are not for administrators', async () => {
    const sessions = createClient(SessionService, transport());
    for (const call of [
      sessions.whoAmI({}, as(OLD)),
      sessions.authenticate({ accessToken: 'x' }, as(OLD)),
      createClient(ServerService, transport()).listClientVersions({}, as(OLD)),
    ])
      expect(await refusalOf(call)).toMatchObject({ code: Code.Unauthenticated, status: 401 });
  });

  it('states no requester', async () => {
    expect(await refusalOf(accounts().getUser({}, as(OLD, { [headers.accessToken]: 'x' })))).toMatchObject({
      code: Code.Unauthenticated,
      errcode: 'M_UNKNOWN_TOKEN',
    });
  });

  it('a call with the credential of a client is believed in no header of the server', async () => {
    const forged = Object.values(headers)
      .filter((name) => name !== headers.credential && name !== headers.accessToken)
      .map((name) => [name, '6.6.6.6']);
    await accounts().getUser({}, as(OLD, { ...Object.fromEntries(forged), 'x-request-id': 'mine' }));
    const believed = Object.values(headers).flatMap((name) => {
      const value = seen.header?.get(name);
      return value === null ? [] : [[name, value]];
    });
    expect(Object.fromEntries(believed)).toEqual({
      [headers.clientAddress]: '127.0.0.1',
      [headers.requestId]: 'mine',
    });
  });

  it('opens no link', async () => {
    const channel = createChannel({ urls: [server.url], credential: OLD, random: systemRandom });
    await expect(createClient(AccountService, channel).getUser({})).rejects.toMatchObject({
      code: Code.Unauthenticated,
    });
    channel.close();
  });

  it('has a refusal of a length that fits into headers', async () => {
    const refusal = await refusalOf(accounts().deactivate({}, as(OLD)));
    expect(refusal).toMatchObject({ status: 404, errcode: 'M_NOT_FOUND' });
    expect(refusal?.message.length).toBeLessThan(300);
  });
});

it('accepts both credentials of a client during a rotation, and each only while it is valid', async () => {
  const client = accounts();
  const accepted = async () => ({
    old: (await refusalOf(client.getUser({}, as(OLD)))) === undefined,
    new: (await refusalOf(client.getUser({}, as(NEW)))) === undefined,
    internal: (await refusalOf(client.getUser({}, as(CREDENTIAL))))?.errcode === 'M_MISSING_TOKEN',
  });
  expect(await accepted()).toEqual({ old: true, new: false, internal: true });
  credentials = [known(OLD), known(NEW)];
  expect(await accepted()).toEqual({ old: true, new: true, internal: true });
  credentials = [known(NEW)];
  expect(await accepted()).toEqual({ old: false, new: true, internal: true });
});

describe('a client', () => {
  it('has a limited number of calls in progress, also of those that it aborts', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    const aborted = new AbortController();
    const held = Array.from({ length: MAX_CALLS }, () =>
      refusalOf(accounts().getUser({}, { ...as(OLD), signal: aborted.signal })),
    );
    await expect.poll(() => running).toBe(MAX_CALLS);
    aborted.abort();
    await Promise.all(held);
    const client = accounts();
    expect(await refusalOf(client.putUser({}, as(OLD)))).toMatchObject({ code: Code.ResourceExhausted });
    resolve();
    hold = undefined;
    await expect.poll(() => refusalOf(client.putUser({}, as(OLD)))).toBeUndefined();
  });

  it('a client is refused with a message that only a process may send', async () => {
    const large = { userId: 'x'.repeat(3 * 1024 * 1024) };
    expect(await refusalOf(accounts().getUser(large, as(OLD)))).toMatchObject({
      code: Code.ResourceExhausted,
    });
    expect(await refusalOf(accounts().getUser(large, as(CREDENTIAL)))).toMatchObject({ status: 401 });
  });

  const MALFORMED = Buffer.from([0, 0, 0, 0, 2, 0x0a, 0xff]);
  const PATH = '/steward.user.v1.AccountService/GetUser';
  const UNKNOWN = '/steward.user.v1.AccountService/Unknown';

  it.each([
    ['a malformed message', PATH, 'application/grpc', OLD, Code.InvalidArgument],
    ['a malformed message', PATH, 'application/grpc+proto', OLD, Code.InvalidArgument],
    ['an unknown method', UNKNOWN, 'application/grpc', OLD, Code.Unimplemented],
    ['an unknown method', UNKNOWN, 'application/grpc-web+proto', OLD, Code.Unimplemented],
    ['an unknown service', '/some.Service/Method', 'application/grpc', CREDENTIAL, Code.Unimplemented],
    ['an unknown method', UNKNOWN, 'application/grpc', 'the credential of nobody', Code.Unauthenticated],
  ])(
    'a client is answered to %s at %s over %s as gRPC does',
    async (_, path, contentType, credential, code) => {
      unreadable.length = 0;
      const connection = connect(server.url);
      connections.push(connection);
      const stream = connection.request({
        ':method': 'POST',
        ':path': path,
        'content-type': contentType,
        te: 'trailers',
        [headers.credential]: credential,
      });
      stream.end(MALFORMED);
      const found: Record<string, unknown> = {};
      for (const event of ['response', 'trailers'])
        stream.once(event, (head: IncomingHttpHeaders) => Object.assign(found, head));
      stream.resume();
      await once(stream, 'close');
      expect(found).toMatchObject({
        ':status': 200,
        'content-type': expect.stringMatching(/^application\/grpc/),
        'grpc-status': `${code}`,
      });
      const isMalformed = code === Code.InvalidArgument;
      await expect
        .poll(() => unreadable)
        .toEqual(isMalformed ? [expect.objectContaining({ client: 'reader', method: PATH })] : []);
    },
  );

  it('has the streams of a stranger, and few connections, of which the oldest closes', async () => {
    const open = async () => {
      const connection = connect(server.url);
      connection.on('error', () => {});
      connections.push(connection);
      const stream = connection.request({
        ':method': 'POST',
        ':path': '/steward.user.v1.AccountService/GetUser',
        'content-type': 'application/grpc',
        [headers.credential]: OLD,
      });
      stream
        .on('error', () => {})
        .resume()
        .end();
      const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders];
      expect(answer[':status']).toBe(200);
      return connection;
    };
    const oldest = await open();
    const closed = once(oldest, 'close');
    for (let n = 0; n < MAX_CONNECTIONS; n++) await open();
    await closed;
    expect(connections.filter((connection) => !connection.closed)).toHaveLength(MAX_CONNECTIONS);
    expect(connections.at(-1)?.remoteSettings.maxConcurrentStreams).toBe(100);
  });
});
