import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import {
  credentials,
  loadPackageDefinition,
  Metadata,
  type ServiceClientConstructor,
  status,
} from '@grpc/grpc-js';
import { load } from '@grpc/proto-loader';
import { refuse, toRefusal } from '@steward/errors';
import { systemRandom } from '@steward/kernel';
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@steward/proto/health/v1/health_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LINK_PATH } from './link/protocol.ts';
import {
  type Channel,
  createChannel,
  defer,
  headers,
  identify,
  type Requester,
  type Route,
  type RpcServer,
  route,
  serveRpc,
} from './mod.ts';

const CREDENTIAL = 'internal-credential';
const protos = fileURLToPath(new URL('../../../proto', import.meta.url));

let calls = 0;
let hold: Promise<void> | undefined;
let healthy = true;

const routes: readonly Route[] = [
  route(AccountService, {
    getAdminFlag: async () => {
      calls++;
      await hold;
      return { admin: true };
    },
    putAdminFlag: async () => {
      calls++;
      await hold;
      return {};
    },
  } as never),
];

const start = (port = 0): Promise<RpcServer> =>
  serveRpc({
    routes,
    interceptors: [identify(authenticate), defer],
    credential: CREDENTIAL,
    host: '127.0.0.1',
    port,
    healthy: async () => healthy,
  });

const ADMIN: Requester = {
  userId: '@a:test',
  owner: '@a:test',
  deviceId: 'D',
  tokenId: 't',
  admin: true,
  guest: false,
  shadowBanned: false,
  suspended: false,
};
const TOKEN = 'token';
const asAdmin = { headers: { [headers.accessToken]: TOKEN } };

async function authenticate(token: string): Promise<Requester> {
  if (token !== TOKEN) throw refuse.unknownToken('Unknown access token');
  return ADMIN;
}

let server: RpcServer;
const channels: Channel[] = [];
const channelTo = (...urls: string[]) => {
  const channel = createChannel({ urls, credential: CREDENTIAL, random: systemRandom });
  channels.push(channel);
  return channel;
};

beforeAll(async () => {
  server = await start();
});
afterAll(async () => {
  for (const channel of channels) channel.close();
  await server.close();
});

describe('one port', () => {
  const transports: Record<string, () => Transport> = {
    'our own channel': () => channelTo(server.url),
    gRPC: () => createGrpcTransport({ baseUrl: server.url }),
    Connect: () => createConnectTransport({ baseUrl: server.url, httpVersion: '2' }),
    'gRPC-Web': () => createGrpcWebTransport({ baseUrl: server.url, httpVersion: '2' }),
  };
  it.each(Object.keys(transports))('speaks %s', async (protocol) => {
    const client = createClient(AccountService, (transports[protocol] as () => Transport)());
    const headersOf = { ...asAdmin.headers, [headers.credential]: CREDENTIAL };
    expect((await client.getAdminFlag({ userId: '@a:test' }, { headers: headersOf })).admin).toBe(true);
  });

  it('refuses a caller without the credential, whatever its other headers are', async () => {
    const stranger = createClient(
      AccountService,
      createConnectTransport({ baseUrl: server.url, httpVersion: '2' }),
    );
    await expect(stranger.getAdminFlag({}, asAdmin)).rejects.toMatchObject({ code: Code.Unauthenticated });
    const wrong = { headers: { ...asAdmin.headers, [headers.credential]: 'guess' } };
    await expect(stranger.getAdminFlag({}, wrong)).rejects.toMatchObject({ code: Code.Unauthenticated });
  });

  it('does not believe a requester stated by a caller with the credential', async () => {
    const client = createClient(AccountService, channelTo(server.url));
    const stated = { headers: { 'steward-requester': encodeURIComponent(JSON.stringify(ADMIN)) } };
    const error = await client.getAdminFlag({}, stated).catch((thrown) => thrown);
    expect(toRefusal(error)).toMatchObject({ status: 401, errcode: 'M_MISSING_TOKEN' });
  });

  it('carries a complete refusal', async () => {
    const client = createClient(AccountService, channelTo(server.url));
    const error = await client.getAdminFlag({}).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ConnectError);
    expect(toRefusal(error)).toMatchObject({ status: 401, errcode: 'M_MISSING_TOKEN' });
  });
});

describe('a foreign gRPC client', () => {
  const call = async (metadata: Record<string, string>) => {
    const definition = await load('steward/user/v1/accounts.proto', {
      includeDirs: [protos, `${protos}/node_modules/google-proto-files`],
    });
    const loaded = loadPackageDefinition(definition) as never as {
      steward: { user: { v1: { AccountService: ServiceClientConstructor } } };
    };
    const client = new loaded.steward.user.v1.AccountService(
      new URL(server.url).host,
      credentials.createInsecure(),
    );
    const sent = new Metadata();
    for (const [key, value] of Object.entries(metadata)) sent.set(key, value);
    try {
      return await new Promise((resolve) => {
        client.GetAdminFlag?.(
          { userId: '@a:test' },
          sent,
          (error: { code: number } | null, answer: unknown) => resolve(error ? error.code : answer),
        );
      });
    } finally {
      client.close();
    }
  };

  it('calls unary methods with the credential, and is refused without it', async () => {
    const known = { [headers.credential]: CREDENTIAL, [headers.accessToken]: TOKEN };
    expect(await call(known)).toEqual({ admin: true });
    expect(await call({ [headers.accessToken]: TOKEN })).toBe(status.UNAUTHENTICATED);
  });

  it('watches health without it', async () => {
    const definition = await load('health/v1/health.proto', {
      includeDirs: [`${protos}/node_modules/grpc-health-check/proto`],
    });
    const loaded = loadPackageDefinition(definition) as never as {
      grpc: { health: { v1: { Health: ServiceClientConstructor } } };
    };
    const client = new loaded.grpc.health.v1.Health(new URL(server.url).host, credentials.createInsecure());
    const stream = client.Watch?.({ service: '' });
    const first = await new Promise((resolve) => stream?.once('data', resolve));
    expect(first).toMatchObject({ status: ServingStatus.SERVING });
    stream?.on('error', () => {});
    stream?.cancel();
    client.close();
  });
});

describe('health', () => {
  it('reports what is served, and when it is not', async () => {
    const client = createClient(Health, channelTo(server.url));
    expect((await client.check({ service: AccountService.typeName })).status).toBe(ServingStatus.SERVING);
    await expect(client.check({ service: 'nothing' })).rejects.toMatchObject({ code: Code.NotFound });
    const { statuses } = await client.list({});
    const all = ['', AccountService.typeName].map((name) => [name, ServingStatus.SERVING]);
    expect(Object.entries(statuses).map(([name, { status }]) => [name, status])).toEqual(all);
    healthy = false;
    expect((await client.check({})).status).toBe(ServingStatus.NOT_SERVING);
    healthy = true;
  });
});

describe('a drain', () => {
  it('notifies watchers of health, and does not wait for them', async () => {
    const draining = await start();
    const statuses: ServingStatus[] = [];
    const { promise: watching, resolve } = Promise.withResolvers<void>();
    const watch = async () => {
      for await (const { status } of createClient(Health, channelTo(draining.url)).watch({})) {
        statuses.push(status);
        resolve();
      }
    };
    const watched = watch();
    await watching;
    await draining.close();
    await watched;
    expect(statuses).toEqual([ServingStatus.SERVING, ServingStatus.NOT_SERVING]);
  });
});

describe('a channel', () => {
  it('completes running calls when the server drains, and continues with the other instance', async () => {
    const [draining, remaining] = [await start(), await start()];
    const client = createClient(AccountService, channelTo(draining.url, remaining.url));
    let release: () => void = () => {};
    hold = new Promise((resolve) => {
      release = resolve;
    });
    calls = 0;
    const underWay = [client.putAdminFlag({}, asAdmin), client.putAdminFlag({}, asAdmin)];
    await expect.poll(() => calls).toBe(2);
    const drained = draining.close();
    release();
    hold = undefined;
    await Promise.all(underWay);
    await drained;
    for (let i = 0; i < 10; i++) await client.putAdminFlag({}, asAdmin);
    expect(calls).toBe(12);
    await remaining.close();
  });

  it('waits for a restarting instance', async () => {
    const first = await start();
    const port = Number(new URL(first.url).port);
    const client = createClient(AccountService, channelTo(first.url));
    await client.getAdminFlag({}, asAdmin);
    await first.close();
    const call = client.putAdminFlag({}, asAdmin);
    const second = await start(port);
    await call;
    await second.close();
  });

  it('waits for a restarting instance before it streams', async () => {
    const first = await start();
    const port = Number(new URL(first.url).port);
    const client = createClient(Health, channelTo(first.url));
    await first.close();
    const received = Promise.withResolvers<ServingStatus>();
    const watch = async () => {
      for await (const { status } of client.watch({})) received.resolve(status);
    };
    const watched = watch();
    const second = await start(port);
    expect(await received.promise).toBe(ServingStatus.SERVING);
    await second.close();
    await watched;
  });

  it.each(['before', 'while'])('reports an instance that crashes %s it answers a stream', async (when) => {
    const crashing = createServer().on('stream', (stream: ServerHttp2Stream, { ':path': path }) => {
      if (path === LINK_PATH) stream.respond({ ':status': 200 });
      else if (when === 'while')
        stream.respond({ ':status': 200, 'content-type': 'application/connect+proto' });
      stream.once('data', () => stream.session?.destroy());
    });
    await once(crashing.listen(0, '127.0.0.1'), 'listening');
    const client = createClient(
      Health,
      channelTo(`http://127.0.0.1:${(crashing.address() as AddressInfo).port}`),
    );
    const watched = Array.fromAsync(client.watch({}));
    await expect(watched).rejects.toMatchObject({ code: Code.Unavailable });
    crashing.close();
  });

  it.each([
    ['repeats', 'getAdminFlag', 1],
    ['does not repeat', 'putAdminFlag', 0],
  ] as const)('%s %s when an instance crashes during the call', async (_, method, repetitions) => {
    let isCrashed = false;
    const crashing = createServer().on('stream', (stream: ServerHttp2Stream) => {
      stream.respond({ ':status': 200 });
      stream.once('data', () => {
        isCrashed = true;
        stream.session?.destroy();
        crashing.close();
      });
    });
    await once(crashing.listen(0, '127.0.0.1'), 'listening');
    const portOf = (url: string) => new URL(url).port;
    const channel = createChannel({
      urls: [
        `http://crashing:${(crashing.address() as AddressInfo).port}`,
        `http://other:${portOf(server.url)}`,
      ],
      credential: CREDENTIAL,
      random: systemRandom,
      lookUp: async (name) => (name === 'crashing' || isCrashed ? ['127.0.0.1'] : []),
    });
    channels.push(channel);
    calls = 0;
    const call = createClient(AccountService, channel)[method]({}, asAdmin);
    if (repetitions > 0) await call;
    else await expect(call).rejects.toMatchObject({ code: Code.Unavailable });
    expect({ isCrashed, calls }).toEqual({ isCrashed: true, calls: repetitions });
  });

  it('does not repeat a call that the service itself failed', async () => {
    calls = 0;
    hold = Promise.reject(new ConnectError('The store is away', Code.Unavailable));
    hold.catch(() => {});
    const client = createClient(AccountService, channelTo(server.url));
    await expect(client.getAdminFlag({}, asAdmin)).rejects.toMatchObject({ rawMessage: 'The store is away' });
    hold = undefined;
    expect(calls).toBe(1);
  });

  it('waits for an instance no longer than the caller does', async () => {
    const gone = await start();
    await gone.close();
    const client = createClient(AccountService, channelTo(gone.url));
    await expect(client.getAdminFlag({}, { ...asAdmin, timeoutMs: 10 })).rejects.toThrow(ConnectError);
  });
});
