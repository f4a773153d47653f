import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { systemRandom, tlsRefusal } from '@steward/kernel';
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@steward/proto/health/v1/health_pb.ts';
import { ServerService } from '@steward/proto/steward/user/v1/server_pb.ts';
import { createAuthority, type TestAuthority } from '@steward/testing';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Channel, createChannel, headers, route, serveRpc, type Tls, type TlsIdentity } from './mod.ts';

const CREDENTIAL = 'internal-credential';

/** How long a call waits for a server that it cannot understand, in milliseconds. */
const timeoutMs = 500;

let ours: TestAuthority;
let others: TestAuthority;
beforeAll(async () => {
  [ours, others] = await Promise.all([createAuthority(), createAuthority()]);
});

const channels: Channel[] = [];
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close();
});

/** An identity that a test replaces. */
async function identity(
  authority: TestAuthority,
  options: {
    readonly hosts?: readonly string[];
    readonly days?: number;
    readonly trusts?: TestAuthority;
  } = {},
): Promise<TlsIdentity> {
  const { hosts = ['127.0.0.1', 'user.example'], days, trusts = ours } = options;
  const { certificate, key } = await authority.issue(hosts, days);
  const read = (path: string) => readFileSync(path, 'utf8');
  return { ca: read(trusts.file), certificate: read(certificate), key: read(key) };
}

function replaceable(first: TlsIdentity): Tls & { replace(next: TlsIdentity): void } {
  let current = first;
  const listeners: ((identity: TlsIdentity) => void)[] = [];
  return {
    current: () => current,
    onChange: (listener) => void listeners.push(listener),
    replace(next) {
      current = next;
      for (const listener of listeners) listener(next);
    },
  };
}

async function serve(tls: Tls) {
  const server = await serveRpc({
    routes: [route(ServerService, { listClientVersions: () => ({}) } as never)],
    interceptors: [],
    credential: CREDENTIAL,
    tls,
    host: '127.0.0.1',
    port: 0,
    healthy: async () => true,
  });
  onTestFinished(() => server.close());
  return server;
}

function open(tls: Tls | undefined, url: string, addresses: readonly string[] = ['127.0.0.1']) {
  const channel = createChannel({
    urls: [url],
    credential: CREDENTIAL,
    tls,
    random: systemRandom,
    lookUp: async () => addresses,
  });
  channels.push(channel);
  return createClient(ServerService, channel);
}

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => tlsRefusal(error) ?? String(error),
  );

describe('between processes with certificates of one authority', () => {
  it('calls, streams and links are encrypted, also to instances behind a name', async () => {
    const server = await serve(replaceable(await identity(ours)));
    expect(server.url).toMatch(/^https:/);
    const tls = replaceable(await identity(ours));
    expect(await refusalOf(open(tls, server.url).listClientVersions({}))).toBeUndefined();
    const named = server.url.replace('127.0.0.1', 'user.example');
    expect(await refusalOf(open(tls, named).listClientVersions({}))).toBeUndefined();
    const statuses = createClient(Health, channels.at(-1) as Channel)
      .watch({})
      [Symbol.asyncIterator]();
    expect((await statuses.next()).value).toMatchObject({ status: ServingStatus.SERVING });
    await statuses.return?.();
  });

  it('new connections use new files, and calls in progress go on', async () => {
    const serverTls = replaceable(await identity(ours));
    const server = await serve(serverTls);
    const clientTls = replaceable(await identity(ours));
    const before = open(clientTls, server.url);
    await before.listClientVersions({});
    serverTls.replace(await identity(others, { trusts: others }));
    expect(await refusalOf(open(clientTls, server.url).listClientVersions({}))).toMatch(/certificate/);
    await before.listClientVersions({});
    clientTls.replace(await identity(others, { trusts: others }));
    expect(await refusalOf(open(clientTls, server.url).listClientVersions({}))).toBeUndefined();
  });
});

describe('a caller is refused', () => {
  it.each([
    [
      'without TLS',
      async (): Promise<TlsIdentity | undefined> => undefined,
      /http request|wrong version|unknown protocol/i,
    ],
    ['with a certificate of another authority', () => identity(others), /UNABLE_TO_/],
    ['with an expired certificate', () => identity(ours, { days: -1 }), /CERT_HAS_EXPIRED/],
  ] as const)('%s', async (_, make, reason) => {
    const refusals: string[] = [];
    const onRefusal = (text: string) => void refusals.push(text);
    const server = await serve({ ...replaceable(await identity(ours)), onRefusal });
    const given = await make();
    const url = given ? server.url : server.url.replace('https', 'http');
    const client = open(given && replaceable(given), url);
    expect(await refusalOf(client.listClientVersions({}, { timeoutMs }))).toBeDefined();
    await expect.poll(() => refusals[0]).toMatch(reason);
  });

  it('without a certificate, whatever credential it has', async () => {
    const server = await serve(replaceable(await identity(ours)));
    const transport = createGrpcTransport({
      baseUrl: server.url,
      nodeOptions: { ca: readFileSync(ours.file) },
    });
    const options = { headers: { [headers.credential]: CREDENTIAL } };
    expect(await refusalOf(createClient(ServerService, transport).listClientVersions({}, options))).toMatch(
      /certificate required/i,
    );
  });

  it('a caller is refused that resumes a session without showing its certificate again', async () => {
    const server = await serve(replaceable(await identity(ours)));
    const { ca, certificate: cert, key } = await identity(ours);
    const { port } = new URL(server.url);
    const begin = async (session?: Buffer) => {
      const socket = connect({
        host: '127.0.0.1',
        port: Number(port),
        ca,
        cert,
        key,
        ALPNProtocols: ['h2'],
        ...(session ? { session } : {}),
      });
      onTestFinished(() => void socket.destroy());
      let ticket: Buffer | undefined;
      socket.on('session', (given) => {
        ticket = given;
      });
      await once(socket, 'data');
      return { isReused: socket.isSessionReused(), ticket };
    };
    const { ticket } = await begin();
    expect((await begin(ticket)).isReused).toBe(false);
  });
});

describe('a server is refused', () => {
  it.each([
    ['of another authority', () => identity(others), /certificate|self.signed/i],
    ['with an expired certificate', () => identity(ours, { days: -1 }), /expired/],
    ['with a certificate for another host', () => identity(ours, { hosts: ['room.example'] }), /altnames/i],
  ] as const)('%s', async (_, make, reason) => {
    const server = await serve(replaceable(await make()));
    const tls = replaceable(await identity(ours));
    const named = server.url.replace('127.0.0.1', 'user.example');
    expect(await refusalOf(open(tls, named).listClientVersions({}))).toMatch(reason);
  });
});
