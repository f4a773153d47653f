import { createLocalBus, PUSHERS_TOPIC } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { PushStateService } from '@steward/proto/steward/room/v1/push_states_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { SignalService } from '@steward/proto/steward/room/v1/signals_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { type CrashPoint, crashableStore, stores } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runScenario, type Scenario } from '../../fixtures/crash-points.ts';
import { HANGS, startTestGateway, type TestGateway, type TestPusher } from '../../fixtures/push-gateway.ts';
import { ADMIN, startTestService, type TestService } from '../../fixtures/test-service.ts';
import { pushQueues, pushStates } from '../model/push.ts';

const ALICE = '@alice:test';
const BOB = '@bob:test';

const PATIENCE = { timeout: 20_000, interval: 5 };

/** Longer than a lease, and than the longest pause after failures. */
const LONG_MS = 45 * 60_000;

let txn = 0;
const send = async (service: TestService, roomId: string, body = 'hello', from = ALICE) => {
  const content = JSON.stringify({ msgtype: 'm.text', body });
  const event = { roomId, eventType: 'm.room.message', txnId: `${txn++}`, content };
  return (await service.client(EventService, from).sendEvent(event)).eventId;
};
const createRoom = async (service: TestService) =>
  (await service.client(RoomService, ALICE).createRoom({ preset: 'public_chat' })).roomId;
const join = (service: TestService, roomId: string, user = BOB) =>
  service.client(MembershipService, user).joinRoom({ roomId });
const read = (service: TestService, roomId: string, eventId: string, receiptType = 'm.read') =>
  service.client(SignalService, BOB).sendReceipt({ roomId, eventId, receiptType });

/** The events that the gateway received, each where it first arrived. */
const eventsAt = ({ received }: TestGateway) => [
  ...new Set(received.flatMap(({ event_id }) => event_id ?? [])),
];

async function start(store: Store, gateway: TestGateway) {
  const clock = createFakeClock();
  const busStore = await openSqliteStore({ path: ':memory:' });
  const bus = await createLocalBus({ store: busStore, clock, random: systemRandom });
  const services = new Set<TestService>();
  onTestFinished(async () => {
    for (const service of services) await service.close();
    await bus.close();
    await busStore.close();
  });
  return {
    clock,
    setPushers(...users: readonly (string | Omit<TestPusher, 'setTs'>)[]) {
      const pushers = users.map((user) => (typeof user === 'string' ? { userId: user } : user));
      gateway.setPushers(pushers.map((pusher) => ({ ...pusher, setTs: clock.now() })));
      bus.notify(PUSHERS_TOPIC);
    },
    async open(on = store, timeoutMs?: number) {
      const pushes = { ...gateway.pushes, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
      const service = await startTestService({ store: on, bus, clock, pushes });
      services.add(service);
      return service;
    },
    async close(service: TestService) {
      services.delete(service);
      await service.close();
    },
  };
}

async function gatewayOfTest(): Promise<TestGateway> {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway.close());
  return gateway;
}

async function storeOfTest(): Promise<Store> {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  return store;
}

describe('a push', () => {
  it('is sent for what notifies others and tells what is unread, also when less is', async () => {
    const gateway = await gatewayOfTest();
    const { open, setPushers } = await start(await storeOfTest(), gateway);
    const service = await open();
    const roomId = await createRoom(service);
    const before = await send(service, roomId);
    await join(service, roomId);
    setPushers(ALICE, BOB);
    const sent = [await send(service, roomId), await send(service, roomId)];
    await send(service, roomId, 'my own', BOB);
    await expect.poll(() => eventsAt(gateway), PATIENCE).toEqual(expect.arrayContaining(sent));
    const keys = gateway.received.flatMap(({ event_id, devices }) =>
      sent.includes(event_id ?? '') ? devices.map(({ pushkey }) => pushkey) : [],
    );
    expect(new Set(keys)).toEqual(new Set([BOB]));
    expect(eventsAt(gateway)).not.toContain(before);
    const badges = () =>
      gateway.received.flatMap(({ event_id, counts, devices }) =>
        event_id === undefined && devices[0]?.pushkey === BOB ? counts.unread : [],
      );
    await read(service, roomId, sent[0] ?? '');
    await expect.poll(badges, PATIENCE).toEqual([1]);
    await read(service, roomId, sent[1] ?? '', 'm.read.private');
    await expect.poll(badges, PATIENCE).toEqual([1, 0]);
    expect(service.faults).toEqual([]);
  });

  it('tells each pusher of a user the same number', async () => {
    const gateway = await gatewayOfTest();
    const { open, setPushers } = await start(await storeOfTest(), gateway);
    const service = await open();
    const roomId = await createRoom(service);
    await join(service, roomId);
    setPushers(
      { userId: BOB, pushkey: 'phone' },
      { userId: BOB, pushkey: 'tablet' },
      { userId: BOB, pushkey: 'laptop' },
    );
    for (const unread of [1, 2, 3, 4, 5]) {
      const eventId = await send(service, roomId);
      // A push may be repeated.
      const told = () => {
        const pushes = gateway.received.filter(({ event_id }) => event_id === eventId);
        return new Map(pushes.map(({ devices, counts }) => [devices[0]?.pushkey, counts.unread]));
      };
      const same = new Map(['phone', 'tablet', 'laptop'].map((pushkey) => [pushkey, unread]));
      await expect.poll(told, PATIENCE).toEqual(same);
    }
  });

  it('is sent for an invitation', async () => {
    const gateway = await gatewayOfTest();
    const { open, setPushers } = await start(await storeOfTest(), gateway);
    const service = await open();
    const roomId = await createRoom(service);
    setPushers(BOB);
    await service.client(MembershipService, ALICE).invite({ roomId, userId: BOB });
    await send(service, roomId);
    await expect.poll(() => gateway.received, PATIENCE).toMatchObject([{ type: 'm.room.member' }]);
  });

  it('is not sent to a pusher that the gateway rejected, which is removed with all that was stored', async () => {
    const gateway = await gatewayOfTest();
    const store = await storeOfTest();
    const { open, setPushers } = await start(store, gateway);
    const service = await open();
    const roomId = await createRoom(service);
    await join(service, roomId);
    setPushers(BOB);
    gateway.answer(200, { rejected: ['another', BOB] });
    await send(service, roomId);
    await expect.poll(() => gateway.removed, PATIENCE).toEqual([BOB]);
    setPushers();
    for (const kept of [pushQueues, pushStates]) {
      const collection = await store.collection(kept as typeof pushQueues);
      await expect.poll(() => collection.countDocuments({}), PATIENCE).toBe(0);
    }
    expect(eventsAt(gateway)).toHaveLength(1);
  });
});

describe('the number that a pusher tells', () => {
  const shown = ({ received }: TestGateway) => received.at(-1)?.counts.unread;
  /** One unread message, whose push has arrived. */
  const ring = async (service: TestService, gateway: TestGateway, roomId: string) => {
    const eventId = await send(service, roomId);
    await expect.poll(() => eventsAt(gateway), PATIENCE).toContain(eventId);
    return eventId;
  };

  it('a number is pushed again when a message was read while its push was not answered', async () => {
    const gateway = await gatewayOfTest();
    const { open, setPushers } = await start(await storeOfTest(), gateway);
    const service = await open();
    const roomId = await createRoom(service);
    await join(service, roomId);
    setPushers(BOB);
    const release = gateway.hold();
    await read(service, roomId, await ring(service, gateway, roomId));
    release();
    await expect.poll(() => shown(gateway), PATIENCE).toBe(0);
  });

  it('a number is pushed again after an attempt whose success is not known', async () => {
    const gateway = await gatewayOfTest();
    const { clock, open, setPushers } = await start(await storeOfTest(), gateway);
    const service = await open(undefined, 100);
    const roomId = await createRoom(service);
    await join(service, roomId);
    setPushers(BOB);
    const release = gateway.hold();
    const eventId = await ring(service, gateway, roomId);
    const failed = async () =>
      (await service.client(PushStateService, ADMIN).listPushStates({ userId: BOB })).pushStates[0]
        ?.lastFailure?.failure;
    await expect.poll(failed, PATIENCE).toBe('timeout');
    release();
    await read(service, roomId, eventId);
    clock.advance(LONG_MS);
    await expect.poll(() => shown(gateway), PATIENCE).toBe(0);
  });

  it('a number is pushed again by the process that takes over from one that died before it knew the answer', async () => {
    const gateway = await gatewayOfTest();
    const store = await storeOfTest();
    const { clock, open, close, setPushers } = await start(store, gateway);
    const crashable = crashableStore(store);
    const service = await open(crashable.store);
    const roomId = await createRoom(service);
    await join(service, roomId);
    setPushers(BOB);
    const release = gateway.hold();
    const eventId = await ring(service, gateway, roomId);
    crashable.crashAt(1, 'before');
    release();
    await close(service).catch(() => {});
    clock.advance(LONG_MS);
    const next = await open();
    await read(next, roomId, eventId);
    await expect.poll(() => shown(gateway), PATIENCE).toBe(0);
  });

  it('falls when its user leaves a room', async () => {
    const gateway = await gatewayOfTest();
    const { open, setPushers } = await start(await storeOfTest(), gateway);
    const service = await open();
    const [roomId, other] = [await createRoom(service), await createRoom(service)];
    await join(service, roomId);
    await join(service, other);
    setPushers(BOB);
    await ring(service, gateway, roomId);
    await ring(service, gateway, other);
    expect(shown(gateway)).toBe(2);
    await service.client(MembershipService, BOB).leave({ roomId });
    await expect.poll(() => shown(gateway), PATIENCE).toBe(1);
  });

  it('falls within a minute where the process that stored the receipt announced nothing', async () => {
    const gateway = await gatewayOfTest();
    const store = await storeOfTest();
    const { clock, open, setPushers } = await start(store, gateway);
    const service = await open();
    const roomId = await createRoom(service);
    await join(service, roomId);
    setPushers(BOB);
    const eventId = await ring(service, gateway, roomId);
    const elsewhere = await start(store, gateway);
    const silent = await elsewhere.open();
    await read(silent, roomId, eventId);
    clock.advance(60_000);
    await expect.poll(() => shown(gateway), PATIENCE).toBe(0);
  });
});

describe('a gateway that does not accept pushes', () => {
  const CAROL = '@carol:test';
  const DAVE = '@dave:test';
  const stateOf = async (service: TestService, userId: string) => {
    const { pushStates } = await service.client(PushStateService, ADMIN).listPushStates({ userId });
    const { waitingRooms, lastSuccessTs, lastFailure, failingSinceTs, nextAttemptTs } = pushStates[0] ?? {};
    const why = lastFailure?.failure ?? lastFailure?.status;
    return { waitingRooms, lastSuccessTs, why, failingSinceTs, nextAttemptTs };
  };

  it('delays no other one, and administrators see why it does not', async () => {
    const gateway = await gatewayOfTest();
    const { clock, open, setPushers } = await start(await storeOfTest(), gateway);
    const service = await open(undefined, 100);
    const roomId = await createRoom(service);
    for (const user of [BOB, CAROL, DAVE]) await join(service, roomId, user);
    setPushers({ userId: CAROL, url: HANGS }, { userId: DAVE, url: 'http://127.0.0.2/' }, BOB);
    const sent = [await send(service, roomId), await send(service, roomId)];
    await expect.poll(() => eventsAt(gateway), PATIENCE).toEqual(sent);
    const failed = [
      [CAROL, 'timeout'],
      [DAVE, 'refused_address'],
    ] as const;
    for (const [user, why] of failed) {
      await expect
        .poll(() => stateOf(service, user), PATIENCE)
        .toMatchObject({
          waitingRooms: 1n,
          lastSuccessTs: undefined,
          why,
          failingSinceTs: BigInt(clock.now()),
        });
      const next = Number((await stateOf(service, user)).nextAttemptTs) - clock.now();
      expect(next).toBeGreaterThanOrEqual(4_000);
      expect(next).toBeLessThanOrEqual(6_000);
    }
    const never = { why: undefined, failingSinceTs: undefined, nextAttemptTs: undefined };
    const working = { waitingRooms: 0n, lastSuccessTs: BigInt(clock.now()), ...never };
    await expect.poll(() => stateOf(service, BOB), PATIENCE).toEqual(working);
  });

  it('gets what waits when it accepts again, after the time that it asked for', async () => {
    const gateway = await gatewayOfTest();
    const { clock, open, setPushers } = await start(await storeOfTest(), gateway);
    const service = await open();
    const roomId = await createRoom(service);
    await join(service, roomId);
    setPushers(BOB);
    gateway.answer(429, {}, { 'retry-after': '3600' });
    const failedAt = clock.now();
    const sent = [await send(service, roomId), await send(service, roomId)];
    await expect
      .poll(() => stateOf(service, BOB), PATIENCE)
      .toMatchObject({
        why: 429,
        failingSinceTs: BigInt(failedAt),
        nextAttemptTs: BigInt(failedAt + 3_600_000),
      });
    gateway.answer(503);
    clock.advance(3_600_000);
    await expect
      .poll(() => stateOf(service, BOB), PATIENCE)
      .toMatchObject({ why: 503, failingSinceTs: BigInt(failedAt) });
    gateway.answer(200);
    clock.advance(LONG_MS);
    await expect.poll(() => eventsAt(gateway), PATIENCE).toEqual(sent);
    await expect
      .poll(() => stateOf(service, BOB), PATIENCE)
      .toMatchObject({ why: 503, failingSinceTs: undefined, nextAttemptTs: undefined });
  });
});

it('a pusher that is set again while no process sends is tried at once by the next', async () => {
  const gateway = await gatewayOfTest();
  const { clock, open, close, setPushers } = await start(await storeOfTest(), gateway);
  const service = await open();
  const roomId = await createRoom(service);
  await join(service, roomId);
  setPushers(BOB);
  gateway.answer(503, {}, { 'retry-after': '3600' });
  const eventId = await send(service, roomId);
  const { listPushStates } = service.client(PushStateService, ADMIN);
  await expect
    .poll(async () => (await listPushStates({ userId: BOB })).pushStates[0]?.lastFailure?.status, PATIENCE)
    .toBe(503);
  await close(service);
  gateway.answer(200);
  clock.advance(1_000);
  setPushers(BOB);
  await open();
  await expect.poll(() => eventsAt(gateway), PATIENCE).toEqual([eventId]);
});

/** What may happen to pushes. */
type Step = 'send' | 'send elsewhere' | 'read' | 'fail' | 'answer' | 'kill' | 'restart' | 'wait';

it('every message that was not read is pushed, in the order of its room, whatever happens until then', async () => {
  const step = fc.constantFrom<Step>(
    ...(['send', 'send', 'send elsewhere', 'read', 'fail', 'answer', 'kill', 'restart', 'wait'] as const),
  );
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
    const gateway = await startTestGateway();
    const store = await openSqliteStore({ path: ':memory:' });
    const { clock, open, close, setPushers } = await start(store, gateway);
    let crashable = crashableStore(store);
    let service = await open(crashable.store);
    const rooms = [await createRoom(service), await createRoom(service)] as const;
    for (const roomId of rooms) await join(service, roomId);
    setPushers(BOB);
    const sent = new Map<string, string[]>(rooms.map((roomId) => [roomId, []]));
    let isRead = 0;
    const begin = async () => {
      await close(service).catch(() => {});
      clock.advance(LONG_MS);
      crashable = crashableStore(store);
      service = await open(crashable.store);
    };
    for (const step of steps) {
      const [roomId, elsewhere] = rooms;
      const here = sent.get(roomId) ?? [];
      if (step === 'send') here.push(await send(service, roomId));
      if (step === 'send elsewhere') sent.get(elsewhere)?.push(await send(service, elsewhere));
      if (step === 'read' && here.length > 0) {
        await read(service, roomId, here.at(-1) ?? '');
        isRead = here.length;
      }
      if (step === 'fail') gateway.answer(500);
      if (step === 'answer') gateway.answer(200);
      if (step === 'wait') clock.advance(60_000);
      if (step === 'restart') await begin();
      if (step === 'kill') {
        // From its next call of the store on the process does nothing any more.
        crashable.crashAt(1, 'before');
        await begin();
      }
    }
    gateway.answer(200);
    clock.advance(LONG_MS);
    const due = [...sent].flatMap(([roomId, ids]) => (roomId === rooms[0] ? ids.slice(isRead) : ids));
    await expect.poll(() => due.filter((id) => !eventsAt(gateway).includes(id)), PATIENCE).toEqual([]);
    for (const ids of sent.values()) {
      const pushed = eventsAt(gateway).filter((id) => ids.includes(id));
      expect(pushed).toEqual(ids.filter((id) => pushed.includes(id)));
    }
    await close(service);
    await gateway.close();
    await store.close();
  });
  await fc.assert(property, { numRuns: 12 });
}, 120_000);

/** More calls of the store than the scenario makes, with those of the background. */
const MAX_CALLS = 90;

describe.each(stores)('$title', ({ missing, remote, open }) => {
  const runs: readonly CrashPoint[] = missing ? [] : ['before', 'after'];
  it.skipIf(missing).each(runs)(
    'every message is pushed in its order, and nothing stays stored, if the process crashes %s a call of the store',
    async (how) => {
      for (let call = 1; call < MAX_CALLS; call += remote ? 23 : 7) {
        const { store, drop } = await open();
        const gateway = await startTestGateway();
        gateway.setPushers([{ userId: BOB, setTs: 1 }]);
        const sent: string[] = [];
        const scenario: Scenario<string> = {
          pushes: gateway.pushes,
          async prepare(service) {
            const roomId = await createRoom(service);
            await join(service, roomId);
            return roomId;
          },
          async begin(service, roomId) {
            for (const body of ['1', '2', '3']) sent.push(await send(service, roomId, body));
          },
          async expect() {
            expect(sent.length).toBeGreaterThanOrEqual(3);
            await expect.poll(() => eventsAt(gateway), PATIENCE).toEqual(expect.arrayContaining(sent));
            const pushed = eventsAt(gateway).filter((id) => sent.includes(id));
            expect(pushed).toEqual(sent);
            const queues = await store.collection(pushQueues);
            await expect.poll(() => queues.countDocuments({}), PATIENCE).toBe(0);
          },
        };
        try {
          await runScenario(store, scenario, call, how);
        } finally {
          await gateway.close();
          await drop();
        }
      }
    },
    120_000,
  );
});
