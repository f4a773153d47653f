import { once } from 'node:events';
import { connect, createServer, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect as connectSocket } from 'node:net';
import { Code, ConnectError, createClient, type HandlerContext } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { refuse, toRefusal } from '@steward/errors';
import { systemRandom } from '@steward/kernel';
import { AccountService, type GetUserRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { startInstanceProxy } from '../fixtures/instance-proxy.ts';
import { MESSAGE_LIMIT_BYTES } from '../limits.ts';
import {
  type AnswerForm,
  type Channel,
  createChannel,
  type ForwardedWriters,
  forwardedAs,
  headers,
  type Route,
  type RpcServer,
  route,
  serveRpc,
  WrittenAnswer,
} from '../mod.ts';
import { identifyAs } from '../testing.ts';
import { openLink } from './link.ts';
import { LINK_PATH } from './protocol.ts';

const CREDENTIAL = 'internal-credential';
const ADMIN = { userId: '@a:test', admin: true, guest: false } as never;

/** The batch `closing`, after its length. */
const CLOSING = Buffer.from([0, 0, 0, 2, 4 << 3, 1]);

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

type GetUser = (request: GetUserRequest, context: HandlerContext) => unknown;

async function serve(getUser: GetUser, writers?: ForwardedWriters): Promise<RpcServer> {
  const routes: readonly Route[] = [route(AccountService, { getUser, putAdminFlag: () => ({}) } as never)];
  const server = await serveRpc({
    routes,
    interceptors: [identifyAs(ADMIN)],
    credential: CREDENTIAL,
    host: '127.0.0.1',
    port: 0,
    healthy: async () => true,
    ...(writers ? { writers } : {}),
  });
  opened.push(server);
  return server;
}

function clientOf(url: string, credential = CREDENTIAL) {
  const channel: Channel = createChannel({ urls: [url], credential, random: systemRandom });
  opened.push(channel);
  return createClient(AccountService, channel);
}

const nameOf = ({ userId }: GetUserRequest) => ({ user: { name: userId } });

it('answers each of many concurrent calls, with its headers, over one stream', async () => {
  const server = await serve((request, context) => {
    context.responseHeader.set('echo', context.requestHeader.get('sent') ?? '');
    return nameOf(request);
  });
  const client = clientOf(server.url);
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      let echo: string | null = null;
      const onHeader = (header: Headers) => {
        echo = header.get('echo');
      };
      const { user } = await client.getUser(
        { userId: `@${n}:test` },
        { headers: { sent: String(n) }, onHeader },
      );
      return `${user?.name} ${echo}`;
    }),
  );
  expect(answers).toEqual(Array.from({ length: 50 }, (_, n) => `@${n}:test ${n}`));
});

it('carries the JSON that the instance writes, or a message where it does not write', async () => {
  const writers: ForwardedWriters = ({ name }, { responseBody, compat }) =>
    responseBody === 'unknown'
      ? undefined
      : (answer) => ({ status: 201, body: `${name} ${compat} é ${JSON.stringify(answer)}` });
  const ask = async (form: AnswerForm | undefined, writes: boolean) => {
    const { url } = await serve(nameOf, writes ? writers : undefined);
    const channel = createChannel({ urls: [url], credential: CREDENTIAL, random: systemRandom });
    opened.push(channel);
    const hints = form && forwardedAs(form);
    const request = { userId: '@a:test' };
    const { message } = await channel.unary(
      AccountService.method.getUser,
      undefined,
      5_000,
      {},
      request,
      hints,
    );
    return message instanceof WrittenAnswer ? { ...message } : message.user?.name;
  };
  const form = { responseBody: '', compat: true };
  const body = 'GetUser true é {"user":{"name":"@a:test"}}';
  expect(await ask(form, true)).toEqual({ status: 201, body });
  // An instance of an earlier release writes nothing, and one of another release may not know the form.
  expect(await ask(form, false)).toBe('@a:test');
  expect(await ask({ ...form, responseBody: 'unknown' }, true)).toBe('@a:test');
  // A caller of an earlier release, or one that reads the answer.
  expect(await ask(undefined, true)).toBe('@a:test');
});

it('carries a message whose JSON would be too large', async () => {
  const writers: ForwardedWriters = () => () => ({ status: 200, body: ' '.repeat(MESSAGE_LIMIT_BYTES + 1) });
  const { url } = await serve(nameOf, writers);
  const client = clientOf(url);
  const contextValues = forwardedAs({ responseBody: '', compat: false });
  const { user } = await client.getUser({ userId: '@a:test' }, { contextValues });
  expect(user?.name).toBe('@a:test');
});

it('carries a message that is larger than a window', async () => {
  const server = await serve(nameOf);
  const userId = 'x'.repeat(10_000_000);
  const client = clientOf(server.url);
  const [large, small] = await Promise.all([client.getUser({ userId }), client.getUser({ userId: 'y' })]);
  expect([large.user?.name.length, small.user?.name]).toEqual([userId.length, 'y']);
});

it('carries many calls with long headers at once', async () => {
  const client = clientOf((await serve(nameOf)).url);
  // A client that sends a long token determines the length of one.
  const sent = { headers: { sent: 'x'.repeat(400_000) } };
  const calls = Array.from({ length: 100 }, () => client.putAdminFlag({ userId: '@a:test' }, sent));
  expect(await Promise.all(calls)).toHaveLength(100);
});

it('carries a refusal with its details and headers', async () => {
  const server = await serve(() => {
    const error = refuse.unknownToken('Gone') as ConnectError;
    error.metadata.set(headers.callerName, 'user x');
    throw error;
  });
  const error = await clientOf(server.url)
    .getUser({})
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ConnectError);
  expect(error.metadata.get(headers.callerName)).toBe('user x');
  expect(toRefusal(error)).toMatchObject({ status: 401, errcode: 'M_UNKNOWN_TOKEN', message: 'Gone' });
});

it('ends a call at its deadline and when its caller aborts it, and tells the handler', async () => {
  const ended: Promise<unknown>[] = [];
  const server = await serve(async (_, { signal }) => {
    ended.push(once(signal, 'abort'));
    await once(signal, 'abort');
    return {};
  });
  const client = clientOf(server.url);
  // On a busy machine the connection alone may take longer than the deadline, which is another refusal.
  await client.putAdminFlag({});
  await expect(client.getUser({}, { timeoutMs: 20 })).rejects.toMatchObject({ code: Code.DeadlineExceeded });
  // On a busy machine the deadline may have passed before the first call was handled.
  const before = ended.length;
  const caller = new AbortController();
  const call = client.getUser({}, { signal: caller.signal });
  await expect.poll(() => ended.length).toBeGreaterThan(before);
  caller.abort();
  await expect(call).rejects.toMatchObject({ code: Code.Canceled });
  await Promise.all(ended);
});

it('tells handlers that their caller is gone', async () => {
  const started = Promise.withResolvers<AbortSignal>();
  const server = await serve(async (_, { signal }) => {
    started.resolve(signal);
    await once(signal, 'abort');
    return {};
  });
  const channel = createChannel({ urls: [server.url], credential: CREDENTIAL, random: systemRandom });
  const call = createClient(AccountService, channel).getUser({});
  const signal = await started.promise;
  channel.close();
  await expect(call).rejects.toMatchObject({ code: Code.Unavailable });
  if (!signal.aborted) await once(signal, 'abort');
});

it('refuses another credential, and does not repeat the call', async () => {
  const server = await serve(nameOf);
  const call = clientOf(server.url, 'guess').getUser({});
  await expect(call).rejects.toMatchObject({ code: Code.Unauthenticated });
});

it('calls an instance of an earlier release, which has no links', async () => {
  const earlier = createServer(
    connectNodeAdapter({
      routes: (router) => router.service(AccountService, { getUser: nameOf } as never),
    }),
  ).listen(0, '127.0.0.1');
  await once(earlier, 'listening');
  opened.push(earlier);
  const client = clientOf(`http://127.0.0.1:${(earlier.address() as AddressInfo).port}`);
  expect((await client.getUser({ userId: '@a:test' })).user?.name).toBe('@a:test');
});

it('ends the stream of a caller that does not send batches', async () => {
  const server = await serve(nameOf);
  const session = connect(server.url);
  opened.push({ close: () => session.destroy() });
  const stream = session.request({ ':method': 'POST', ':path': LINK_PATH, [headers.credential]: CREDENTIAL });
  stream.on('error', () => {});
  stream.write(Buffer.alloc(100, 0xff));
  await new Promise((resolve) => stream.once('close', resolve));
  expect((await clientOf(server.url).getUser({ userId: '@a:test' })).user?.name).toBe('@a:test');
});

it('closes although a caller does not end its stream', async () => {
  const server = await serve(nameOf);
  const session = connect(server.url);
  opened.push({ close: () => session.destroy() });
  const stream = session.request({ ':method': 'POST', ':path': LINK_PATH, [headers.credential]: CREDENTIAL });
  stream.on('error', () => {}).resume();
  await once(stream, 'response');
  await server.close();
  opened.splice(opened.indexOf(server), 1);
});

it('sends calls that a closing instance did not accept to another one', async () => {
  let accepted = 0;
  // Accepts a link and the first call, then announces that it closes, as an instance does that is drained.
  const closing = createServer().on('stream', (stream: ServerHttp2Stream) => {
    accepted++;
    stream.respond({ ':status': 200 });
    stream.once('data', () => {
      stream.end(CLOSING);
    });
  });
  await once(closing.listen(0, '127.0.0.1'), 'listening');
  opened.push(closing);
  const server = await serve(nameOf);
  const url = `http://127.0.0.1:${(closing.address() as AddressInfo).port}`;
  const channel = createChannel({ urls: [url, server.url], credential: CREDENTIAL, random: systemRandom });
  opened.push(channel);
  // The method has side effects: the call is repeated only because it was never handled.
  expect(await createClient(AccountService, channel).putAdminFlag({ userId: '@a:test' })).toBeDefined();
  expect(accepted).toBe(1);
});

/** A server of a link that accepts the first call, announces that it closes, and then loses the connection. */
async function closingAndLost(): Promise<string> {
  const server = createServer().on('stream', (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200 });
    stream.once('data', () => {
      stream.write(CLOSING, () => setTimeout(() => stream.session?.socket.destroy(), 20));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  opened.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('does not repeat a call with side effects that a closing instance may have handled', async () => {
  let handled = 0;
  const server = await serveRpc({
    routes: [route(AccountService, { putAdminFlag: () => ({ x: handled++ }) } as never)],
    interceptors: [identifyAs(ADMIN)],
    credential: CREDENTIAL,
    host: '127.0.0.1',
    port: 0,
    healthy: async () => true,
  });
  opened.push(server);
  const channel = createChannel({
    urls: [await closingAndLost(), server.url],
    credential: CREDENTIAL,
    random: systemRandom,
  });
  opened.push(channel);
  const call = createClient(AccountService, channel).putAdminFlag({ userId: '@a:test' });
  await expect(call).rejects.toMatchObject({ code: Code.Unavailable });
  expect(handled).toBe(0);
});

it('sends calls elsewhere at once that reach an instance after it began to close', async () => {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const first = await serve(async (request) => {
    started.resolve();
    await release.promise;
    return nameOf(request);
  });
  const second = await serve(nameOf);
  const channel = createChannel({
    urls: [first.url, second.url],
    credential: CREDENTIAL,
    random: systemRandom,
  });
  opened.push(channel);
  const client = createClient(AccountService, channel);
  const long = client.getUser({ userId: 'long' });
  await started.promise;
  await client.getUser({ userId: 'second' });
  const late = client.getUser({ userId: 'late' });
  const closed = first.close();
  expect((await late).user?.name).toBe('late');
  release.resolve();
  expect((await long).user?.name).toBe('long');
  await closed;
});

it('loses an instance that does not answer pings for long', async () => {
  const server = await serve(() => Promise.withResolvers<never>().promise);
  const proxy = await startInstanceProxy(server.url, '127.0.0.1');
  const onChange = vi.fn();
  const link = await openLink({
    url: server.url,
    createConnection: () => connectSocket(proxy.port, '127.0.0.1'),
    credential: CREDENTIAL,
    signal: new AbortController().signal,
    onChange,
  });
  opened.push({ close: () => proxy.kill() });
  const sent = {
    timeoutMs: 60_000,
    signal: undefined,
    header: {},
    request: new Uint8Array(),
    form: undefined,
  };
  const call = link.call({ ...sent, method: 'steward.user.v1.AccountService/GetUser', isMovable: false });
  const lost = expect(call).rejects.toMatchObject({ mayBeHandled: true });
  const tick = (times: number) => {
    for (let n = 0; n < times; n++) link.tick();
  };
  proxy.freeze();
  tick(5);
  expect([link.isSilent, link.isUsable]).toEqual([true, true]);
  proxy.thaw();
  const isSilent = () => {
    tick(1);
    return link.isSilent;
  };
  await expect.poll(isSilent).toBe(false);
  expect(onChange).toHaveBeenCalledTimes(2);
  proxy.freeze();
  tick(60);
  await lost;
  await link.ended;
  expect(link.isUsable).toBe(false);
});

it('tells the handler of a call that its caller aborts at once', async () => {
  const signals: AbortSignal[] = [];
  const server = await serve(async (request, { signal }) => {
    if (request.userId === 'x') {
      signals.push(signal);
      await once(signal, 'abort');
    }
    return nameOf(request);
  });
  const client = clientOf(server.url);
  await client.getUser({ userId: 'y' });
  const caller = new AbortController();
  const call = client.getUser({ userId: 'x' }, { signal: caller.signal });
  queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => caller.abort())));
  await expect(call).rejects.toMatchObject({ code: Code.Canceled });
  await client.getUser({ userId: 'y' });
  expect(signals.filter(({ aborted }) => !aborted)).toEqual([]);
});
