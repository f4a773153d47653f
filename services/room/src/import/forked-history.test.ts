import { createClient } from '@connectrpc/connect';
import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { HistoryPurgeService } from '@steward/proto/steward/room/v1/history_purge_pb.ts';
import { ImportService } from '@steward/proto/steward/room/v1/import_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { createLocalTransport } from '@steward/rpc';
import { openSqliteStore, type Store } from '@steward/store';
import { type CrashPoint, crashableStore, stores } from '@steward/store/testing';
import { createFakeClock, dueRuns } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StateRange } from '../core/model/event-document.ts';
import { memberId } from '../core/model/member.ts';
import { membersOfSenders } from '../core/reading/members-of-senders.ts';
import { stateAt, stateEventAt, stateEventsAt } from '../core/reading/state-at.ts';
import { membershipsAt, visibilityOf } from '../core/visibility/visibility-of.ts';
import { exportedEvent } from '../export/exported-room.ts';
import { collectionsOf } from '../fixtures/recount.ts';
import { startTestService, type TestService } from '../fixtures/test-service.ts';

/** What it proves. */
const GUARDS = ['services/room/src/core/aggregate/', 'services/room/src/import/'];

const ROOM = '!room:elsewhere';
const ADMIN = '@admin:test';
const BOB = '@b:test';
const MEMBER = 'm.room.member';
const VISIBILITY = 'm.room.history_visibility';

/** The keys whose state forks. */
const KEYS = [
  [VISIBILITY, ''],
  [MEMBER, BOB],
] as const;

/** What an event does: it sets a key to a value, or nothing; and which of the earlier events the state at it has, of each key. */
const step = fc.record({
  sets: fc.constantFrom(undefined, 0, 1),
  value: fc.boolean(),
  has: fc.tuple(fc.nat(), fc.nat()),
  isHidden: fc.nat(5).map((n) => n === 0),
});

interface Recorded {
  readonly event_id: string;
  readonly type: string;
  readonly state_key?: string;
  readonly content: { readonly history_visibility?: string; readonly membership?: string };
  readonly soft_failed?: boolean;
}

/** A history, and the state events that the room has at each of its positions and after them. */
function historyOf(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) {
  const events: Recorded[] = [];
  const states: (readonly (Recorded | undefined)[])[] = [];
  const record = (n: number, more: object) => ({
    ...{ event_id: `$e${n}`, room_id: ROOM, sender: ADMIN, origin_server_ts: n + 1, depth: n + 1 },
    ...{ prev_events: [], auth_events: [], type: 'm.room.message', content: {}, ...more },
  });
  const created = { type: 'm.room.create', state_key: '', content: { creator: ADMIN, room_version: '10' } };
  const first = { value: false, has: [0, 0], isHidden: false };
  const all = [{ ...first, sets: undefined }, { ...first, sets: 0 }, ...steps];
  for (const [n, { sets, value, has, isHidden }] of all.entries()) {
    const key = sets === undefined ? undefined : KEYS[sets];
    const content =
      sets === 0
        ? { history_visibility: value ? 'world_readable' : 'joined' }
        : { membership: value ? 'join' : 'leave' };
    const set = key ? { type: key[0], state_key: key[1], content } : {};
    const hidden = key && isHidden ? { soft_failed: true } : {};
    events.push(record(n, n === 0 ? created : { ...set, ...hidden }) as Recorded);
    states.push(
      KEYS.map(([type], index) => {
        if (n === 0) return undefined;
        const earlier = events.filter((event) => event.type === type);
        // There is always a visibility.
        const candidates = index === 0 ? earlier : [undefined, ...earlier];
        return sets === index ? events[n] : candidates[(has[index] ?? 0) % candidates.length];
      }),
    );
  }
  states.push(KEYS.map(([type]) => events.findLast((event) => event.type === type && !event.soft_failed)));
  return { events, states };
}

/** The ranges of a state event of a history. */
function rangesOf(event: Recorded, states: ReturnType<typeof historyOf>['states']): readonly StateRange[] {
  const ranges: { from: number; until?: number }[] = [];
  for (const [index, state] of states.entries()) {
    const last = ranges.at(-1);
    const isOpen = last !== undefined && last.until === undefined;
    if (state.includes(event) === isOpen) continue;
    if (isOpen) last.until = index + 1;
    else ranges.push({ from: index + 1 });
  }
  return ranges;
}

/** The records of a history, with the ranges of its state events and what they replaced in their branches. */
function recordsOf({ events, states }: ReturnType<typeof historyOf>): readonly object[] {
  return events.map((event, index) => {
    const key = KEYS.findIndex(([type]) => type === event.type);
    if (key < 0) return event;
    // Any earlier one of its key, as if its branch had it.
    const earlier = events.slice(0, index).filter(({ type }) => type === event.type);
    const replaced = ['', ...earlier.map((each) => each.event_id)][index % (earlier.length + 1)];
    return { ...event, stored: { in_state: rangesOf(event, states), replaces_in_branch: replaced } };
  });
}

/** Loads the room with records of its events. */
async function importInto(service: TestService, records: readonly string[]) {
  const client = createClient(ImportService, createLocalTransport(service.service.routes));
  const room = { roomId: ROOM, creator: ADMIN, roomVersion: '10', createdTs: 1n, public: true };
  await client.importRooms({ rooms: [room] });
  return client.importEvents({ events: [...records] });
}

/** The records of the events of the room, as they are exported, and what is stored of its state. */
async function exportFrom(store: Store) {
  const { events, states } = await collectionsOf(store);
  const stored = await events.find({ room_id: ROOM }, { sort: { arrival: 1 } }).toArray();
  return {
    records: stored.map((event) => JSON.stringify(exportedEvent(event))),
    intervals: await states.find({ room_id: ROOM }, { sort: { _id: 1 } }).toArray(),
  };
}

/** A clock and a bus for services. */
async function openAround() {
  const clock = createFakeClock();
  const store = await openSqliteStore({ path: ':memory:' });
  const bus = await createLocalBus({ store, clock, random: systemRandom, report: () => {} });
  const drop = async () => {
    await bus.close();
    await store.close();
  };
  return { clock, bus, drop };
}

describe.each(stores)('$title', ({ missing, remote, open }) => {
  it.skipIf(missing)(
    'the state at each event of a forked history is that of the records, whenever they bring it, also after crashes',
    { timeout: 240_000 },
    async () => {
      const history = fc.array(step, { minLength: 2, maxLength: 14 });
      const crash = fc.record({
        call: fc.integer({ min: 1, max: 40 }),
        how: fc.constantFrom<CrashPoint>('before', 'during', 'after'),
      });
      await fc.assert(
        fc.asyncProperty(
          history,
          fc.nat(14),
          fc.constantFrom('at once', 'later', 'again'),
          crash,
          async (steps, cut, when, { call, how }) => {
            const { store, drop } = await open();
            const [{ drop: dropBus, ...around }, { drop: dropOther, ...other }] = [
              await openAround(),
              await openAround(),
            ];
            let service = await startTestService({ store, ...around, isAlone: false });
            const closing = [service];
            try {
              const { events, states } = historyOf(steps);
              const withRanges = (known: readonly Recorded[], until: typeof states) =>
                known.map((event) => ({
                  ...event,
                  ...(event.type === VISIBILITY || event.type === MEMBER
                    ? { stored: { in_state: rangesOf(event, until) } }
                    : {}),
                }));
              const load = async (records: readonly object[]) => {
                const batch = records.map((record) => JSON.stringify(record));
                const transport = createLocalTransport(service.service.routes);
                return createClient(ImportService, transport).importEvents({ events: batch });
              };
              const room = {
                ...{ roomId: ROOM, creator: ADMIN, roomVersion: '10', createdTs: 1n, public: true },
              };
              await createClient(ImportService, createLocalTransport(service.service.routes)).importRooms({
                rooms: [room],
              });
              if (when === 'later') await load(events);
              if (when === 'again') {
                // An earlier copy ended in the middle of the history.
                const part = historyOf(steps.slice(0, cut));
                await load(part.events);
                await load(withRanges(part.events, part.states));
                await load(events);
              }
              const records = withRanges(events, states);
              const crashable = crashableStore(store);
              const calm = service;
              service = await startTestService({ store: crashable.store, ...other, isAlone: false });
              closing.push(service);
              crashable.crashAt(call, how);
              try {
                expect((await load(records)).problems).toEqual([]);
              } catch (error) {
                if (!crashable.hasCrashed) throw error;
              }
              service = calm;
              expect((await load(records)).problems).toEqual([]);
              expect(await load(records)).toMatchObject({ loaded: 0, problems: [] });
              await service.service.whenIdle();

              const collections = await collectionsOf(store);
              const shown = await collections.rooms.findOne({ _id: ROOM });
              const member = await collections.members.findOne({ _id: memberId(ROOM, BOB) });
              const users = { erased: async () => new Set<string>() };
              const deps = { ...collections, users } as unknown as Parameters<typeof visibilityOf>[0];
              for (const [index, state] of states.entries()) {
                const point = { roomId: ROOM, arrival: index + 1 };
                const ids = state.map((event) => event?.event_id);
                const one = await Promise.all(
                  KEYS.map(([type, key]) => stateEventAt(deps, point, type, key)),
                );
                expect(one.map((event) => event?._id)).toEqual(ids);
                const known = ids.filter((id) => id !== undefined).toSorted();
                const several = await stateEventsAt(deps, point, KEYS);
                expect(several.map(({ _id }) => _id).toSorted()).toEqual(known);
                const every = (await Array.fromAsync(stateAt(deps, point))).flat().map(({ _id }) => _id);
                expect(every.toSorted()).toEqual(['$e0', ...known].toSorted());
                const members = (await Array.fromAsync(stateAt(deps, point, MEMBER))).flat();
                expect(members.map(({ _id }) => _id)).toEqual(ids[1] === undefined ? [] : [ids[1]]);
                expect(await membersOfSenders(deps, point, [BOB])).toEqual(members);
              }
              const viewing = {
                roomId: ROOM,
                arrival: events.length,
                member: member ?? undefined,
                room: shown ?? {},
              };
              const messages = (
                await collections.events.find({ type: 'm.room.message' }, { sort: { arrival: 1 } }).toArray()
              ).map((document) => ({ document, state: states[(document.arrival ?? 0) - 1] }));
              const documents = messages.map(({ document }) => document);
              const memberships = messages.map(({ state }) => state?.[1]?.content.membership ?? 'leave');
              expect(await visibilityOf(deps, documents, { ...viewing }, BOB)).toEqual(
                messages.map(({ state }, index) => {
                  const visibility = state?.[0]?.content.history_visibility;
                  if (memberships[index] === 'join' || visibility === 'world_readable') return 'whole';
                  return 'hidden';
                }),
              );
              if (member)
                expect(await membershipsAt(deps, documents, { ...viewing }, BOB)).toEqual(memberships);

              const stored = await collections.events.find({}, { sort: { arrival: 1 } }).toArray();
              const ranges = stored.map(
                (event) => (exportedEvent(event).stored as { in_state?: object }).in_state,
              );
              expect(ranges).toEqual(
                records.map((event) => (event as { stored?: { in_state: object } }).stored?.in_state),
              );
            } finally {
              for (const each of closing) await each.close();
              await dropBus();
              await dropOther();
              await drop();
            }
          },
        ),
        { numRuns: dueRuns(remote ? 10 : 15, 'imports of forked histories', GUARDS) },
      );
    },
  );

  it.skipIf(missing)(
    'a room whose state events have several ranges is exported as it was imported, keeps them in a redaction and a purge, and is deleted as a whole',
    { timeout: 240_000 },
    async () => {
      const history = fc.array(step, { minLength: 6, maxLength: 14 });
      const closing: (() => Promise<unknown>)[] = [];
      const start = async () => {
        const { store, drop } = await open();
        const { drop: dropBus, ...around } = await openAround();
        const service = await startTestService({ store, ...around, isAlone: false });
        closing.push(() => service.close(), dropBus, drop);
        return { store, service };
      };
      const property = async (steps: Parameters<typeof historyOf>[0]) => {
        const forked = historyOf(steps);
        const redaction = { type: 'm.room.redaction', redacts: '$e1', content: { redacts: '$e1' } };
        const last = { ...forked.events[0], ...redaction, event_id: '$redaction', depth: 99 };
        const { state_key: _, ...redacting } = last as Recorded;
        const first = await start();
        const given = [...recordsOf(forked), redacting].map((record) => JSON.stringify(record));
        expect((await importInto(first.service, given)).problems).toEqual([]);
        await first.service.service.whenIdle();
        const exported = await exportFrom(first.store);
        const { events, states } = await collectionsOf(first.store);
        expect(await events.findOne({ _id: '$e1' })).toMatchObject({ redacted_by: '$redaction' });
        expect(exported.intervals.length).toBe(
          1 +
            forked.events.reduce(
              (sum, event) =>
                sum +
                (event.type === MEMBER || event.type === VISIBILITY
                  ? rangesOf(event, forked.states).length
                  : 0),
              0,
            ),
        );

        const second = await start();
        expect((await importInto(second.service, exported.records)).problems).toEqual([]);
        await second.service.service.whenIdle();
        expect(await exportFrom(second.store)).toEqual(exported);

        const purging = { roomId: ROOM, eventId: '$redaction', deleteLocalEvents: true };
        await first.service.client(HistoryPurgeService, ADMIN).purgeHistoryUpToEvent(purging);
        await first.service.service.whenIdle();
        expect(await events.countDocuments({ room_id: ROOM, type: 'm.room.message' })).toBe(0);
        expect((await exportFrom(first.store)).intervals).toEqual(exported.intervals);

        const deletion = { roomId: ROOM, forcePurge: true };
        await first.service.client(RoomDeletionService, ADMIN).beginRoomDeletion(deletion);
        await first.service.service.whenIdle();
        expect(await exportFrom(first.store)).toEqual({ records: [], intervals: [] });
        expect(await states.countDocuments({})).toBe(0);
      };
      await fc.assert(
        fc.asyncProperty(history, async (steps) => {
          try {
            await property(steps);
          } finally {
            for (const close of closing.splice(0)) await close();
          }
        }),
        { numRuns: dueRuns(remote ? 6 : 12, 'exports of forked histories', GUARDS) },
      );
    },
  );

  it.skipIf(missing)(
    'refuses ranges of messages, ranges in disorder, and open ones of hidden events',
    async () => {
      const { store, drop } = await open();
      const { drop: dropBus, ...around } = await openAround();
      const service = await startTestService({ store, ...around, isAlone: false });
      const client = createClient(ImportService, createLocalTransport(service.service.routes));
      const room = { roomId: ROOM, creator: ADMIN, roomVersion: '10', createdTs: 1n, public: true };
      await client.importRooms({ rooms: [room] });
      const name = { ...historyOf([]).events[0], type: 'm.room.name', content: {} };
      const bad = [
        { ...name, state_key: undefined, stored: { in_state: [{ from: 1 }] } },
        { ...name, stored: { in_state: [{ from: 5, until: 6 }, { from: 1 }] } },
        { ...name, stored: { in_state: [{ from: 1 }, { from: 5, until: 6 }] } },
        { ...name, stored: { in_state: [{ from: 2, until: 2 }] } },
        { ...name, soft_failed: true, stored: { in_state: [{ from: 1 }] } },
      ].map((record, n) => JSON.stringify({ ...record, event_id: `$bad${n}` }));
      const { loaded, problems } = await client.importEvents({ events: bad });
      expect([loaded, problems.map(({ problem }) => problem)]).toEqual([
        0,
        [
          'in_state is of state events only',
          ...Array(4).fill('in_state is not a list of ranges in their order'),
        ],
      ]);
      await service.close();
      await drop();
    },
  );
});
