import { AsyncLocalStorage } from 'node:async_hooks';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { HistoryPurgeService } from '@steward/proto/steward/room/v1/history_purge_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { SearchService } from '@steward/proto/steward/room/v1/search_pb.ts';
import { TimelineService } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import type { FindCursor, Store } from '@steward/store';
import { type Around, aroundCollection, type CrashPoint, stores } from '@steward/store/testing';
import { dueRuns } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchEntries, searchPositions } from '../../core/model/search-entry.ts';
import { MAX_FILLED } from '../../core/search/fill-index.ts';
import { runScenario, type Scenario } from '../../fixtures/crash-points.ts';
import { oneService } from '../../fixtures/one-service.ts';
import { startTestGateway } from '../../fixtures/push-gateway.ts';
import { collectionsOf } from '../../fixtures/recount.ts';
import { ADMIN, type TestService } from '../../fixtures/test-service.ts';

/** What it proves. */
const GUARDS = ['services/room/src/core/search/', 'services/room/src/verbs/timeline/search.ts'];

const ALICE = '@alice:test';
const BOB = '@bob:test';

/** More events than one page of the index. */
const MANY = 220;

/** More calls of the store than such a search makes. */
const MAX_CALLS = 25;

let txn = 0;
const events = (service: TestService, userId = ALICE) => service.client(EventService, userId);
const createRoom = async (service: TestService) =>
  (await service.client(RoomService, ALICE).createRoom({ preset: 'public_chat' })).roomId;
const say = async (service: TestService, roomId: string, body: string) => {
  const content = JSON.stringify({ msgtype: 'm.text', body });
  const request = { roomId, eventType: 'm.room.message', txnId: `${txn++}`, content };
  return (await events(service).sendEvent(request)).eventId;
};
const redact = (service: TestService, roomId: string, eventId: string) =>
  events(service).redact({ roomId, eventId, txnId: `${txn++}`, content: '{}' });
const idOf = (json: string) => (JSON.parse(json) as { readonly event_id: string }).event_id;

/** A page of what a user finds, newest first. */
async function search(
  service: TestService,
  term: string,
  { userId = ALICE, nextBatch = '', limit = 50 } = {},
) {
  const roomEvents = { searchTerm: term, orderBy: 'recent', filter: JSON.stringify({ limit }) };
  const response = await service.client(SearchService, userId).search({
    searchCategories: { roomEvents },
    ...(nextBatch === '' ? {} : { nextBatch }),
  });
  const found = response.searchCategories?.roomEvents;
  return { ids: (found?.results ?? []).map(({ result }) => idOf(result)), next: found?.nextBatch };
}

/** All that a user finds, and in how many pages. */
async function searchAll(
  service: TestService,
  term: string,
  options: { userId?: string; limit?: number } = {},
) {
  const ids: string[] = [];
  let pages = 0;
  for (let nextBatch: string | undefined = ''; nextBatch !== undefined; pages++) {
    const page = await search(service, term, { ...options, nextBatch });
    ids.push(...page.ids);
    nextBatch = page.next;
  }
  return { ids, pages };
}

/** Adds copies of a message to a room, as if they had been sent after it. */
async function addCopies(store: Store, eventId: string, count: number): Promise<void> {
  const { rooms, events: stored } = await collectionsOf(store);
  const original = await stored.findOne({ _id: eventId });
  if (!original) throw new Error(`There is no event ${eventId}`);
  const { txn: _, ...rest } = original;
  const arrivals = Array.from({ length: count }, (_item, n) => (original.arrival ?? 0) + n + 1);
  for (let start = 0; start < count; start += 250) {
    const part = arrivals.slice(start, start + 250);
    const copies = part.map((arrival) => ({ ...rest, _id: `${eventId}${arrival}`, arrival, depth: arrival }));
    await stored.insertMany(copies);
  }
  const last = arrivals.at(-1) ?? 0;
  await rooms.updateOne(
    { _id: original.room_id },
    { $set: { arrival: last, depth: last }, $inc: { version: 1 } },
  );
}

async function entriesOf(store: Store, roomId: string): Promise<readonly string[]> {
  const entries = await (await store.collection(searchEntries)).find({ room_id: roomId }).toArray();
  return entries.map(({ _id }) => _id);
}

interface Prepared {
  readonly roomId: string;
  readonly kept: readonly string[];
}

/** The first search in a room in which a message was redacted. */
function firstSearchIn(store: Store): Scenario<Prepared> {
  return {
    async prepare(service) {
      const roomId = await createRoom(service);
      const [first, redacted] = [await say(service, roomId, 'wombat'), await say(service, roomId, 'wombat')];
      await redact(service, roomId, redacted);
      const last = await say(service, roomId, 'wombat');
      await addCopies(store, last, MANY);
      const { events: stored } = await collectionsOf(store);
      const messages = await stored.find({ room_id: roomId, type: 'm.room.message' }).toArray();
      expect(messages.map(({ _id }) => _id)).toContain(first);
      return { roomId, kept: messages.flatMap(({ _id }) => (_id === redacted ? [] : [_id])).sort() };
    },
    begin: (service) => search(service, 'wombat'),
    async expect(service, { roomId, kept }) {
      const found = await searchAll(service, 'WOMBAT');
      expect([new Set(found.ids).size, found.ids.toSorted()]).toEqual([found.ids.length, kept]);
      expect((await entriesOf(store, roomId)).toSorted()).toEqual(kept);
    },
  };
}

describe.each(stores)('$title', ({ missing, remote, open }) => {
  it.skipIf(missing)(
    'a search finds each message once, at whichever call of the store a process crashes',
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: MAX_CALLS }),
          fc.constantFrom<CrashPoint>('before', 'during', 'after'),
          async (call, how) => {
            const { store, drop } = await open();
            try {
              await runScenario(store, firstSearchIn(store), call, how);
            } finally {
              await drop();
            }
          },
        ),
        { numRuns: dueRuns(remote ? 4 : 20, 'crashes of a search', GUARDS) },
      );
    },
  );
});

it('a room is indexed from its first search on, some thousand messages with each', async () => {
  const { store, service } = await oneService();
  const [roomId, other] = [await createRoom(service), await createRoom(service)];
  await addCopies(store, await say(service, roomId, 'numbat'), MAX_FILLED);
  await say(service, other, 'numbat');
  expect(await entriesOf(store, other)).toEqual([]);
  const first = await search(service, 'numbat');
  expect(first).toEqual({ ids: [], next: expect.any(String) });
  const second = await search(service, 'numbat', { nextBatch: first.next ?? '' });
  expect(second.ids).toHaveLength(50);
  const third = await search(service, 'numbat', { nextBatch: second.next ?? '' });
  expect(new Set([...second.ids, ...third.ids]).size).toBe(100);
});

it('entries end with the redaction, the purge and the deletion of what they find', async () => {
  const { store, service } = await oneService();
  const roomId = await createRoom(service);
  const sent: string[] = [];
  for (let n = 0; n < 4; n++) sent.push(await say(service, roomId, `numbat ${n}`));
  expect((await search(service, 'numbat')).ids).toEqual(sent.toReversed());
  await redact(service, roomId, sent[2] ?? '');
  expect((await search(service, 'numbat')).ids).toEqual([sent[3], sent[1], sent[0]]);
  expect((await entriesOf(store, roomId)).toSorted()).toEqual([sent[0], sent[1], sent[3]].sort());
  const purge = { roomId, eventId: sent[1] ?? '', deleteLocalEvents: true };
  await service.client(HistoryPurgeService, ADMIN).purgeHistoryUpToEvent(purge);
  await service.service.whenIdle();
  expect((await search(service, 'numbat')).ids).toEqual([sent[3], sent[1]]);
  expect((await entriesOf(store, roomId)).toSorted()).toEqual([sent[1], sent[3]].sort());
  await service.client(RoomDeletionService, ADMIN).deleteRoom({ roomId, forcePurge: true });
  await service.service.whenIdle();
  expect(await entriesOf(store, roomId)).toEqual([]);
  expect(await (await store.collection(searchPositions)).findOne({ _id: roomId })).toBeNull();
});

/** A store of which one call by some work waits, until it is let go; calls by others are not counted. */
function holdable(inner: Store) {
  const work = new AsyncLocalStorage<true>();
  let left = Number.POSITIVE_INFINITY;
  let reach = () => {};
  let letGo = () => {};
  const call = async <R>(run: () => Promise<R>): Promise<R> => {
    if (!work.getStore()) return run();
    left -= 1;
    if (left !== 0) return run();
    const isLetGo = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    reach();
    await isLetGo;
    return run();
  };
  const around: Around = {
    call: (_operation, _args, run) => call(run),
    async *iterate<T>(cursor: FindCursor<T>) {
      yield* await call(() => cursor.toArray());
    },
  };
  const store: Store = {
    capabilities: inner.capabilities,
    collection: async (declaration) => aroundCollection(await inner.collection(declaration), around),
    close: async () => {},
    someId: (name) => call(() => inner.someId(name)),
    healthy: () => inner.healthy(),
  };
  return {
    store,
    /** Does work of which one call is held, counted from 1; says whether it was reached, or the work is done without. */
    async begin(which: number, run: () => Promise<unknown>) {
      left = which;
      const isHeld = new Promise<boolean>((resolve) => {
        reach = () => resolve(true);
      });
      const done = work.run(true, run);
      return { isHeld: await Promise.race([isHeld, done.then(() => false)]), done };
    },
    letGo: () => letGo(),
  };
}

it.each(['deletion', 'purge'] as const)(
  'a search that is at any of its calls of the store during the %s of a room leaves nothing behind',
  async (what) => {
    const held: ReturnType<typeof holdable>[] = [];
    const wrap = (inner: Store) => {
      held.push(holdable(inner));
      return held[0]?.store ?? inner;
    };
    const { store, service } = await oneService({ wrap });
    const [holder] = held;
    if (!holder) throw new Error('The store was not wrapped');
    const positions = await store.collection(searchPositions);
    for (let which = 1; ; which++) {
      const roomId = await createRoom(service);
      const sent = [await say(service, roomId, 'numbat'), await say(service, roomId, 'numbat')];
      await service.service.whenIdle();
      const { isHeld, done } = await holder.begin(which, () => search(service, 'numbat'));
      if (what === 'deletion')
        await service.client(RoomDeletionService, ADMIN).deleteRoom({ roomId, forcePurge: true });
      else
        await service
          .client(HistoryPurgeService, ADMIN)
          .purgeHistoryUpToEvent({ roomId, eventId: sent[1] ?? '', deleteLocalEvents: true });
      await service.service.whenIdle();
      holder.letGo();
      await done;
      const left = await entriesOf(store, roomId);
      if (what === 'deletion') expect([left, await positions.findOne({ _id: roomId })]).toEqual([[], null]);
      else expect(left).toEqual([sent[1]]);
      if (!isHeld) {
        // It made that many calls.
        expect(which).toBeGreaterThan(10);
        return;
      }
      if (what === 'purge')
        await service.client(RoomDeletionService, ADMIN).deleteRoom({ roomId, forcePurge: true });
    }
  },
);

it('messages of an encrypted room are found up to its encryption', async () => {
  const { service } = await oneService();
  const roomId = await createRoom(service);
  const before = await say(service, roomId, 'numbat');
  const content = JSON.stringify({ algorithm: 'm.megolm.v1.aes-sha2' });
  await events(service).putState({ roomId, eventType: 'm.room.encryption', stateKey: '', content });
  await say(service, roomId, 'numbat');
  expect((await search(service, 'numbat')).ids).toEqual([before]);
});

type Step =
  | 'say'
  | 'redact'
  | 'join'
  | 'leave'
  | 'search'
  | 'shared'
  | 'invited'
  | 'joined'
  | 'world_readable';

it('a joined user finds exactly the messages that their history shows', { timeout: 120_000 }, async () => {
  const { pushes } = await startTestGateway();
  const { service } = await oneService({ pushes });
  const step = fc.constantFrom<Step>(
    ...(['say', 'say', 'say', 'redact', 'join', 'leave', 'search'] as const),
    ...(['shared', 'invited', 'joined', 'world_readable'] as const),
  );
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
    const roomId = await createRoom(service);
    const memberships = service.client(MembershipService, BOB);
    const sent: string[] = [];
    let isJoined = false;
    for (const each of [...steps, 'join' as const]) {
      if (each === 'say') sent.push(await say(service, roomId, 'wombat'));
      else if (each === 'redact') {
        const eventId = sent[Math.floor(sent.length / 2)];
        if (eventId !== undefined) await redact(service, roomId, eventId);
      } else if (each === 'search') await search(service, 'wombat', { userId: BOB });
      else if (each === 'join' || each === 'leave') {
        if (isJoined !== (each === 'join'))
          await (each === 'join' ? memberships.joinRoom({ roomId }) : memberships.leave({ roomId }));
        isJoined = each === 'join';
      } else {
        const content = JSON.stringify({ history_visibility: each });
        const stateKey = '';
        await events(service).putState({ roomId, eventType: 'm.room.history_visibility', stateKey, content });
      }
    }
    const history = await service
      .client(TimelineService, BOB)
      .listMessages({ roomId, dir: 'b', limit: 1000n, filter: '{"types":["m.room.message"]}' });
    const shown = history.chunk.flatMap((json) => (json.includes('wombat') ? [idOf(json)] : []));
    expect((await searchAll(service, 'wombat', { userId: BOB, limit: 3 })).ids).toEqual(shown);
    await memberships.leave({ roomId });
    expect((await search(service, 'wombat', { userId: BOB })).ids).toEqual([]);
  });
  await fc.assert(property, { numRuns: dueRuns(25, 'searches of histories', GUARDS) });
});
