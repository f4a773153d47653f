import { toRefusal } from '@steward/errors';
import { type Bus, createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { type CrashableStore, type CrashPoint, crashableStore, stores } from '@steward/store/testing';
import { createFakeClock, dueRuns, type FakeClock } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CRASHING_DELIVERY_WAIT_MS } from '../../fixtures/crash-points.ts';
import { collectionsOf, recount } from '../../fixtures/recount.ts';
import { shareBus } from '../../fixtures/share-bus.ts';
import {
  recordFacts,
  type SeenFact,
  startTestService,
  type TestService,
} from '../../fixtures/test-service.ts';

/** What it proves. */
const GUARDS = ['packages/service/', 'services/room/src/core/aggregate/'];

const USERS = ['@a:test', '@b:test', '@c:test', '@d:test'];
const MACHINES = 3;
const ROOMS = 2;
/** The most retries of a client that gets no response; it does not wait in between. */
const ATTEMPTS = 8;

/** A request of a user to a room. */
interface Operation {
  readonly kind: 'send' | 'state' | 'redact' | 'join' | 'leave' | 'invite' | 'kick' | 'ban' | 'unban';
  readonly user: number;
  readonly target: number;
  readonly room: number;
  readonly machine: number;
  readonly value: number;
}

/** Concurrent operations, and possibly the crash of a machine during them. */
interface Round {
  readonly operations: readonly Operation[];
  readonly crash: { readonly machine: number; readonly call: number; readonly how: CrashPoint } | null;
}

const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.constantFrom('send', 'state', 'redact', 'join', 'leave', 'invite', 'kick', 'ban', 'unban'),
  user: fc.nat(USERS.length - 1),
  target: fc.nat(USERS.length - 1),
  room: fc.nat(ROOMS - 1),
  machine: fc.nat(MACHINES - 1),
  value: fc.nat(3),
});

const round: fc.Arbitrary<Round> = fc.record({
  operations: fc.array(operation, { minLength: 1, maxLength: 6 }),
  crash: fc.option(
    fc.record({
      machine: fc.nat(MACHINES - 1),
      call: fc.integer({ min: 1, max: 40 }),
      how: fc.constantFrom<CrashPoint>('before', 'during', 'after'),
    }),
  ),
});

/** A process that serves until it crashes. */
interface Machine {
  readonly crashable: CrashableStore;
  readonly service: TestService;
}

class Cluster {
  readonly #store: Store;
  readonly #clock: FakeClock;
  readonly #bus: Bus;
  readonly #machines: Machine[] = [];
  readonly #crashed: Machine[] = [];
  /** The replacements of crashed machines, so that each is replaced once. */
  readonly #replacements = new Map<Machine, Promise<Machine>>();

  constructor(store: Store, bus: Bus, clock: FakeClock) {
    this.#store = store;
    this.#bus = bus;
    this.#clock = clock;
  }

  async start(): Promise<void> {
    for (let n = 0; n < MACHINES; n++) this.#machines.push(await this.#machine(n));
  }

  /** A running machine; a crashed one is replaced first. */
  async at(n: number): Promise<Machine> {
    const machine = this.#machines[n] as Machine;
    if (!machine.crashable.hasCrashed) return machine;
    const known = this.#replacements.get(machine);
    if (known) return known;
    this.#crashed.push(machine);
    const next = this.#machine(n);
    this.#replacements.set(machine, next);
    this.#machines[n] = await next;
    return next;
  }

  tick(): void {
    this.#clock.advance(1);
  }

  async whenIdle(): Promise<readonly TestService[]> {
    for (let n = 0; n < MACHINES; n++) {
      const { crashable, service } = await this.at(n);
      crashable.cancelCrash();
      await service.service.whenIdle();
    }
    return [...this.#crashed, ...this.#machines].map(({ service }) => service);
  }

  async close(): Promise<void> {
    for (const { service } of [...this.#crashed, ...this.#machines]) await service.close();
  }

  async #machine(n: number): Promise<Machine> {
    // One of them commits events with all that they change, where the engine can; the others apply effects.
    const crashable = crashableStore(this.#store, { writesAlong: n === 0 });
    const service = await startTestService({
      store: crashable.store,
      bus: this.#bus,
      clock: this.#clock,
      isAlone: false,
      deliveryWaitMs: CRASHING_DELIVERY_WAIT_MS,
    });
    return { crashable, service };
  }
}

/** Repeats a request until it is answered, because a client cannot know whether an unanswered request had an effect. */
async function retryUntilAnswered(
  cluster: Cluster,
  machine: number,
  request: (service: TestService) => Promise<unknown>,
): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    const { service } = await cluster.at((machine + attempt) % MACHINES);
    try {
      return await request(service);
    } catch (error) {
      const { status } = toRefusal(error);
      if (status < 500) return undefined;
      if (status !== 503 || attempt === ATTEMPTS) throw error;
      cluster.tick();
    }
  }
}

function perform(
  cluster: Cluster,
  rooms: readonly string[],
  sent: Map<string, Set<string>>,
  { kind, user, target, room, machine, value }: Operation,
): Promise<unknown> {
  const roomId = rooms[room] as string;
  const userId = USERS[user] as string;
  const targetId = USERS[target] as string;
  const reason = String(value);
  return retryUntilAnswered(cluster, machine, async (service) => {
    const members = service.client(MembershipService, userId);
    const events = service.client(EventService, userId);
    switch (kind) {
      case 'send': {
        const txnId = `${value}`;
        const request = { roomId, eventType: 'm.x', txnId, content: '{"a":1}' };
        const { eventId } = await events.sendEvent(request);
        const key = `${roomId} ${userId} ${txnId}`;
        sent.set(key, (sent.get(key) ?? new Set()).add(eventId));
        return eventId;
      }
      case 'state':
        return events.putState({
          roomId,
          eventType: value % 2 ? 'm.room.name' : 'm.room.topic',
          stateKey: '',
          content: JSON.stringify(value % 2 ? { name: `N${value}` } : { topic: `T${target}` }),
        });
      case 'redact': {
        const state = await events.listState({ roomId });
        const any = JSON.parse(state.events[value % state.events.length] ?? '{}') as { event_id: string };
        return events.redact({ roomId, eventId: any.event_id, txnId: `${value}`, content: '{}' });
      }
      case 'join':
        return members.joinRoom({ roomId, reason });
      case 'leave':
        return members.leave({ roomId, reason });
      default:
        return members[kind]({ roomId, userId: targetId, reason });
    }
  });
}

async function run(store: Store, rounds: readonly Round[]): Promise<void> {
  const busStore = await openSqliteStore({ path: ':memory:' });
  const clock = createFakeClock();
  const engine = { store: busStore, clock, random: systemRandom, report: () => {} };
  const bus = shareBus(await createLocalBus(engine));
  const facts = await recordFacts(bus);
  const cluster = new Cluster(store, bus, clock);
  await cluster.start();
  try {
    const rooms: string[] = [];
    for (let n = 0; n < ROOMS; n++) {
      const creator = (await cluster.at(0)).service.client(RoomService, USERS[0] as string);
      const { roomId } = await creator.createRoom({ preset: 'public_chat', name: `Room ${n}` });
      rooms.push(roomId);
    }
    const sent = new Map<string, Set<string>>();
    for (const { operations, crash } of rounds) {
      cluster.tick();
      if (crash) (await cluster.at(crash.machine)).crashable.crashAt(crash.call, crash.how);
      await Promise.all(operations.map((each) => perform(cluster, rooms, sent, each)));
    }
    const services = await cluster.whenIdle();
    for (const ids of sent.values()) expect(ids.size).toBe(1);
    for (const roomId of rooms) {
      const { kept, counted } = await recount(store, roomId);
      expect(kept).toEqual(counted);
      await expectFacts(store, roomId, facts);
    }
    for (const { faults } of services) expect(faults.filter(isFault)).toEqual([]);
  } finally {
    await cluster.close();
    await bus.close();
    await busStore.close();
  }
}

/** A fact of each member event is published, the first deliveries in the order of arrival. */
async function expectFacts(store: Store, roomId: string, facts: readonly SeenFact[]): Promise<void> {
  const { events } = await collectionsOf(store);
  const published = new Set(
    facts.flatMap(({ aggregate, sequence }) => (aggregate === roomId ? [sequence] : [])),
  );
  const expected = await events
    .find(
      { room_id: roomId, type: { $in: ['m.room.create', 'm.room.member'] }, arrival: { $gt: 0 } },
      { sort: { arrival: 1 } },
    )
    .toArray();
  expect([...published]).toEqual(expected.map(({ arrival }) => arrival));
}

/** Whether a failure is a fault; failures of a crashed store are not. */
function isFault(fault: unknown): boolean {
  const text = JSON.stringify(fault, (_, value) => {
    if (!(value instanceof Error)) return value;
    return value instanceof AggregateError ? [value.message, ...value.errors] : value.message;
  });
  return !text.includes('crashed');
}

describe.each(stores)('$title', ({ missing, remote, open }) => {
  it.skipIf(missing)(
    'the documents of a room agree with its events after concurrent operations on several machines that crash',
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 8 }), async (rounds) => {
          const { store, drop } = await open();
          try {
            await run(store, rounds);
          } finally {
            await drop();
          }
        }),
        { numRuns: dueRuns(remote ? 12 : 25, 'crashes while events are sent', GUARDS) },
      );
    },
  );
});
