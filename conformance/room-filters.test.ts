import { type Actor, path } from '@steward/testing';
import { beforeAll, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const V3 = '/_proto/client/v3';
const ADMIN = '/_service/admin/v1';

interface Listed {
  readonly room_id: string;
  readonly details?: Record<string, unknown>;
}

chapter('Filters of the room list, and blocked rooms', (world) => {
  let alice: Actor;
  let plain: string;
  let encrypted: string;
  let old: string;
  let replacement: string;
  let space: string;
  let alias: string;

  const create = async (body: Record<string, unknown>) =>
    (await alice.post<{ room_id: string }>(`${V3}/createRoom`, { body })).body.room_id;
  const list = async (query: Record<string, string>) => {
    const search = new URLSearchParams({ creator: alice.userId, ...query });
    const { status, body } = await world.admin.get<{ rooms: Listed[]; total_rooms: number }>(
      `${ADMIN}/rooms?${search}`,
    );
    expect(status).toBe(200);
    expect(body.total_rooms).toBe(body.rooms.length);
    return body.rooms;
  };
  // The list may lag behind changes of other processes for a second.
  const expectListed = (query: Record<string, string>, expected: readonly string[]) =>
    expect
      .poll(async () => (await list(query)).map(({ room_id }) => room_id).sort(), { timeout: 20_000 })
      .toEqual([...expected].sort());
  beforeAll(async () => {
    alice = await world.user();
    const name = world.freshName('alias');
    alias = `#${name}:test`;
    plain = await create({ preset: 'public_chat', name: 'Straße', room_alias_name: name });
    encrypted = await create({
      initial_state: [{ type: 'm.room.encryption', content: { algorithm: 'm.megolm.v1.aes-sha2' } }],
    });
    old = await create({ room_version: '6' });
    const upgraded = await alice.post<{ replacement_room: string }>(
      path`/_proto/client/v3/rooms/${old}/upgrade`,
      {
        body: { new_version: '11' },
      },
    );
    replacement = upgraded.body.replacement_room;
    space = await create({ creation_content: { type: 'm.space' } });
    for (const roomId of [plain, encrypted]) {
      await alice.put(path`/_proto/client/v3/rooms/${space}/state/m.space.child/${roomId}`, {
        body: { via: ['test'] },
      });
    }
  });

  it('selects by properties, names and numbers, alone and together', async () => {
    await expectListed({}, [plain, encrypted, old, replacement, space]);
    await expectListed({ encrypted: 'true' }, [encrypted]);
    await expectListed({ encryption: 'm.megolm.v1.aes-sha2' }, [encrypted]);
    await expectListed({ tombstoned: 'true' }, [old]);
    await expectListed({ version: '6', encrypted: 'false' }, [old]);
    await expectListed({ join_rule: 'public' }, [plain]);
    await expectListed({ alias }, [plain]);
    await expectListed({ alias_contains: alias.slice(3, -5).toUpperCase() }, [plain]);
    await expectListed({ space }, [plain, encrypted]);
    await expectListed({ space, encrypted: 'true' }, [encrypted]);
    await expectListed({ members_min: '1', members_max: '1', tombstoned: 'true' }, [old]);
    await expectListed({ members_min: '2' }, []);
    await expectListed({ last_activity_after: '1', version: '6' }, [old]);
    await expectListed({ last_activity_before: '1' }, []);
    await expectListed({ creator: '@none:test\u{1F9A9}' }, []);
  });

  it('counts messages and bytes, and sorts by them', async () => {
    for (const txn of ['1', '2']) {
      await alice.put(path`/_proto/client/v3/rooms/${plain}/send/m.room.message/${world.freshName(txn)}`, {
        body: { msgtype: 'm.text', body: 'ß' },
      });
    }
    const rooms = await list({ order_by: 'messages', details: 'true' });
    expect(rooms[0]).toMatchObject({
      room_id: plain,
      details: { message_count: 2, blocked: false, tombstoned: false, replacement_room: null },
    });
    const { details } = rooms.find(({ room_id }) => room_id === old) ?? {};
    expect(details).toMatchObject({ message_count: 0, tombstoned: true, replacement_room: replacement });
    const sizes = (await list({ order_by: 'bytes', details: 'true' })).map(
      (room) => room.details?.stored_bytes,
    );
    expect(sizes).toEqual(sizes.toSorted((a, b) => Number(b) - Number(a)));
    expect((await list({}))[0]).not.toHaveProperty('details');
  });

  it('lists blocked rooms, whether they exist or not, page by page', async () => {
    const moderator = await world.user('moderator', { admin: true });
    const unknown = `!${world.freshName('unknown')}:test`;
    for (const roomId of [plain, unknown, encrypted]) {
      await moderator.put(path`/_service/admin/v1/rooms/${roomId}/block`, { body: { block: true } });
    }
    await expectListed({ blocked: 'true' }, [plain, encrypted]);
    const at = (query: Record<string, string>) =>
      `${ADMIN}/blocked_rooms?${new URLSearchParams({ blocked_by: moderator.userId, ...query })}`;
    interface Page {
      readonly rooms: readonly Record<string, unknown>[];
      readonly total: number;
      readonly next_token?: string;
    }
    const listed = (page: Page) => page.rooms.map(({ room_id }) => room_id);
    const first = (await world.admin.get<Page>(at({ limit: '2', dir: 'b' }))).body;
    const second = (await world.admin.get<Page>(at({ dir: 'b', from: first.next_token ?? '' }))).body;
    expect([listed(first).length, listed(second).length]).toEqual([2, 1]);
    expect([...listed(first), ...listed(second)].sort()).toEqual([plain, unknown, encrypted].sort());
    expect(second).not.toHaveProperty('next_token');
    const all = (await world.admin.get<Page>(at({}))).body;
    expect(listed(all)).toEqual([...listed(first), ...listed(second)].reverse());
    expect(all.total).toBe(3);
    expect(all.rooms).toContainEqual({
      room_id: plain,
      user_id: moderator.userId,
      blocked_ts: expect.any(Number),
      exists: true,
      name: 'Straße',
      canonical_alias: alias,
    });
    expect(all.rooms).toContainEqual(
      expect.objectContaining({ room_id: unknown, exists: false, name: null, canonical_alias: null }),
    );
    for (const roomId of [plain, encrypted])
      await world.admin.put(path`/_service/admin/v1/rooms/${roomId}/block`, { body: { block: false } });
    await expectListed({ blocked: 'true' }, []);
    expect((await world.admin.get<Page>(at({}))).body).toMatchObject({
      total: 1,
      rooms: [{ room_id: unknown }],
    });
  });

  it.each([
    'rooms?encrypted=maybe',
    'rooms?members_min=-1',
    'rooms?members_min=3&members_max=2',
    'rooms?last_activity_after=9&last_activity_before=9',
    'rooms?last_activity_after=99999999999999999999',
    'rooms?alias=x',
    'rooms?creator=%00',
    'blocked_rooms?from=x',
    'blocked_rooms?from=WzEsMl0',
    'blocked_rooms?limit=0',
  ])('%s is refused', async (query) => {
    expect(await world.admin.get(`${ADMIN}/${query}`)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
  });
});
