import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { ownChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const ROOMS = '/_service/admin/v1/rooms';
const V3 = '/_proto/client/v3';

interface Room {
  readonly room_id: string;
  readonly [field: string]: string | number | boolean | null;
}

interface List {
  readonly rooms: readonly Room[];
  readonly offset: number;
  readonly total_rooms: number;
  readonly next_batch?: number;
  readonly next_token?: number;
  readonly prev_batch?: number;
}

/** The field that an order sorts by, and its direction at `dir=f`. */
const ORDERS: readonly (readonly [orderBy: string, field: string, direction: 1 | -1])[] = [
  ['alphabetical', 'name', 1],
  ['name', 'name', 1],
  ['canonical_alias', 'canonical_alias', 1],
  ['creator', 'creator', 1],
  ['encryption', 'encryption', 1],
  ['federatable', 'federatable', 1],
  ['public', 'public', 1],
  ['join_rules', 'join_rules', 1],
  ['guest_access', 'guest_access', 1],
  ['history_visibility', 'history_visibility', 1],
  ['size', 'joined_members', -1],
  ['joined_members', 'joined_members', -1],
  ['joined_local_members', 'joined_local_members', -1],
  ['version', 'version', -1],
  ['state_events', 'state_events', -1],
];

/** Nulls are smallest, then false; strings compare by code point, which equals UTF-16 order here. */
function compare(a: Room[string] | undefined, b: Room[string] | undefined): number {
  if (a === b) return 0;
  if (a === null || a === undefined) return -1;
  if (b === null || b === undefined) return 1;
  return a < b ? -1 : 1;
}

ownChapter('10.1 List of rooms', (world) => {
  let alice: Actor;
  let bob: Actor;
  /** The properties that differ between the rooms. */
  const ids: Record<string, string> = {};

  const list = async (query: Record<string, string> = {}) =>
    (await world.admin.get<List>(`${ROOMS}?${new URLSearchParams(query)}`)).body;
  const found = async (query: Record<string, string>) =>
    (await list(query)).rooms.map(({ room_id }) => room_id).sort();
  const idsOf = (...names: string[]) => names.map((name) => ids[name]).sort();

  beforeAll(async () => {
    alice = await world.user('alice');
    bob = await world.user('bob');
    const create = async (key: string, by: Actor, body: Record<string, unknown>) => {
      const reply = await by.post<{ room_id: string }>(`${V3}/createRoom`, { body });
      ids[key] = reply.body.room_id;
      return reply.body.room_id;
    };
    await create('plain', alice, {});
    const upper = await create('upper', bob, { name: 'Zoo ÄÖ', room_version: '9', preset: 'public_chat' });
    await create('lower', alice, {
      name: 'apples 100%',
      visibility: 'public',
      room_alias_name: 'Fruit_Basket',
      initial_state: [
        { type: 'm.room.encryption', content: { algorithm: 'm.megolm.v1.aes-sha2' } },
        { type: 'm.room.history_visibility', content: { history_visibility: 'world_readable' } },
      ],
    });
    await create('space', bob, {
      name: 'Zoo ÄÖ',
      room_version: '11',
      creation_content: { type: 'm.space', 'm.federate': false },
      initial_state: [{ type: 'm.room.join_rules', content: { join_rule: 'knock' } }],
    });
    const empty = await create('empty', alice, { name: 'apples and pears' });
    await create('quoted', alice, { name: `next to ${ids.plain}` });
    await bob.post(path`/_proto/client/v3/rooms/${upper}/join`);
    await alice.post(path`/_proto/client/v3/rooms/${upper}/join`);
    await alice.post(path`/_proto/client/v3/rooms/${empty}/leave`);
    await world.whenIdle();
  });

  it('an entry has exactly its fields', async () => {
    const { rooms } = await list({ search_term: ids.lower ?? '' });
    expect(rooms).toEqual([
      {
        room_id: ids.lower,
        name: 'apples 100%',
        canonical_alias: '#Fruit_Basket:test',
        joined_members: 1,
        joined_local_members: 1,
        version: '10',
        creator: alice.userId,
        encryption: 'm.megolm.v1.aes-sha2',
        federatable: true,
        public: true,
        join_rules: 'public',
        guest_access: null,
        history_visibility: 'world_readable',
        state_events: 8,
        room_type: null,
      },
    ]);
    expect((await list({ search_term: ids.space ?? '' })).rooms[0]).toMatchObject({
      canonical_alias: null,
      version: '11',
      federatable: false,
      public: false,
      join_rules: 'knock',
      guest_access: 'can_join',
      room_type: 'm.space',
    });
  });

  it.each(ORDERS)(
    'list of rooms is sorted by %s, ties in the direction of the key',
    async (orderBy, field, direction) => {
      const { rooms } = await list({ order_by: orderBy });
      expect(rooms).toHaveLength(Object.keys(ids).length);
      const expected = rooms.toSorted(
        (a, b) => direction * (compare(a[field], b[field]) || compare(a.room_id, b.room_id)),
      );
      expect(rooms).toEqual(expected);
      expect((await list({ order_by: orderBy, dir: 'b' })).rooms).toEqual(rooms.toReversed());
    },
  );

  it('list of rooms is sorted by name by default, also under the original prefix', async () => {
    const { rooms, ...rest } = await list();
    expect(rooms).toEqual((await list({ order_by: 'name', dir: 'f' })).rooms);
    expect(rest).toEqual({ offset: 0, total_rooms: rooms.length });
    expect((await world.admin.get<List>('/_synapse/admin/v1/rooms')).body).toEqual({ rooms, ...rest });
  });

  it('list of rooms is paged forward and back', async () => {
    const all = (await list()).rooms;
    const seen: Room[] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const page: List = await list({ from: String(from), limit: '4' });
      expect(page).toMatchObject({ offset: from, total_rooms: all.length });
      expect(page.next_token).toBe(page.next_batch);
      expect(page.prev_batch).toBe(from > 0 ? Math.max(from - 4, 0) : undefined);
      seen.push(...page.rooms);
      from = page.next_batch;
    }
    expect(seen).toEqual(all);
    expect(await list({ limit: '0' })).toEqual({
      rooms: [],
      offset: 0,
      total_rooms: all.length,
      next_batch: 0,
      next_token: 0,
    });
    expect(await list({ from: '3', limit: '9223372036854775807' })).toMatchObject({
      rooms: all.slice(3),
      prev_batch: 0,
    });
    expect(await list({ from: '9223372036854775807' })).toMatchObject({ rooms: [], total_rooms: all.length });
  });

  it.each([
    ['a part of the name, in any case', 'ZOO äö', ['upper', 'space']],
    ['a part of the alias before the colon', 'fruit_b', ['lower']],
    ['pattern characters of databases', '100%', ['lower']],
    ['the domain of the alias', 'Basket:test', []],
    ['the sigil of the alias', '#Fruit', []],
    ['an absent text', 'no such room', []],
  ])('can be searched for %s', async (_, search_term, expected) => {
    expect(await found({ search_term })).toEqual(idsOf(...expected));
    expect((await list({ search_term, limit: '0' })).total_rooms).toBe(expected.length);
  });

  it('a search finds a whole room id, case-sensitively, and rooms whose names contain it', async () => {
    const id = ids.plain ?? '';
    for (const [order_by] of ORDERS) {
      for (const dir of ['f', 'b']) {
        const query = { search_term: id, order_by, dir };
        const { rooms, total_rooms } = await list(query);
        expect(total_rooms).toBe(2);
        const among = new Set(idsOf('plain', 'quoted'));
        const order = (await list({ order_by, dir })).rooms.filter(({ room_id }) => among.has(room_id));
        expect(rooms, `${order_by} ${dir}`).toEqual(order);
        const pages = [await list({ ...query, limit: '1' }), await list({ ...query, limit: '1', from: '1' })];
        expect(pages.flatMap((page) => page.rooms)).toEqual(order);
      }
    }
    expect(await found({ search_term: (ids.upper ?? '').slice(0, -2) })).toEqual([]);
    expect(await found({ search_term: (ids.upper ?? '').toUpperCase() })).toEqual([]);
  });

  it.each([
    [{ public_rooms: 'true' }, ['lower']],
    [{ public_rooms: 'false', search_term: 'zoo' }, ['upper', 'space']],
    [{ empty_rooms: 'true' }, ['empty']],
    [{ empty_rooms: 'false', search_term: 'apples' }, ['lower']],
    [{ public_rooms: 'true', empty_rooms: 'true' }, []],
  ])('can be filtered by %j', async (query, expected) => {
    expect(await found(query as Record<string, string>)).toEqual(idsOf(...expected));
    const { total_rooms } = await list({ ...(query as Record<string, string>), limit: '0' });
    expect(total_rooms).toBe(expected.length);
  });

  it('a room id that the filters exclude is not found', async () => {
    expect(await found({ search_term: ids.empty ?? '', empty_rooms: 'false' })).toEqual([]);
  });

  describe('is refused for', () => {
    it.each([
      'from=-1',
      'from=x',
      'limit=-1',
      'limit=',
      'order_by=x',
      'order_by=Name',
      'search_term=',
      'dir=x',
      'public_rooms=1',
      'empty_rooms=True',
    ])('%s', async (query) => {
      expect(await world.admin.get(`${ROOMS}?${query}`)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    });
  });
});
