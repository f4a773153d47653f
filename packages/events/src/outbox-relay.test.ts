import { setTimeout as delay } from 'node:timers/promises';
import { systemClock, systemRandom } from '@steward/kernel';
import { type Collection, openSqliteStore, type Store, Unavailable } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bus } from './bus.ts';
import { BusUnavailable } from './errors.ts';
import { createLocalBus } from './local/bus.ts';
import { type Outbox, type OutboxEntry, openOutbox, outboxDeclaration } from './outbox.ts';
import type { OutgoingEvent } from './outgoing.ts';
import type { Relay, RelayOptions } from './relay.ts';
import { startRelay } from './start-relay.ts';
import { created, createdEvent } from './testing/sample-facts.ts';

/** What a call of `publish` does: accept, refuse, or accept and fail. */
type Outcome = 'accept' | 'refuse' | 'lose the answer';

/** A bus that recognises duplicates and fails as configured. */
class FlakyBus {
  /** Ids in the order of their first acceptance. */
  readonly accepted: string[] = [];
  /** How many publications were duplicates. */
  duplicates = 0;
  readonly #outcomes: Outcome[];

  constructor(outcomes: readonly Outcome[] = []) {
    this.#outcomes = [...outcomes];
  }

  async publish({ id }: OutgoingEvent): Promise<void> {
    const outcome = this.#outcomes.shift() ?? 'accept';
    await Promise.resolve();
    if (outcome === 'refuse') throw new BusUnavailable('refused');
    if (this.accepted.includes(id)) this.duplicates++;
    else this.accepted.push(id);
    if (outcome === 'lose the answer') throw new BusUnavailable('the answer is lost');
  }
}

let store: Store;
let outbox: Outbox;
let entries: Collection<OutboxEntry>;
let relays: Relay[];

beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  outbox = await openOutbox(store, 'user');
  entries = await store.collection(outboxDeclaration('user'));
  relays = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(relays.map((relay) => relay.close()));
  await store.close();
});

/** A relay that scans only when it is notified, and pauses briefly. */
async function relayTo(bus: Pick<Bus, 'publish'>, options: Partial<RelayOptions> = {}): Promise<Relay> {
  const relay = await startRelay({
    store,
    service: 'user',
    bus,
    clock: systemClock,
    random: systemRandom,
    sweepEveryMs: 3_600_000,
    pausesMs: [1, 2],
    ...options,
  });
  relays.push(relay);
  return relay;
}

const of = (aggregate: string, ids: readonly string[]) => ids.filter((id) => id.startsWith(`${aggregate}.`));
const numbered = (aggregate: string, count: number) =>
  Array.from({ length: count }, (_, i) => createdEvent(aggregate, i));

describe('a relay', () => {
  it('publishes and removes the entries that it finds at its start, each aggregate in order', async () => {
    const bus = new FlakyBus();
    await outbox.add([...numbered('a', 100), ...numbered('b', 3)].toReversed());
    await (await relayTo(bus)).whenIdle();
    expect(of('a', bus.accepted)).toEqual(numbered('a', 100).map(({ id }) => id));
    expect(of('b', bus.accepted)).toEqual(['b.0', 'b.1', 'b.2']);
    expect(await entries.countDocuments({})).toBe(0);
  });

  it('publishes an added event when it is notified', async () => {
    const bus = new FlakyBus();
    const relay = await relayTo(bus);
    await relay.whenIdle();
    await outbox.add([createdEvent('a', 1)]);
    relay.notify();
    await expect.poll(() => bus.accepted).toEqual(['a.1']);
  });

  it('finds an added event without a notification', async () => {
    const bus = new FlakyBus();
    const relay = await relayTo(bus, { sweepEveryMs: 1 });
    await relay.whenIdle();
    await outbox.add([createdEvent('a', 1)]);
    await expect.poll(() => bus.accepted).toEqual(['a.1']);
  });

  it('reads how many events wait, and for how long', async () => {
    const refusing = new FlakyBus(Array<Outcome>(100).fill('refuse'));
    const clock = createFakeClock();
    const relay = await relayTo(refusing, { clock, pausesMs: [3_600_000] });
    expect(await relay.waiting()).toEqual({ entries: 0, oldestMs: 0 });
    const timed = (aggregate: string, timeMs: number) => ({ ...createdEvent(aggregate, 1), timeMs });
    const now = clock.now();
    await outbox.add([timed('a', now), timed('b', now - 7_000), timed('c', now - 2_000)]);
    clock.advance(1_000);
    expect(await relay.waiting()).toEqual({ entries: 3, oldestMs: 8_000 });
  });

  it('reports when the events of an aggregate are delivered', async () => {
    const bus = new FlakyBus();
    const relay = await relayTo(bus);
    expect(await relay.delivered('a', 10_000)).toBe(true);
    for (let i = 0; i < 20; i++) {
      await outbox.add([createdEvent('a', i)]);
      expect(await relay.delivered('a', 10_000)).toBe(true);
      expect(bus.accepted).toHaveLength(i + 1);
    }
  });

  it('publishes an event in place of a stored one, and removes that', async () => {
    const bus = new FlakyBus();
    const relay = await relayTo(bus);
    await relay.whenIdle();
    await outbox.add([createdEvent('a', 1), createdEvent('b', 1)]);
    expect(await relay.publishInstead(createdEvent('a', 1), createdEvent('a', 2), 10_000)).toBe(true);
    await expect.poll(() => entries.countDocuments({})).toBe(1);
    await relay.whenIdle();
    expect(bus.accepted).toEqual(['a.2', 'b.1']);
  });

  it('removes what it published in place of stored events together', async () => {
    const removals: unknown[] = [];
    const counting: Store = {
      ...store,
      capabilities: store.capabilities,
      collection: async (declaration) => {
        const collection = await store.collection(declaration);
        return new Proxy(collection, {
          get(target, name) {
            const member = Reflect.get(target, name);
            if (typeof member !== 'function') return member;
            if (name === 'deleteMany') removals.push(name);
            return member.bind(target);
          },
        });
      },
    };
    const relay = await relayTo(new FlakyBus(), { store: counting });
    await relay.whenIdle();
    await outbox.add([createdEvent('a', 1), createdEvent('b', 1)]);
    for (const name of ['a', 'b'])
      expect(await relay.publishInstead(createdEvent(name, 1), createdEvent(name, 2), 10_000)).toBe(true);
    await relay.whenIdle();
    expect(removals).toHaveLength(1);
    expect(await entries.countDocuments({})).toBe(0);
  });

  it('publishes nothing in place of a stored event while another one of the aggregate waits', async () => {
    const bus = new FlakyBus();
    const relay = await relayTo(bus);
    await relay.whenIdle();
    // Another process stored it, which cannot reach the bus.
    await outbox.add([createdEvent('a', 1)]);
    expect(await relay.publishInstead(createdEvent('b', 1), createdEvent('a', 2), 10_000)).toBe(false);
    expect(await relay.publishInstead(undefined, createdEvent('b', 2), 10_000)).toBe(true);
    expect(bus.accepted).toEqual(['b.2']);
    await outbox.add([createdEvent('a', 2)]);
    await relay.whenIdle();
    expect(bus.accepted).toEqual(['b.2', 'a.1', 'a.2']);
    expect(await relay.publishInstead(undefined, createdEvent('a', 3), 10_000)).toBe(true);
  });

  it('leaves the stored event when the bus does not accept the one in its place', async () => {
    const bus = new FlakyBus(['refuse']);
    const relay = await relayTo(bus, { pausesMs: [60_000] });
    await relay.whenIdle();
    await outbox.add([createdEvent('a', 1)]);
    expect(await relay.publishInstead(createdEvent('a', 1), createdEvent('a', 2), 10_000)).toBe(false);
    // The relay pauses, so that the bus is not called.
    expect(await relay.publishInstead(createdEvent('a', 1), createdEvent('a', 2), 10_000)).toBe(false);
    expect(bus.accepted).toEqual([]);
    expect(await entries.countDocuments({})).toBe(1);
  });

  it('gives up publishing in place of a stored event after the timeout', async () => {
    const relay = await relayTo({ publish: () => new Promise(() => {}) });
    await relay.whenIdle();
    await outbox.add([createdEvent('a', 1)]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const published = relay.publishInstead(createdEvent('a', 1), createdEvent('a', 2), 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await published).toBe(false);
    expect(await entries.countDocuments({})).toBe(1);
  });

  it('stops waiting for a delivery after the timeout', async () => {
    const relay = await relayTo({ publish: () => new Promise(() => {}) });
    await outbox.add([createdEvent('a', 1)]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const delivered = relay.delivered('a', 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await delivered).toBe(false);
    const closed = relay.close();
    await vi.advanceTimersByTimeAsync(5_000);
    await closed;
  });

  it('reports a delivery on the bus of one process after its consumers have run', async () => {
    const bus = await createLocalBus({ store, clock: systemClock, random: systemRandom });
    const handled: string[] = [];
    const handler = async ({ id }: { id: string }) => {
      await new Promise((resolve) => setImmediate(resolve));
      handled.push(id);
    };
    await bus.subscribe({ durable: 'one', facts: [created], handler });
    const relay = await relayTo(bus);
    await outbox.add([createdEvent('a', 1), createdEvent('a', 2)]);
    expect(await relay.delivered('a', 10_000)).toBe(true);
    expect(handled).toEqual(['a.1', 'a.2']);
    await bus.close();
  });

  it('loses no event and keeps the order for any failures of the bus and any number of relays', async () => {
    const outcomes = fc.array(fc.constantFrom<Outcome>('accept', 'refuse', 'lose the answer'), {
      maxLength: 40,
    });
    const additions = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(outcomes, additions, fc.integer({ min: 1, max: 3 }), async (plan, added, count) => {
        const bus = new FlakyBus(plan);
        const running = await Promise.all(Array.from({ length: count }, () => relayTo(bus)));
        const ids: string[] = [];
        for (const [i, aggregate] of added.entries()) {
          const event = createdEvent(aggregate, i);
          ids.push(event.id);
          await outbox.add([event]);
          running[i % count]?.notify();
        }
        await Promise.all(running.map((relay) => relay.whenIdle()));
        await Promise.all(running.map((relay) => relay.close()));
        expect(await entries.countDocuments({})).toBe(0);
        expect(bus.accepted).toHaveLength(ids.length);
        for (const aggregate of ['a', 'b', 'c'])
          expect(of(aggregate, bus.accepted)).toEqual(of(aggregate, ids));
      }),
      { numRuns: 60 },
    );
  });

  it('repeats the publication after which a relay was killed, before the next one', async () => {
    const bus = new FlakyBus();
    const killed = Promise.withResolvers<void>();
    await outbox.add(numbered('a', 3));
    await relayTo({
      async publish(event) {
        await bus.publish(event);
        if (event.id === 'a.1') await killed.promise;
      },
    });
    await expect.poll(() => bus.accepted).toEqual(['a.0', 'a.1']);
    await expect.poll(() => entries.countDocuments({})).toBe(2);
    await (await relayTo(bus)).whenIdle();
    expect(bus.accepted).toEqual(['a.0', 'a.1', 'a.2']);
    expect(bus.duplicates).toBe(1);
    killed.resolve();
  });

  it('continues when an unavailable bus is back', async () => {
    const bus = new FlakyBus();
    let unavailable = true;
    const problems: string[] = [];
    const publish = async (event: OutgoingEvent) => {
      if (unavailable) throw new BusUnavailable('unavailable');
      await bus.publish(event);
    };
    const relay = await relayTo({ publish }, { report: (message) => problems.push(message) });
    await outbox.add([...numbered('a', 2), ...numbered('b', 2)]);
    relay.notify();
    await expect.poll(() => problems.length).toBeGreaterThan(3);
    expect(await entries.countDocuments({})).toBe(4);
    const delivered = relay.delivered('a', 10_000);
    unavailable = false;
    expect(await delivered).toBe(true);
    await relay.whenIdle();
    expect(bus.accepted.toSorted()).toEqual(['a.0', 'a.1', 'b.0', 'b.1']);
  });

  it('publishes other aggregates while the bus refuses the events of one', async () => {
    const bus = new FlakyBus();
    const publish = async (event: OutgoingEvent) => {
      if (event.aggregate === 'a') throw new BusUnavailable('never');
      await bus.publish(event);
    };
    await outbox.add([...numbered('a', 2), ...numbered('b', 300)]);
    const relay = await relayTo({ publish });
    expect(await relay.delivered('b', 10_000)).toBe(true);
    expect(await entries.countDocuments({})).toBe(2);
  });

  it('pauses while the store does not answer', async () => {
    const bus = new FlakyBus();
    let failures = 2;
    const failing: Store = {
      ...store,
      async collection(declaration) {
        const collection = await store.collection(declaration);
        return {
          ...collection,
          find(filter, options) {
            if (failures-- > 0) throw new Unavailable('no answer');
            return collection.find(filter, options);
          },
          findOne: (filter) => collection.findOne(filter),
          deleteMany: (filter) => collection.deleteMany(filter),
        };
      },
    };
    await outbox.add(numbered('a', 2));
    await (await relayTo(bus, { store: failing })).whenIdle();
    expect(bus.accepted).toEqual(['a.0', 'a.1']);
  });

  it('reads entries again that it read long ago, because another relay may have published them', async () => {
    const clock = createFakeClock();
    const published: string[] = [];
    const publish = async ({ id }: OutgoingEvent) => {
      published.push(id);
      clock.advance(31_000);
      // As another relay does in the meantime.
      await entries.deleteOne({ _id: 'a.1' });
    };
    await outbox.add(numbered('a', 3));
    await (await relayTo({ publish }, { clock })).whenIdle();
    expect(published).toEqual(['a.0', 'a.2']);
  });

  it('delivers a requested aggregate although a thousand others are blocked', async () => {
    const gate = Promise.withResolvers<void>();
    const bus = new FlakyBus();
    const publish = async (event: OutgoingEvent) => {
      if (event.aggregate.startsWith('stuck')) await gate.promise;
      await bus.publish(event);
    };
    const stuck = Array.from({ length: 1_100 }, (_, i) => createdEvent(`stuck${i}`, 1));
    await outbox.add(stuck.slice(0, 600));
    await outbox.add(stuck.slice(600));
    const relay = await relayTo({ publish });
    await outbox.add([createdEvent('z', 1)]);
    expect(await relay.delivered('z', 10_000)).toBe(true);
    expect(bus.accepted).toEqual(['z.1']);
    gate.resolve();
    await relay.whenIdle();
    expect(bus.accepted).toHaveLength(1_101);
  });

  it('finishes the running publications when it is closed, and leaves the rest', async () => {
    const gate = Promise.withResolvers<void>();
    const bus = new FlakyBus();
    const publish = async (event: OutgoingEvent) => {
      await gate.promise;
      await bus.publish(event);
    };
    await outbox.add(numbered('a', 3));
    const relay = await relayTo({ publish });
    const delivered = relay.delivered('a', 10_000);
    await delay(0);
    const closed = relay.close();
    gate.resolve();
    await closed;
    expect(await delivered).toBe(false);
    expect(bus.accepted).toEqual(['a.0']);
    expect(await entries.countDocuments({})).toBe(3);
    await relay.whenIdle();
    relay.notify();
    expect(await relay.delivered('a', 10_000)).toBe(false);
    await (await relayTo(bus)).whenIdle();
    expect(bus.accepted).toEqual(['a.0', 'a.1', 'a.2']);
  });
});
