import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { compareCodePoints } from '@steward/kernel';
import { ListRoomsRequestSchema } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { openCollections } from '@steward/service';
import { type OwnStore, stores } from '@steward/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collections } from '../../core/collections.ts';
import type { Deps } from '../../core/deps.ts';
import { newRoom, type Room } from '../../core/model/room.ts';
import { facetOf } from '../../core/model/room-facet.ts';
import { listRooms } from './list-rooms.ts';

type Request = MessageInitShape<typeof ListRoomsRequestSchema>;

/** Enough rooms for more facets than one query merges. */
const SIZE = 600;

const MEGOLM = 'm.megolm.v1.aes-sha2';

/** The filters, each with the rooms that it selects. */
const FILTERS: readonly (readonly [Request, (room: Room) => boolean])[] = [
  [{ encrypted: true }, (room) => room.encryption !== null],
  [{ encrypted: false }, (room) => room.encryption === null],
  [{ encryption: MEGOLM }, (room) => room.encryption === MEGOLM],
  [{ encryption: 'org.example.ß' }, (room) => room.encryption === 'org.example.ß'],
  [{ version: '10' }, (room) => room.room_version === '10'],
  [{ version: 'org.example.v' }, (room) => room.room_version === 'org.example.v'],
  [{ tombstoned: true }, (room) => room.tombstoned],
  [{ tombstoned: false }, (room) => !room.tombstoned],
  [{ blocked: true }, (room) => room.blocked === true],
  [{ blocked: false }, (room) => room.blocked !== true],
  [{ joinRule: 'invite' }, (room) => room.join_rules === 'invite'],
  [{ joinRule: 'org.example.rule' }, (room) => room.join_rules === 'org.example.rule'],
  [{ publicRooms: true }, (room) => room.public],
  [{ emptyRooms: false }, (room) => room.joined_members > 0],
  [{ membersMin: 3n, membersMax: 20n }, ({ joined_members: n }) => n >= 3 && n <= 20],
  [{ membersMax: 0n }, (room) => room.joined_members === 0],
  [{ lastActivityAfter: 40n, lastActivityBefore: 90n }, ({ last_activity_ts: ts }) => ts > 40 && ts < 90],
  [{ lastActivityBefore: 20n }, (room) => room.last_activity_ts < 20],
  [{ creator: '@user-3:test' }, (room) => room.creator === '@user-3:test'],
  [{ aliasContains: 'ALIAS-1' }, (room) => room.folded_alias.includes('alias-1')],
  [{ alias: '#Alias-14:test' }, (room) => room.canonical_alias === '#Alias-14:test'],
  [{ searchTerm: 'name 1' }, (room) => room.folded_name.includes('name 1')],
];

const ORDERS: readonly (readonly [string, keyof Room, 1 | -1])[] = [
  ['name', 'name', 1],
  ['joined_members', 'joined_members', -1],
  ['last_activity', 'last_activity_ts', -1],
  ['messages', 'messages', -1],
  ['created', 'created_ts', -1],
  ['creator', 'creator', 1],
];

/** Rooms with all combinations of properties, spread evenly. */
const ROOMS: readonly Room[] = Array.from({ length: SIZE }, (_, n) => {
  const creator = `@user-${n % 9}:test`;
  const version = ['10', '11', '1', 'org.example.v'][n % 4] ?? '';
  const id = `!${String((n * 7) % SIZE).padStart(4, '0')}:test`;
  const { messages, ...blank } = newRoom({
    roomId: id,
    roomVersion: version,
    creator,
    public: n % 5 === 0,
    now: n % 50,
  });
  const room: Room = {
    ...blank,
    version: 1,
    name: n % 3 === 0 ? null : `Name ${n % 30}`,
    folded_name: n % 3 === 0 ? '' : `name ${n % 30}`,
    canonical_alias: n % 10 === 4 ? `#Alias-${n}:test` : null,
    folded_alias: n % 10 === 4 ? `alias-${n}` : '',
    encryption: [null, MEGOLM, 'org.example.ß'][n % 7 === 0 ? 2 : n % 2] ?? null,
    join_rules: ['public', 'invite', 'org.example.rule', null][n % 11 < 3 ? n % 11 : 1] ?? null,
    tombstoned: n % 13 === 1,
    joined_members: n % 6 === 2 ? 0 : n % 41,
    last_activity_ts: n % 101,
    event_bytes: n % 77,
    // A room of an earlier release whose messages are not counted yet has none.
    ...(n % 17 === 0 ? {} : { messages: n % 33 }),
    ...(n % 12 === 5 ? { blocked: true } : {}),
  };
  return { ...room, facet: facetOf(room) };
});

describe.each(stores)('$title', ({ missing, open, remote }) => {
  let own: OwnStore;
  let deps: Deps;
  beforeAll(async () => {
    if (missing) return;
    own = await open();
    const opened = await openCollections(own.store, collections);
    deps = { ...opened, serverName: 'test', capabilities: own.store.capabilities } as unknown as Deps;
    await (await own.store.collection(collections.rooms)).insertMany(ROOMS);
  });
  afterAll(() => own?.drop());

  const list = (request: Request) => listRooms(deps, create(ListRoomsRequestSchema, request));
  const idsOf = async (request: Request) =>
    ((await list(request)).rooms ?? []).map(({ roomId = '' }) => roomId);

  it.skipIf(missing)(
    'selects what all filters select, alone and two at a time, with the exact total',
    async () => {
      for (const [i, [one, isOne]] of FILTERS.entries()) {
        for (const [other, isOther] of remote ? [FILTERS[i + 1] ?? [{}, () => true]] : FILTERS.slice(i)) {
          const both = { ...one, ...other };
          if (Object.keys(one).some((key) => key in other) && one !== other) continue;
          const expected = ROOMS.filter((room) => isOne(room) && isOther(room)).map(({ _id }) => _id);
          const about = JSON.stringify(both, (_, value) =>
            typeof value === 'bigint' ? Number(value) : value,
          );
          const { rooms = [], totalRooms } = await list({ ...both, limit: 1_000n });
          expect(rooms.map(({ roomId = '' }) => roomId).sort(), about).toEqual(expected.sort());
          expect(totalRooms, about).toBe(BigInt(expected.length));
        }
      }
    },
  );

  it.skipIf(missing).each(ORDERS)(
    'lists by %s in both directions, page by page',
    async (orderBy, key, forward) => {
      for (const [filter, matches] of FILTERS.slice(0, remote ? 2 : 12)) {
        for (const dir of ['f', 'b']) {
          const direction = dir === 'f' ? forward : -forward;
          const expected = ROOMS.filter(matches).sort((a, b) => compare(key, a, b) * direction);
          const found: string[] = [];
          for (let from = 0; from < expected.length; from += 70) {
            found.push(...(await idsOf({ ...filter, orderBy, dir, from: BigInt(from), limit: 70n })));
          }
          expect(found, `${JSON.stringify(filter)} ${dir}`).toEqual(expected.map(({ _id }) => _id));
        }
      }
    },
  );

  it.skipIf(missing)('orders by what is limited unless the request says otherwise', async () => {
    const newest = ROOMS.filter(({ last_activity_ts: ts }) => ts > 90);
    expect(await idsOf({ lastActivityAfter: 90n, membersMin: 0n })).toEqual(
      newest.sort((a, b) => compare('last_activity_ts', b, a)).map(({ _id }) => _id),
    );
  });

  it.skipIf(missing)('says more of rooms only if details are asked for', async () => {
    const [plain] = (await list({ limit: 1n })).rooms ?? [];
    expect(plain).not.toHaveProperty('details');
    const [room] = ROOMS.filter(({ blocked, tombstoned }) => blocked && tombstoned);
    const { rooms } = await list({ searchTerm: room?._id ?? '', details: true });
    expect(rooms?.[0]?.details).toMatchObject({
      lastActivityTs: BigInt(room?.last_activity_ts ?? -1),
      messageCount: BigInt(room?.messages ?? -1),
      storedBytes: BigInt(room?.event_bytes ?? -1),
      createdTs: BigInt(room?.created_ts ?? -1),
      blocked: true,
      tombstoned: true,
    });
  });

  it.skipIf(missing).each([
    [{ membersMin: 2n, membersMax: 1n }, 'members_max'],
    [{ lastActivityAfter: 5n, lastActivityBefore: 5n }, 'last_activity_before'],
    [{ space: 'no room' }, 'Not a room id'],
  ])('refuses %s', async (request, message) => {
    await expect(list(request)).rejects.toThrow(message);
  });
});

function compare(key: keyof Room, a: Room, b: Room): number {
  const [one, other] = [a[key] ?? null, b[key] ?? null];
  const ids = compareCodePoints(a._id, b._id);
  if (one === null || other === null) return Number(one !== null) - Number(other !== null) || ids;
  if (typeof one === 'string') return compareCodePoints(one, String(other)) || ids;
  return Number(one) - Number(other) || ids;
}
