import { BusUnavailable } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { openCollections } from '@steward/service';
import type { Store } from '@steward/store';
import { type CrashPoint, crashableStore, type OwnStore, stores } from '@steward/store/testing';
import { createFakeClock, dueRuns } from '@steward/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collections } from '../collections.ts';
import { createFeedAppender } from './feed-appender.ts';
import type { FeedDeps } from './feed-deps.ts';
import type { FeedEvent, NewEvent } from './feed-event.ts';
import { startFeedPublisher } from './feed-publisher.ts';
import { createFeedTail } from './feed-tail.ts';
import { createFlush } from './flush-positions.ts';
import { type ReadOptions, readEvents } from './read-events.ts';
import { sweepFeed } from './sweep-feed.ts';

/** What it proves. */
const GUARDS = ['services/moderation/src/core/feed/'];

const CRASH_POINTS: readonly CrashPoint[] = ['before', 'during', 'after'];
const RETENTION_MS = 60_000;
const ADMIN = { admin: true };
const clock = createFakeClock();
const report = () => {};

const depsOn = async (store: Store): Promise<FeedDeps> => {
  const opened = await openCollections(store, collections);
  const { capabilities } = store;
  const flushPositions = createFlush({ ...opened, capabilities });
  return { ...opened, capabilities, flushPositions, clock, random: systemRandom };
};

/** A process that appends. */
const processOn = async (store: Store) => {
  const deps = await depsOn(store);
  return createFeedAppender(deps, report, () => {});
};

let made = 0;
const event = (fields: Partial<NewEvent> = {}): NewEvent => ({
  id: `evt_${made++}`,
  type: 'account.deactivated',
  time: clock.now(),
  actor: '@root:test',
  requestId: 'r',
  taskId: null,
  targets: ['@a:test'],
  data: '{"erased":true}',
  ...fields,
});

const many = (count: number, fields: Partial<NewEvent> = {}) =>
  Array.from({ length: count }, () => event(fields));

describe.each(stores)('the feed $title', ({ missing, remote, open }) => {
  let own: OwnStore;
  let deps: FeedDeps;
  beforeEach(async () => {
    if (missing) return;
    own = await open();
    deps = await depsOn(own.store);
  });
  afterEach(() => own?.drop());

  const append = async (...events: readonly NewEvent[]) => {
    const appender = await processOn(own.store);
    await Promise.all(events.map((each) => appender.append(each)));
  };
  const read = (options: Partial<ReadOptions> = {}) =>
    readEvents(deps, { rights: ADMIN, limit: 1_000, ...options });
  const ids = (events: readonly FeedEvent[]) => events.map(({ id }) => id);
  /** The events that a reader finds who reads page by page. */
  const readAll = async (options: Partial<ReadOptions>) => {
    const found: FeedEvent[] = [];
    for (let after = 0; ; ) {
      const { events, next, latest } = await read({ ...options, after });
      found.push(...events);
      if (next === latest) return found;
      expect(next).toBeGreaterThan(after);
      after = next;
    }
  };

  it.skipIf(missing)('numbers events without gaps in the order of the calls, each id once', async () => {
    const events = many(150);
    await append(...events, ...events.slice(0, 10));
    await append(...events.slice(100), event({ id: 'last' }));
    const { events: found, next, latest } = await read();
    expect(ids(found)).toEqual([...ids(found).slice(0, 150), 'last']);
    expect(ids(found).slice(0, 150)).toEqual(events.map(({ id }) => id));
    expect(found.map(({ position }) => position)).toEqual(found.map((_, index) => index + 1));
    expect([next, latest]).toEqual([151, 151]);
    // Positions are durable before readers see them: once, whatever is read again.
    await read();
    const { flushes } = (await deps.feedHeads.findOne({})) ?? {};
    expect(flushes).toBe(deps.capabilities.insertsAlongCommit ? 1 : undefined);
    const [first] = events;
    expect(found[0]).toEqual({ ...first, position: 1, scope: Scope.USERS_WRITE - 1 });
  });

  it.skipIf(missing)('bounds what an event contains', async () => {
    const [long] = [`${'x'.repeat(300)}\0`];
    await append(event({ targets: Array.from({ length: 200 }, (_, index) => `${index}${long}`) }));
    await append(event({ data: JSON.stringify({ text: 'x'.repeat(5_000) }) }));
    const { events } = await read();
    expect(events[0]?.targets).toHaveLength(100);
    expect(events[0]?.targets[99]).toHaveLength(255);
    expect(events[1]?.data).toBe('{}');
    const appender = await processOn(own.store);
    await expect(appender.append(event({ id: '' }))).rejects.toThrow('an id of 0 bytes');
  });

  it.skipIf(missing)(
    'has no gap, and each event once, if two processes append and crash at any call',
    { timeout: 240_000 },
    async () => {
      let stored = 0;
      const scenario = fc.record({
        count: fc.integer({ min: 1, max: 6 }),
        calls: fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 3 }),
        point: fc.constantFrom(...CRASH_POINTS),
        along: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(scenario, async ({ count, calls, point, along }) => {
          const events = many(count);
          let before = (await read({ limit: 0, after: undefined })).latest;
          for (const call of calls) {
            const crashable = crashableStore(own.store, { writesAlong: along });
            const crashing = await processOn(crashable.store);
            const other = await processOn(own.store);
            crashable.crashAt(call, point);
            // What a crashed process had not acknowledged is delivered to another one again.
            const lost = events.map((each) => crashing.append(each).catch(() => {}));
            const kept = events.slice(0, count / 2).map((each) => other.append(each));
            // A reader sees a contiguous part at any time.
            const { events: seen } = await read({ after: before });
            expect(seen.map(({ position }) => position)).toEqual(seen.map((_, index) => before + index + 1));
            before += seen.length;
            await Promise.all(kept);
            await crashing.close();
            await Promise.all(lost);
          }
          await append(...events);
          stored += count;
          const all = await readAll({});
          expect(all.map(({ position }) => position)).toEqual(
            Array.from({ length: stored }, (_, i) => i + 1),
          );
          expect(new Set(ids(all)).size).toBe(stored);
        }),
        { numRuns: dueRuns(remote ? 8 : 60, 'crashes of the feed', GUARDS) },
      );
    },
  );

  it.skipIf(missing)('selects by type, target, actor and scope, with bounded work', async () => {
    const noise = many(1_100, { type: 'room.blocked', targets: ['!r:test'], actor: null });
    const [one, two] = [event({ targets: ['@b:test', '!r:test'] }), event({ actor: '@mod:test' })];
    await append(one, ...noise, two);
    const users = { admin: false, scopes: [Scope.USERS_READ] };
    expect(ids(await readAll({ types: new Set(['account.deactivated']) }))).toEqual([one.id, two.id]);
    expect(ids(await readAll({ target: '!r:test', types: new Set(['account.deactivated']) }))).toEqual([
      one.id,
    ]);
    expect(ids(await readAll({ actor: '@mod:test' }))).toEqual([two.id]);
    expect(ids(await readAll({ actor: '', rights: users }))).toEqual([]);
    expect(await readAll({ actor: '', target: '!r:test' })).toHaveLength(1_100);
    expect(ids(await readAll({ rights: users }))).toEqual([one.id, two.id]);
    expect(await readAll({ rights: { admin: false, scopes: [] } })).toEqual([]);
    // A page with few matches ends early and says where to continue.
    const first = await read({
      target: '!r:test',
      types: new Set(['account.deactivated']),
      limit: 1,
      after: 1,
    });
    expect(first).toMatchObject({ events: [], next: 1_002 });
  });

  it.skipIf(missing)('removes what is past its retention, and says so to readers', async () => {
    await append(...many(3));
    clock.advance(RETENTION_MS / 2);
    await append(...many(2));
    clock.advance(RETENTION_MS / 2 + 1);
    const sweep = { ...deps, feedRetentionMs: RETENTION_MS };
    await Promise.all([
      sweepFeed(sweep),
      sweepFeed({ ...(await depsOn(own.store)), feedRetentionMs: RETENTION_MS }),
    ]);
    expect((await read()).events.map(({ position }) => position)).toEqual([4, 5]);
    expect((await read({ after: 3 })).events).toHaveLength(2);
    await expect(read({ after: 2 })).rejects.toThrow('up to position 3 are past their retention');
    await expect(read({ after: 6 })).rejects.toThrow('The last position of the feed is 5');
    clock.advance(2 * RETENTION_MS);
    await sweepFeed(sweep);
    expect(await read()).toEqual({ events: [], next: 5, latest: 5 });
    await append(event());
    expect((await read({ after: 5 })).events[0]?.position).toBe(6);
  });

  it.skipIf(missing)('refuses a page from which retention removed events during the read', async () => {
    await append(...many(3));
    clock.advance(RETENTION_MS);
    await append(...many(2));
    // The sweep runs between the read of the end of the feed and that of the events.
    const flushPositions = () => sweepFeed({ ...deps, feedRetentionMs: RETENTION_MS });
    const readSwept = (after: number) =>
      readEvents({ ...deps, flushPositions }, { rights: ADMIN, limit: 10, after });
    await expect(readSwept(0)).rejects.toThrow('past their retention');
    expect((await readSwept(3)).events.map(({ position }) => position)).toEqual([4, 5]);
  });

  it.skipIf(missing)(
    'keeps the feed while the clock is behind, and nothing for a clock that was ahead',
    async () => {
      const shifted = (ms: number) => ({ ...deps, clock: { now: () => clock.now() + ms } });
      const sweep = (ms = 0) => sweepFeed({ ...shifted(ms), feedRetentionMs: RETENTION_MS });
      const positions = async () => (await read()).events.map(({ position }) => position);
      await append(event());
      await createFeedAppender(shifted(10 * RETENTION_MS), report, () => {}).append(event());
      await append(event());
      await sweep(-10 * RETENTION_MS);
      expect(await positions()).toEqual([1, 2, 3]);
      clock.advance(RETENTION_MS);
      await append(event());
      await sweep();
      expect(await positions()).toEqual([4]);
    },
  );

  it.skipIf(missing)(
    'publishes each event once and in order, whichever process publishes, and whatever is lost',
    async () => {
      const stream: string[] = [];
      let calls = 0;
      const atEnd = async () => {
        const [id, seq] = [stream.at(-1), stream.length];
        const last =
          id === undefined ? undefined : (await read({ after: 0 })).events.find((each) => each.id === id);
        return { seq, ...(last ? { last } : {}) };
      };
      const publicStream = {
        end: atEnd,
        publish: async ({ id }: { readonly id: string }, seq: number) => {
          if (++calls % 7 === 0) throw new BusUnavailable('The broker is away');
          if (seq !== stream.length) return undefined;
          stream.push(id);
          if (calls % 5 === 0) throw new BusUnavailable('The answer was lost');
          return stream.length;
        },
      };
      const all: string[] = [];
      const publisher = () => {
        const feedTail = createFeedTail(deps, report);
        const running = startFeedPublisher({ ...deps, feedTail }, publicStream, report, {
          minMs: 1,
          maxMs: 5,
        });
        return { feedTail, close: running.close };
      };
      for (let round = 0; round < 4; round++) {
        const running = [publisher(), publisher()];
        const events = many(30);
        all.push(...events.map(({ id }) => id));
        await append(...events);
        for (const { feedTail } of running) feedTail.notify();
        // The last round is published completely; the others are cut off.
        if (round === 3)
          await expect.poll(() => stream.length, { timeout: 30_000, interval: 5 }).toBe(all.length);
        await Promise.all(running.map(({ close }) => close()));
      }
      expect(stream).toEqual(all);
      // A restored store has fewer events than the stream: it continues from its cursor.
      const { feedCursors } = await openCollections(own.store, collections);
      await feedCursors.updateOne({ _id: 'nats' }, { $set: { position: 118 } }, { upsert: true });
      stream.push('of another store');
      const restored = publisher();
      await expect.poll(() => stream.length, { timeout: 30_000, interval: 5 }).toBe(all.length + 3);
      await restored.close();
      expect(stream.slice(-2)).toEqual(all.slice(-2));
    },
  );

  it.skipIf(missing)(
    'the feed is followed from any position without a gap, by slow readers, too',
    async () => {
      const appender = await processOn(own.store);
      const tail = createFeedTail(deps, report);
      const ended = new AbortController();
      await append(...many(700));
      const follow = async (after: number | undefined, upTo: number, slow = false) => {
        const positions: number[] = [];
        for await (const events of tail.follow(after, ended.signal)) {
          positions.push(...events.map(({ position }) => position));
          if (slow) await appender.append(event());
          if ((positions.at(-1) ?? 0) >= upTo) break;
        }
        return positions;
      };
      const readers = [follow(0, 760), follow(699, 760), follow(0, 760, true)];
      for (let round = 0; round < 6; round++) {
        await Promise.all(many(10).map((each) => appender.append(each)));
        tail.notify();
      }
      for (const [index, positions] of (await Promise.all(readers)).entries()) {
        const from = index === 1 ? 700 : 1;
        expect(positions).toEqual(positions.map((_, at) => from + at));
      }
      const late = follow(undefined, Number.POSITIVE_INFINITY);
      ended.abort();
      expect(await late).toEqual([]);
      await expect(follow(10_000, 1)).resolves.toEqual([]);
    },
  );

  it.skipIf(missing)(
    'is followed by what a filter selects, with the positions of what it does not',
    async () => {
      const appender = await processOn(own.store);
      const tail = createFeedTail(deps, report);
      const ended = new AbortController();
      await append(...many(250), event({ targets: ['@b:test'] }), ...many(99));
      const pages = tail
        .followSelected({ rights: ADMIN, target: '@b:test' }, 0, ended.signal)
        [Symbol.asyncIterator]();
      const next = async () => {
        const { value } = await pages.next();
        return { found: value.events.map(({ position }: FeedEvent) => position), position: value.position };
      };
      expect(await next()).toEqual({ found: [251], position: 350 });
      const second = next();
      const more = [...many(60), event({ targets: ['@b:test'] }), ...many(130)];
      await Promise.all(more.map((each) => appender.append(each)));
      tail.notify();
      const third = await second;
      expect(third.found).toEqual([411]);
      expect(third.position).toBeGreaterThanOrEqual(411);
      const last = next();
      await Promise.all(many(230).map((each) => appender.append(each)));
      tail.notify();
      expect((await last).found).toEqual([]);
      ended.abort();
      expect(await pages.next()).toMatchObject({ done: true });
    },
  );

  it.skipIf(missing)('shows readers what was appended while the store failed', async () => {
    let isFailing = false;
    const flushPositions = async (last: number) => {
      if (isFailing) throw new Error('The store is away');
      await deps.flushPositions(last);
    };
    const failures: string[] = [];
    const tail = createFeedTail({ ...deps, flushPositions }, (failure) => failures.push(failure));
    const ended = new AbortController();
    await append(...many(3));
    const pages = tail.follow(2, ended.signal)[Symbol.asyncIterator]();
    expect((await pages.next()).value).toHaveLength(1);
    const next = pages.next();
    // It waits for the end of the feed, which is read when a second reader has received its events.
    for await (const events of tail.follow(0, ended.signal)) {
      expect(events).toHaveLength(3);
      break;
    }
    isFailing = true;
    await append(event());
    tail.notify();
    await expect.poll(() => failures.length).toBeGreaterThan(0);
    isFailing = false;
    tail.notify();
    expect((await next).value).toHaveLength(1);
    ended.abort();
  });
});
