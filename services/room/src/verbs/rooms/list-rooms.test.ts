import { create } from '@bufbuild/protobuf';
import { ListRoomsRequestSchema } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { type Collection, openSqliteStore, type Store } from '@steward/store';
import { explain } from '@steward/store/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Deps } from '../../core/deps.ts';
import { rooms as declaration, newRoom, type Room } from '../../core/model/room.ts';
import { facetOf } from '../../core/model/room-facet.ts';
import { listRooms } from './list-rooms.ts';

/** The number of rooms; enough for several pages of every sort key. */
const SIZE = 2_000;

/** The orders in which an index holds the rooms of each facet. */
const FACET_ORDERS = ['name', 'joined_members', 'last_activity', 'created'];

/** The orders in which an index holds the rooms with the same flags. */
const FLAG_ORDERS = [...FACET_ORDERS, 'messages', 'bytes'];

/** Filters on the properties of rooms, alone and together. */
const TRAITS = [
  { encrypted: true },
  { encryption: 'm.megolm.v1.aes-sha2' },
  { version: '4' },
  { tombstoned: true },
  { tombstoned: false },
  { blocked: true },
  { joinRule: 'public', blocked: false },
  { publicRooms: true, encrypted: false },
  { emptyRooms: true, version: '9' },
];

const ORDERS = [
  undefined,
  'name',
  'canonical_alias',
  'creator',
  'encryption',
  'federatable',
  'public',
  'join_rules',
  'guest_access',
  'history_visibility',
  'joined_members',
  'joined_local_members',
  'version',
  'state_events',
  ...FLAG_ORDERS,
];

let store: Store;
let rooms: Collection<Room>;
beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  rooms = await store.collection(declaration);
  const documents = Array.from(
    { length: SIZE },
    (_, n): Room =>
      withFacet({
        ...newRoom({
          roomId: `!${String(n).padStart(5, '0')}:test`,
          roomVersion: String((n % 12) + 1),
          creator: `@user-${n % 50}:test`,
          public: n % 9 === 0,
          now: n,
        }),
        name: n % 3 === 0 ? null : `Name ${n % 300}`,
        folded_name: n % 3 === 0 ? '' : `name ${n % 300}`,
        joined_members: n % 40,
        state_events: n % 70,
        encryption: n % 2 === 0 ? 'm.megolm.v1.aes-sha2' : null,
        join_rules: n % 5 === 0 ? 'public' : 'invite',
        tombstoned: n % 30 === 1,
        blocked: n % 90 === 7,
        last_activity_ts: n % 700,
        messages: n % 500,
        event_bytes: n % 600,
      }),
  );
  for (let start = 0; start < SIZE; start += 500) await rooms.insertMany(documents.slice(start, start + 500));
});
afterAll(() => store.close());

const withFacet = (room: Room): Room => ({ ...room, ...facetOf(room) });

/** Explains the queries of a list. */
async function explainList(request: Parameters<typeof create<typeof ListRoomsRequestSchema>>[1]) {
  const queries: Parameters<typeof rooms.find>[] = [];
  const watched: Pick<typeof rooms, 'find' | 'findOne' | 'countDocuments' | 'tally'> = {
    find: (...args) => {
      queries.push(args);
      return rooms.find(...args);
    },
    findOne: (...args) => rooms.findOne(...args),
    countDocuments: (...args) => rooms.countDocuments(...args),
    tally: () => rooms.tally(),
  };
  await listRooms(
    { rooms: watched, capabilities: store.capabilities } as unknown as Deps,
    create(ListRoomsRequestSchema, request),
  );
  return queries.map((args) => explain(rooms, ...args));
}

function expectWalk({ route, plan, statement }: ReturnType<typeof explain>): void {
  expect(route, statement).toBe('walk');
  expect(plan.join('\n'), statement).not.toMatch(/TEMP B-TREE|^SCAN room\.rooms(?! USING)/m);
}

it.each(['messages', 'bytes', 'last_activity'])(
  'limits of the last activity are sorted by %s in an index',
  async (orderBy) => {
    for (const limits of [{ lastActivityAfter: 5n }, { lastActivityAfter: 5n, membersMin: 3n }]) {
      for (const one of await explainList({ ...limits, orderBy, limit: 10n })) {
        const searches = one.plan.filter((line) => /^(SEARCH|SCAN) room/.test(line));
        expect(searches, one.statement).toEqual([
          expect.stringContaining(' COVERING INDEX room.rooms/last_activity '),
        ]);
      }
    }
  },
);

it('an index serves every order', async () => {
  for (const orderBy of ORDERS) {
    for (const dir of ['f', 'b']) {
      for (const page of [{ limit: 10n }, { from: 900n, limit: 10n }]) {
        const explained = await explainList({ ...page, dir, ...(orderBy === undefined ? {} : { orderBy }) });
        expect(explained).toHaveLength(1);
        for (const one of explained) expectWalk(one);
      }
    }
  }
});

it('an index serves every filter on properties, in the orders that it has, without reading other rooms', async () => {
  for (const filter of TRAITS) {
    const isByFlags = !('version' in filter) && !('joinRule' in filter);
    for (const orderBy of isByFlags ? FLAG_ORDERS : FACET_ORDERS) {
      for (const page of [{ limit: 10n }, { from: 40n, limit: 10n }]) {
        for (const explained of await explainList({ ...filter, ...page, orderBy })) expectWalk(explained);
      }
    }
  }
});

it.each<[string, Parameters<typeof explainList>[0]]>([
  ['limits of members', { membersMin: 5n, membersMax: 9n }],
  ['a limit of members, and encryption', { membersMin: 5n, encrypted: true }],
  ['activity after a time', { lastActivityAfter: 300n }],
  ['activity before a time, and no tombstone', { lastActivityBefore: 300n, tombstoned: false }],
  ['a creator', { creator: '@user-3:test' }],
])('an index serves the order and the filters of %s', async (_, filter) => {
  for (const explained of await explainList({ ...filter, limit: 10n })) expectWalk(explained);
});

it('sums the total of properties from the tally', async () => {
  const counts = vi.spyOn(rooms, 'countDocuments');
  await explainList({ encrypted: true, version: '3', limit: 10n });
  expect(counts).not.toHaveBeenCalled();
});

it('the search index serves a search term', async () => {
  for (const { route } of await explainList({ searchTerm: 'Name 29' })) expect(route).toBe('search');
});

it.each<Parameters<typeof rooms.find>[0]>([{ public: true }, { joined_members: 0 }, {}])(
  'an index serves the count of %j',
  (filter) => {
    const { plan } = explain(rooms, filter);
    expect(plan.join('\n')).not.toMatch(/^SCAN room\.rooms(?! USING)/m);
  },
);
