import { Code, createClient, type HandlerContext } from '@connectrpc/connect';
import { systemRandom } from '@steward/kernel';
import { AccountService, type GetUserRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { AccountQuotaService } from '@steward/proto/steward/user/v1/quotas_pb.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { type InstanceProxy, startInstanceProxy } from './fixtures/instance-proxy.ts';
import { createChannel, type RpcServer, route, serveRpc } from './mod.ts';
import { identifyAs } from './testing.ts';

const CREDENTIAL = 'internal-credential';
const ADMIN = { userId: '@a:test', admin: true, guest: false } as never;

/** The name of the service in these tests. */
const NAME = 'accounts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** An instance at an address of its own, with the port that all instances have. */
interface TestInstance {
  readonly host: string;
  readonly server: RpcServer;
  readonly proxy: InstanceProxy;
  /** How many calls it has received. */
  calls: number;
}

type Handler = (request: GetUserRequest, context: HandlerContext) => unknown;

const answer: Handler = ({ userId }) => ({ user: { name: userId } });

/** Starts instances at 127.0.0.1, 127.0.0.2 and so on. */
async function startInstances(count: number, getUser: Handler = answer): Promise<readonly TestInstance[]> {
  const instances: TestInstance[] = [];
  for (let n = 1; n <= count; n++) {
    const handle: Handler = (request, context) => {
      instance.calls++;
      return getUser(request, context);
    };
    const server = await serveRpc({
      routes: [
        route(AccountService, { getUser: handle, putAdminFlag: handle } as never),
        route(AccountQuotaService, { setAccountQuotas: handle } as never),
      ],
      interceptors: [identifyAs(ADMIN)],
      credential: CREDENTIAL,
      host: '127.0.0.1',
      port: 0,
      healthy: async () => true,
    });
    const host = `127.0.0.${n}`;
    const proxy = await startInstanceProxy(server.url, host, instances[0]?.proxy.port);
    const instance: TestInstance = { host, server, proxy, calls: 0 };
    instances.push(instance);
    opened.push({
      async close() {
        await proxy.kill();
        await server.close();
      },
    });
  }
  return instances;
}

/** A channel to the instances that a name server has. */
function channelTo(instances: readonly TestInstance[]) {
  let found: readonly TestInstance[] | Error = instances;
  const lookUp = vi.fn(async () => {
    if (found instanceof Error) throw found;
    return found.map(({ host }) => host);
  });
  const urls = [`http://${NAME}:${instances[0]?.proxy.port}`];
  const channel = createChannel({ urls, credential: CREDENTIAL, random: systemRandom, lookUp });
  opened.push(channel);
  return {
    client: createClient(AccountService, channel),
    quotas: createClient(AccountQuotaService, channel),
    lookUp,
    setFound(now: readonly TestInstance[] | Error) {
      found = now;
    },
  };
}

/** Calls one after the other, several times at once, until it is stopped. Returns the failures. */
function startLoad(call: (n: number) => Promise<unknown>, clients = 20) {
  let isStopped = false;
  let calls = 0;
  const failures: unknown[] = [];
  const work = async () => {
    while (!isStopped) await call(calls++).catch((error: unknown) => failures.push(error));
  };
  const all = Array.from({ length: clients }, work);
  return async () => {
    isStopped = true;
    await Promise.all(all);
    return failures;
  };
}

const receives = (instance: TestInstance | undefined) => {
  const before = instance?.calls ?? 0;
  return expect.poll(() => instance?.calls ?? 0).toBeGreaterThan(before + 10);
};

it('uses all instances of a name, while they are added, drained and killed', async () => {
  const [first, second, third] = (await startInstances(3)) as [TestInstance, TestInstance, TestInstance];
  const { client, setFound } = channelTo([first, second]);
  const stopChanges = startLoad((n) => client.putAdminFlag({ userId: `@${n}:test` }));
  const stopReads = startLoad((n) => client.getUser({ userId: `@${n}:test` }));
  await receives(first);
  await receives(second);

  setFound([second, third]);
  await first.server.close();
  await receives(third);
  expect(await stopChanges()).toEqual([]);

  // Calls of methods that are not safe to repeat would fail.
  await second.proxy.kill();
  await receives(third);
  expect(await stopReads()).toEqual([]);
});

it('calls the less busy of two instances', async () => {
  const release = Promise.withResolvers<void>();
  let held = 0;
  const instances = await startInstances(2, async (request, context) => {
    if (request.userId === 'long') {
      held++;
      await release.promise;
    }
    return answer(request, context);
  });
  const { client } = channelTo(instances);
  const stop = startLoad((n) => client.getUser({ userId: `@${n}:test` }));
  for (const instance of instances) await receives(instance);
  expect(await stop()).toEqual([]);
  for (const instance of instances) instance.calls = 0;
  const long = Array.from({ length: 10 }, () => client.getUser({ userId: 'long' }));
  await expect.poll(() => held).toBe(10);
  expect(instances.map(({ calls }) => calls)).toEqual([5, 5]);
  release.resolve();
  await Promise.all(long);
});

it('leaves an instance whose packets are lost, and uses it again', async () => {
  const [lost, other] = (await startInstances(2)) as [TestInstance, TestInstance];
  const { client, quotas } = channelTo([lost, other]);
  const stop = startLoad((n) => client.getUser({ userId: `@${n}:test` }));
  await receives(lost);
  await receives(other);
  expect(await stop()).toEqual([]);

  lost.proxy.freeze();
  const { accepted } = lost.proxy.connections;
  let changed = 0;
  const changes = Array.from({ length: 20 }, async () => {
    await client.putAdminFlag({ userId: '@a:test' });
    changed++;
  });
  const reads = Array.from({ length: 20 }, () => client.getUser({ userId: '@a:test' }));
  await Promise.all(reads);
  // They have side effects, and are safe to repeat.
  await Promise.all(Array.from({ length: 20 }, () => quotas.setAccountQuotas({ userId: '@a:test' })));
  // A call of any other method waits, because the instance may have received it.
  await expect.poll(() => changed).toBe(10);
  other.calls = 0;
  for (let n = 0; n < 20; n++) await client.putAdminFlag({ userId: '@a:test' });
  expect(other.calls).toBe(20);

  lost.proxy.thaw();
  await Promise.all(changes);
  const stopAgain = startLoad((n) => client.putAdminFlag({ userId: `@${n}:test` }));
  await receives(lost);
  expect(await stopAgain()).toEqual([]);
  expect(lost.proxy.connections.accepted).toBe(accepted);
});

it('calls the others while an address does not answer', async () => {
  const [only] = (await startInstances(1)) as [TestInstance];
  // An address for documentation, which no machine has.
  const { client } = channelTo([{ ...only, host: '192.0.2.1' }, only]);
  const stop = startLoad((n) => client.putAdminFlag({ userId: `@${n}:test` }));
  await receives(only);
  expect(await stop()).toEqual([]);
});

it('lets the calls of an instance end that is no longer found, and then closes its connection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const release = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const [gone, added] = (await startInstances(2, async (request, context) => {
    if (request.userId === 'long') {
      started.resolve();
      await release.promise;
    }
    return answer(request, context);
  })) as [TestInstance, TestInstance];
  const { client, setFound } = channelTo([gone]);
  const long = client.putAdminFlag({ userId: 'long' });
  await started.promise;
  setFound([added]);
  await vi.advanceTimersByTimeAsync(5_000);
  for (let n = 0; n < 20; n++) await client.putAdminFlag({ userId: '@a:test' });
  expect([gone.calls, added.calls]).toEqual([1, 20]);
  expect(gone.proxy.connections.open).toBe(1);
  release.resolve();
  await long;
  await expect.poll(() => gone.proxy.connections.open).toBe(0);
});

it('keeps the instances that it knows when a look-up fails', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const [only] = (await startInstances(1)) as [TestInstance];
  const { client, setFound, lookUp } = channelTo([only]);
  await client.getUser({ userId: '@a:test' });
  setFound(new Error('EAI_AGAIN'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lookUp.mock.calls.length).toBeGreaterThan(5);
  expect((await client.getUser({ userId: '@a:test' })).user?.name).toBe('@a:test');
  expect(only.proxy.connections.accepted).toBe(1);
});

it('keeps no connection to instances that come and go', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const instances = await startInstances(3);
  const { client, setFound } = channelTo(instances);
  await client.getUser({ userId: '@a:test' });
  for (let n = 0; n < 42; n++) {
    setFound(instances.filter((_, index) => index !== n % 3));
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await client.getUser({ userId: '@a:test' })).user?.name).toBe('@a:test');
  }
  vi.useRealTimers();
  const connections = () => instances.map(({ proxy }) => proxy.connections.open);
  await expect.poll(connections).toEqual([1, 1, 0]);
});

it('fails calls when no instance is known in time', async () => {
  const { client, setFound } = channelTo(await startInstances(1));
  setFound([]);
  const call = client.getUser({ userId: '@a:test' }, { timeoutMs: 10 });
  await expect(call).rejects.toMatchObject({ code: Code.Unavailable });
});
