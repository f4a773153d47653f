import { createHash } from 'node:crypto';
import { createClient } from '@connectrpc/connect';
import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { ImportService } from '@steward/proto/steward/room/v1/import_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { createLocalTransport } from '@steward/rpc';
import { openSqliteStore, type Store } from '@steward/store';
import { type CrashPoint, crashableStore, stores } from '@steward/store/testing';
import { createFakeClock, dueRuns } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imports } from '../core/model/import-document.ts';
import { searchEntries } from '../core/model/search-entry.ts';
import { collectionsOf, recount } from '../fixtures/recount.ts';
import { startTestService, type TestService } from '../fixtures/test-service.ts';

/** What it proves. */
const GUARDS = ['services/room/src/core/aggregate/', 'services/room/src/import/'];

const ROOM = '!room:elsewhere';
const ADMIN = '@admin:test';
const USERS = ['@a:test', '@b:test', '@c:elsewhere'];
const FIRST_TS = 1_600_000_000_000;

type Json = Record<string, unknown>;

/** The history of a room as records, each of which follows the previous one. */
class History {
  readonly #events: Json[] = [];

  constructor() {
    this.add('m.room.create', ADMIN, { creator: ADMIN, room_version: '10' }, '');
    this.add('m.room.member', ADMIN, { membership: 'join' }, ADMIN);
    this.add('m.room.power_levels', ADMIN, { users: { [ADMIN]: 100 } }, '');
    this.add('m.room.join_rules', ADMIN, { join_rule: 'public' }, '');
  }

  get records(): readonly string[] {
    return this.#events.map((event) => JSON.stringify(event));
  }

  idOf(n: number): string {
    return String(this.#events[n % this.#events.length]?.event_id);
  }

  add(type: string, sender: string, content: Json, stateKey: string | null = null, more: Json = {}): string {
    const n = this.#events.length;
    const event_id = `$${createHash('sha256').update(String(n)).digest('base64url')}`;
    this.#events.push({
      event_id,
      room_id: ROOM,
      type,
      sender,
      state_key: stateKey,
      origin_server_ts: FIRST_TS + n,
      content,
      depth: n + 1,
      prev_events: n === 0 ? [] : [this.idOf(n - 1)],
      auth_events: [],
      hashes: { sha256: 'hash' },
      ...more,
    });
    return event_id;
  }
}

/** A change in the history of the room. */
type Change = readonly ['message' | 'name' | 'member' | 'redaction' | 'redacted', number, number];

const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom('message', 'name', 'member', 'member', 'redaction', 'redacted'),
  fc.nat(30),
  fc.nat(4),
);

/** What the record of an event says that another event has redacted, which need not be a redaction. */
const redactedBy = (eventId: string) => ({ stored: { redacted_by: eventId } });

function addChange(history: History, [kind, a, b]: Change, more: Json = {}): void {
  const membership = ['join', 'leave', 'invite', 'ban', 'knock'][b] as string;
  const userId = USERS[a % USERS.length] as string;
  if (kind === 'message')
    history.add('m.room.message', ADMIN, { body: 'm', url: 'mxc://test/m' }, null, more);
  else if (kind === 'name') history.add('m.room.name', ADMIN, { name: `N${a}` }, '', more);
  else if (kind === 'member')
    history.add('m.room.member', userId, { membership, displayname: 'd' }, userId, more);
  else if (kind === 'redacted')
    addChange(
      history,
      [(['message', 'name', 'member'] as const)[a % 3] ?? 'name', a, b],
      redactedBy(history.idOf(b)),
    );
  else history.add('m.room.redaction', ADMIN, {}, null, { redacts: history.idOf(a) });
}

/** A scenario: the number of records of a request, and the calls at which machines crash. */
const scenario = fc.record({
  batch: fc.integer({ min: 1, max: 12 }),
  crashes: fc.array(
    fc.record({
      machine: fc.nat(1),
      call: fc.integer({ min: 1, max: 60 }),
      how: fc.constantFrom<CrashPoint>('before', 'during', 'after'),
    }),
    { maxLength: 4 },
  ),
});

const importer = (service: TestService) =>
  createClient(ImportService, createLocalTransport(service.service.routes));

/** Runs a test with a service on each of several machines, which share a clock. */
async function onMachines(
  body: (start: (store: Store) => Promise<TestService>) => Promise<void>,
): Promise<void> {
  const clock = createFakeClock();
  const closing: (() => Promise<unknown>)[] = [];
  try {
    await body(async (store) => {
      const busStore = await openSqliteStore({ path: ':memory:' });
      const bus = await createLocalBus({ store: busStore, clock, random: systemRandom, report: () => {} });
      const service = await startTestService({ store, bus, clock, isAlone: false });
      closing.push(
        () => service.close(),
        () => bus.close(),
        () => busStore.close(),
      );
      return service;
    });
  } finally {
    for (const close of closing) await close();
  }
}

async function importRoom(service: TestService, roomVersion = '10'): Promise<void> {
  const room = { roomId: ROOM, creator: ADMIN, roomVersion, createdTs: 1n, public: true };
  expect(await importer(service).importRooms({ rooms: [room] })).toMatchObject({ problems: [] });
}

describe.each(stores)('$title', ({ missing, remote, open }) => {
  it.skipIf(missing)(
    'an import that is interrupted and repeated on two machines concurrently leaves a room that agrees with its events',
    { timeout: 240_000 },
    async () => {
      const load = async (store: Store, changes: readonly Change[], batch: number, crashes: unknown) =>
        onMachines(async (start) => {
          const history = new History();
          for (const each of changes) addChange(history, each);
          const machine = async () => {
            const crashable = crashableStore(store);
            return { crashable, service: await start(crashable.store) };
          };
          const machines = [await machine(), await machine()];
          const { records } = history;
          // Events that were loaded before are redacted.
          const since = records.filter((_, n) => n % 3 !== 0).map((record) => JSON.parse(record));
          const marked = since.map((event) => JSON.stringify({ ...event, ...redactedBy(history.idOf(0)) }));
          const all = [...records, ...marked];
          await importRoom((machines[0] as (typeof machines)[0]).service);
          for (const { machine: n, call, how } of crashes as {
            machine: number;
            call: number;
            how: CrashPoint;
          }[]) {
            machines[n]?.crashable.crashAt(call, how);
          }
          for (let from = 0; from < all.length; from += batch) {
            const events = all.slice(from, from + batch);
            const attempts = machines.map(async (_, n) => {
              for (;;) {
                const { crashable, service } = machines[n] as (typeof machines)[0];
                try {
                  return await importer(service).importEvents({ events });
                } catch (error) {
                  if (!crashable.hasCrashed) throw error;
                  machines[n] = await machine();
                }
              }
            });
            for (const { problems } of await Promise.all(attempts)) expect(problems).toEqual([]);
          }
          const { service } = await machine();
          await service.service.whenIdle();
          const { kept, counted } = await recount(store, ROOM);
          expect(kept).toEqual(counted);
          const { events } = await collectionsOf(store);
          const loaded = await events.find({ room_id: ROOM }, { sort: { arrival: 1 } }).toArray();
          expect(loaded.map(({ _id }) => _id)).toEqual(records.map((record) => JSON.parse(record).event_id));
          const again = await importer(service).importEvents({ events: [...records] });
          expect(again).toMatchObject({ loaded: 0, skipped: records.length, problems: [] });
          const unredacted = { _id: { $in: since.map(({ event_id }) => event_id) }, redacted_by: null };
          expect(await events.countDocuments(unredacted)).toBe(0);
          const redacted = await importer(service).importEvents({ events: marked });
          expect(redacted).toMatchObject({ loaded: 0, skipped: marked.length, problems: [] });
          const content = '{"name":"Later"}';
          await service
            .client(EventService, ADMIN)
            .putState({ roomId: ROOM, eventType: 'm.room.name', content });
          const after = await recount(store, ROOM);
          expect(after.kept).toEqual(after.counted);
        });
      await fc.assert(
        fc.asyncProperty(
          fc.array(change, { maxLength: 30 }),
          scenario,
          async (changes, { batch, crashes }) => {
            const { store, drop } = await open();
            try {
              await load(store, changes, batch, crashes);
            } finally {
              await drop();
            }
          },
        ),
        { numRuns: dueRuns(remote ? 10 : 40, 'crashes of an import of events', GUARDS) },
      );
    },
  );

  it.skipIf(missing)('an import loses no event that is sent concurrently', async () => {
    const { store, drop } = await open();
    await onMachines(async (start) => {
      const [one, other] = [await start(store), await start(store)];
      const history = new History();
      await importRoom(one);
      await importer(one).importEvents({ events: [...history.records] });
      for (let n = 0; n < 20; n++) history.add('m.room.message', ADMIN, { body: `${n}` });
      const rest = history.records.slice(4);
      const send = async (n: number) => {
        const request = { roomId: ROOM, eventType: 'm.x', txnId: `${n}`, content: '{}' };
        return (await other.client(EventService, ADMIN).sendEvent(request)).eventId;
      };
      const load = async () => {
        for (const record of rest) await importer(one).importEvents({ events: [record] });
      };
      const [sent] = await Promise.all([Promise.all(Array.from({ length: 20 }, (_, n) => send(n))), load()]);
      const { events } = await collectionsOf(store);
      const arrived = await events
        .find({ room_id: ROOM, arrival: { $gt: 0 } }, { sort: { arrival: 1 } })
        .toArray();
      expect(arrived.map(({ arrival }) => arrival)).toEqual(arrived.map((_, index) => index + 1));
      expect(arrived).toHaveLength(4 + 20 + 20);
      expect(new Set(arrived.map(({ _id }) => _id)).isSupersetOf(new Set(sent))).toBe(true);
    }).finally(drop);
  });

  it.skipIf(missing)('an event of another room is refused, and the other events are imported', async () => {
    const { store, drop } = await open();
    await onMachines(async (start) => {
      const service = await start(store);
      await importRoom(service);
      const { records } = new History();
      await importer(service).importEvents({ events: [...records] });
      const other = '!other:elsewhere';
      const room = { roomId: other, creator: ADMIN, roomVersion: '10', createdTs: 1n };
      await importer(service).importRooms({ rooms: [room] });
      const moved = records.map((record, n) =>
        JSON.stringify({ ...JSON.parse(record), room_id: other, ...(n > 0 ? { event_id: `$new${n}` } : {}) }),
      );
      expect(await importer(service).importEvents({ events: moved })).toMatchObject({
        loaded: 3,
        problems: [{ index: 0, problem: expect.stringMatching(/event of another room/) }],
      });
      const { events } = await collectionsOf(store);
      expect(await events.countDocuments({ room_id: ROOM })).toBe(4);
      expect(await events.countDocuments({ room_id: other })).toBe(3);
      const { kept, counted } = await recount(store, ROOM);
      expect(kept).toEqual(counted);
    }).finally(drop);
  });

  it.skipIf(missing)('soft-failed and rejected events are stored, but hidden from users', async () => {
    const { store, drop } = await open();
    await onMachines(async (start) => {
      const service = await start(store);
      const history = new History();
      const fork = history.idOf(3);
      history.add('m.room.name', ADMIN, { name: 'Shown' }, '');
      history.add('m.room.topic', '@c:elsewhere', { topic: 'Forked' }, '', { prev_events: [fork], depth: 5 });
      const hidden = [
        history.add('m.room.name', ADMIN, { name: 'Soft' }, '', { soft_failed: true, prev_events: [fork] }),
        history.add('m.room.name', ADMIN, { name: 'Rejected' }, '', { rejected: true, prev_events: [fork] }),
      ];
      await importRoom(service);
      await importer(service).importEvents({ events: [...history.records] });
      const { rooms, states, events } = await collectionsOf(store);
      expect(await rooms.findOne({ _id: ROOM })).toMatchObject({
        name: 'Shown',
        topic: 'Forked',
        depth: 5,
        arrival: 8,
        state_events: 6,
        extremities: [{ depth: 5 }, { depth: 5 }],
      });
      expect(await states.countDocuments({ _id: { $in: hidden } })).toBe(0);
      const client = service.client(EventService, ADMIN);
      for (const eventId of hidden) {
        await expect(client.getEvent({ roomId: ROOM, eventId })).rejects.toThrow();
      }
      const { eventId } = await client.sendEvent({
        roomId: ROOM,
        eventType: 'm.x',
        txnId: '1',
        content: '{}',
      });
      const joined = await events.findOne({ _id: eventId });
      expect(JSON.parse(joined?.json ?? '')).toMatchObject({ depth: 6, prev_events: { length: 2 } });
      expect(await (await store.collection(imports)).countDocuments({})).toBe(0);
    }).finally(drop);
  });
});

it.each([
  ['together', (root: string, reply: string) => [[root, reply]]],
  ['one after the other', (root: string, reply: string) => [[root], [reply]]],
  ['in reverse', (root: string, reply: string) => [[reply], [root]]],
])('a thread whose events are imported %s is found', async (_, batches) => {
  const store = await openSqliteStore({ path: ':memory:' });
  await onMachines(async (start) => {
    const service = await start(store);
    const history = new History();
    const root = history.add('m.room.message', ADMIN, { body: 'root' });
    const relation = { 'm.relates_to': { rel_type: 'm.thread', event_id: root } };
    const reply = history.add('m.room.message', ADMIN, { body: 'reply', ...relation });
    await importRoom(service);
    const [rootRecord = '', replyRecord = ''] = history.records.slice(-2);
    await importer(service).importEvents({ events: history.records.slice(0, -2) });
    for (const events of batches(rootRecord, replyRecord)) await importer(service).importEvents({ events });
    const { events } = await collectionsOf(store);
    const { arrival, unrelated } = (await events.findOne({ _id: reply })) ?? {};
    expect({ arrival, unrelated }).toEqual({ arrival: expect.any(Number), unrelated: true });
    const beginning = await events.findOne({ _id: root });
    expect(beginning?.thread_latest).toBe(arrival);
    expect(beginning).not.toHaveProperty('unrelated');
  }).finally(() => store.close());
});

describe('an import', () => {
  const onImport = (body: (service: TestService, store: Store) => Promise<void>) => async () => {
    const store = await openSqliteStore({ path: ':memory:' });
    await onMachines(async (start) => body(await start(store), store)).finally(() => store.close());
  };

  it(
    'reports the invalid field of a record',
    onImport(async (service) => {
      await importRoom(service);
      const [create = ''] = new History().records;
      const invalid = (fields: Json) => JSON.stringify({ ...JSON.parse(create), event_id: '$x', ...fields });
      const cases: [string, RegExp][] = [
        ['{', /JSON/],
        ['[]', /not a JSON object/],
        [invalid({ event_id: 'x' }), /event_id/],
        [invalid({ room_id: null }), /room_id is missing/],
        [invalid({ room_id: '!other:test' }), /no room !other:test/],
        [invalid({ type: 'a\0b' }), /type/],
        [invalid({ sender: 'somebody' }), /sender/],
        [invalid({ content: [] }), /content/],
        [invalid({ depth: -1 }), /depth/],
        [invalid({ depth: 2 ** 60 }), /depth/],
        [invalid({ origin_server_ts: '1' }), /origin_server_ts/],
        [invalid({ prev_events: [1] }), /prev_events/],
        [invalid({ state_key: 'é'.repeat(128) }), /state_key/],
        [invalid({ type: 'm.room.member', state_key: 'x' }), /user id/],
        [invalid({ type: 'm.room.member', state_key: ADMIN }), /membership/],
        [invalid({ content: { a: 'x'.repeat(70_000) } }), /at most 65536 bytes/],
      ];
      const { loaded, problems } = await importer(service).importEvents({
        events: cases.map(([text]) => text),
      });
      expect(loaded).toBe(0);
      const byIndex = new Map(problems.map(({ index, problem }) => [index, problem]));
      for (const [index, [, expected]] of cases.entries()) expect(byIndex.get(index)).toMatch(expected);
    }),
  );

  it.each(['with its record', 'after it was loaded'])(
    'redacts by a ban what its user has sent: %s',
    async (when) =>
      onImport(async (service, store) => {
        const [user] = USERS as [string];
        const history = new History();
        const profile = { displayname: 'Rude', avatar_url: 'mxc://test/rude' };
        const join = history.add('m.room.member', user, { membership: 'join', ...profile }, user);
        const message = history.add('m.room.message', user, { body: 'rude', url: 'mxc://test/m' });
        const ban = history.add('m.room.member', ADMIN, { membership: 'ban', reason: 'Rude' }, user);
        const marked = history.records.map((record) => {
          const event = JSON.parse(record);
          return event.sender === user ? JSON.stringify({ ...event, ...redactedBy(ban) }) : record;
        });
        await importRoom(service);
        const entries = await store.collection(searchEntries);
        if (when === 'after it was loaded') {
          await importer(service).importEvents({ events: [...history.records] });
          const entry = { type: 'm.room.message', received_ts: 1, arrival: 6, words: ['rude'] };
          await entries.insertOne({ _id: message, room_id: ROOM, ...entry });
        }
        await importer(service).importEvents({ events: marked });
        const { events, members } = await collectionsOf(store);
        for (const _id of [join, message]) {
          const stored = await events.findOne({ _id });
          expect(stored).toMatchObject({
            redacted_by: ban,
            media: [],
            json: expect.stringContaining('mxc://'),
          });
          expect(stored).not.toHaveProperty('avatar');
        }
        expect(await members.findOne({ user_id: user })).toMatchObject({
          ...{ membership: 'ban', displayname: null, avatar_url: null },
        });
        expect(await entries.countDocuments({})).toBe(0);
        const client = service.client(EventService, ADMIN);
        const { event } = await client.getEvent({ roomId: ROOM, eventId: message });
        expect(event).not.toContain('displayname');
        expect(JSON.parse(event)).toMatchObject({
          content: {},
          unsigned: {
            redacted_by: ban,
            redacted_because: {
              content: { membership: 'ban', reason: 'Rude' },
              // What the ban has replaced is redacted, too.
              unsigned: { prev_content: { membership: 'join' }, replaces_state: join },
            },
          },
        });
      })(),
  );

  it(
    'of a room with an unknown version admits no new events',
    onImport(async (service, store) => {
      await importRoom(service, 'org.example.99');
      await importer(service).importEvents({ events: [...new History().records] });
      const { rooms } = await collectionsOf(store);
      expect(await rooms.findOne({ _id: ROOM })).toMatchObject({ joined_members: 1, arrival: 4 });
      const request = { roomId: ROOM, eventType: 'm.x', txnId: '1', content: '{}' };
      const sent = service.client(EventService, ADMIN).sendEvent(request);
      await expect(sent).rejects.toThrow(/does not support the version of the room/);
      const join = service.client(MembershipService, '@a:test').joinRoom({ roomId: ROOM });
      await expect(join).rejects.toThrow(/does not support the version of the room/);
    }),
  );

  it(
    'of a room without local members lets users join by its join rules',
    onImport(async (service, store) => {
      const history = new History();
      for (const user of ['@c:elsewhere', '@d:elsewhere']) {
        history.add('m.room.member', user, { membership: 'join' }, user);
      }
      history.add('m.room.member', ADMIN, { membership: 'leave' }, ADMIN);
      await importRoom(service);
      const members = [{ roomId: ROOM, userId: '@c:elsewhere' }];
      expect(await importer(service).importMembers({ members })).toMatchObject({ loaded: 1, problems: [] });
      await importer(service).importEvents({ events: [...history.records] });
      expect(await importer(service).importMembers({ members })).toMatchObject({ loaded: 0, skipped: 1 });
      await service.client(MembershipService, '@a:test').joinRoom({ roomId: ROOM });
      const { rooms } = await collectionsOf(store);
      expect(await rooms.findOne({ _id: ROOM })).toMatchObject({
        joined_members: 3,
        joined_local_members: 1,
      });
      const { kept, counted } = await recount(store, ROOM);
      expect(kept).toEqual(counted);
    }),
  );
});
