import { create } from '@bufbuild/protobuf';
import { ListRoomsRequestSchema } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { type Collection, openSqliteStore, type Store } from '@steward/store';
import { explain } from '@steward/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Deps } from '../../core/deps.ts';
import { rooms as declaration, newRoom, type Room } from '../../core/model/room.ts';
import { listRooms } from './list-rooms.ts';

/** The number of rooms; enough for several pages of every sort key. */
const SIZE = 2_000;

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
];

let store: Store;
let rooms: Collection<Room>;
beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  rooms = await store.collection(declaration);
  const documents = Array.from({ length: SIZE }, (_, n) => ({
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
  }));
  for (let start = 0; start < SIZE; start += 500) await rooms.insertMany(documents.slice(start, start + 500));
});
afterAll(() => store.close());

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
  await listRooms({ rooms: watched } as unknown as Deps, create(ListRoomsRequestSchema, request));
  return queries.map((args) => explain(rooms, ...args));
}

it('an index serves every order', async () => {
  for (const orderBy of ORDERS) {
    for (const dir of ['f', 'b']) {
      for (const page of [{ limit: 10n }, { from: 900n, limit: 10n }]) {
        const explained = await explainList({ ...page, dir, ...(orderBy === undefined ? {} : { orderBy }) });
        expect(explained).toHaveLength(1);
        for (const { route, plan, statement } of explained) {
          const about = `${orderBy} ${dir}: ${statement}`;
          expect(route, about).toBe('walk');
          expect(plan.join('\n'), about).not.toMatch(/TEMP B-TREE|^SCAN room\.rooms(?! USING)/m);
        }
      }
    }
  }
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
