import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { ownChapter } from './chapter.ts';
import { uploadFile } from './media-files.ts';
import { refusal } from './refusal.ts';

const STATISTICS = '/_service/admin/v1/statistics/users/media';
const ROOMS = '/_service/admin/v1/statistics/database/rooms';

type Query = Readonly<Record<string, string | number>>;

interface Statistics {
  readonly users: readonly {
    readonly user_id: string;
    readonly displayname: string | null;
    readonly media_count: number;
    readonly media_length: number;
  }[];
  readonly total: number;
  readonly next_token?: number;
}

ownChapter('6 Statistics', (world) => {
  const request = (query: Query = {}) => world.admin.get<Statistics>(STATISTICS, { query });
  const rowOf = async (userId: string, query: Query = {}) => {
    const localpart = userId.slice(1, userId.indexOf(':'));
    const { users } = (await request({ ...query, search_term: localpart })).body;
    return users.find(({ user_id }) => user_id === userId);
  };

  it.each([
    'order_by=size',
    'from=x',
    'from=-1',
    'limit=x',
    'limit=-1',
    'from_ts=x',
    'from_ts=-1',
    'until_ts=x',
    'until_ts=-1',
    'until_ts=0',
    'from_ts=5&until_ts=5',
    'from_ts=5&until_ts=4&dir=b',
    'search_term=',
    'dir=x',
  ])('refuses %s', async (query) => {
    const { token } = world.admin;
    expect(await world.http('GET', STATISTICS, { token, query })).toMatchObject(
      refusal(400, 'M_INVALID_PARAM'),
    );
  });

  describe('for seeded media', () => {
    // Before the times of all uploads, so that a window contains only these.
    const WINDOW = { from_ts: 1_000, until_ts: 2_000 };
    const names = async (query: Query) =>
      (await request({ ...WINDOW, ...query })).body.users.map(({ user_id }) => user_id.slice(1, 3)).join(' ');

    beforeAll(async () => {
      const users: readonly [localpart: string, displayname: string | null, lengths: readonly number[]][] = [
        ['sa', 'Zoë', [5, 5]],
        ['sb', null, [30]],
        ['sc', 'anna', [4, 3, 3]],
        ['sd', 'Anna', [1]],
      ];
      for (const [name, displayname, lengths] of users) {
        const userId = await world.account(name, displayname === null ? {} : { displayname });
        const media = { origin: world.serverName, userId };
        for (const [i, length] of lengths.entries()) {
          await world.seed?.media({ ...media, mediaId: `${name}${i}`, createdTs: 1_000 + i, length });
        }
        await world.seed?.media({ ...media, mediaId: `${name}-late`, createdTs: 2_001, length: 1 });
        // Waits until the media are counted.
        await world.admin.get(path`/_service/admin/v1/users/${userId}/media`);
      }
      await world.seed?.media({ origin: 'elsewhere', mediaId: 'x', createdTs: 1_500, length: 1 });
      await world.whenIdle();
    });

    it.each<[Query, string]>([
      [{}, 'sa sb sc sd'],
      [{ dir: 'b' }, 'sd sc sb sa'],
      [{ order_by: 'user_id', dir: 'f' }, 'sa sb sc sd'],
      // The display name is the localpart if none was set.
      [{ order_by: 'displayname' }, 'sd sa sc sb'],
      [{ order_by: 'displayname', dir: 'b' }, 'sb sc sa sd'],
      [{ order_by: 'media_length' }, 'sd sa sc sb'],
      [{ order_by: 'media_length', dir: 'b' }, 'sb sa sc sd'],
      [{ order_by: 'media_count' }, 'sb sd sa sc'],
      [{ order_by: 'media_count', dir: 'b' }, 'sc sa sb sd'],
    ])('statistics for seeded media are sorted within a window by %j', async (query, expected) => {
      expect(await names(query)).toBe(expected);
    });

    it.each<[Query, string]>([
      [{ search_term: 'sb' }, 'sb'],
      [{ search_term: 'nna' }, 'sc sd'],
      [{ search_term: 'Anna' }, 'sd'],
      [{ search_term: 'Z' }, 'sa'],
      [{ search_term: 'ë' }, 'sa'],
      [{ search_term: ':test' }, ''],
      [{ search_term: '%' }, ''],
    ])(
      'statistics for seeded media are searched for %j, with and without a window',
      async (query, expected) => {
        expect(await names(query)).toBe(expected);
        const { users } = (await request(query)).body;
        const seeded = users
          .map(({ user_id }) => user_id.slice(1, 3))
          .filter((name) => /^s[abcd]$/.test(name));
        expect(seeded.join(' ')).toBe(expected);
      },
    );

    it('count within the window, including both ends', async () => {
      const rows = async (query: Query) =>
        (await request(query)).body.users.map(({ user_id, displayname, media_count, media_length }) => [
          user_id.slice(1, 3),
          displayname,
          media_count,
          media_length,
        ]);
      expect(await rows({ ...WINDOW, search_term: 'anna' })).toEqual([['sc', 'anna', 3, 10]]);
      expect(await rows({ from_ts: 1_001, until_ts: 1_002, search_term: 'anna' })).toEqual([
        ['sc', 'anna', 2, 6],
      ]);
      expect(await rows({ until_ts: 1_000, search_term: 'anna' })).toEqual([['sc', 'anna', 1, 4]]);
      expect(await rows({ from_ts: 2_001, until_ts: 2_002, search_term: 'anna' })).toEqual([
        ['sc', 'anna', 1, 1],
      ]);
      expect(await rows({ search_term: 'anna' })).toEqual([['sc', 'anna', 4, 11]]);
    });

    it.each<[Query, number, number | undefined]>([
      [{ limit: 3 }, 3, 3],
      [{ limit: 3, from: 3 }, 1, undefined],
      [{ limit: 0 }, 0, 0],
      [{ from: 9 }, 0, undefined],
    ])('statistics for seeded media are paged with %j', async (query, length, next) => {
      const { body } = await request({ ...WINDOW, ...query });
      expect(body.users).toHaveLength(length);
      expect(body.total).toBe(4);
      expect(body.next_token).toBe(next);
    });

    it('can be sorted and paged without a window', async () => {
      for (const order of ['user_id', 'displayname', 'media_length', 'media_count']) {
        for (const dir of ['f', 'b']) {
          const all = (await request({ order_by: order, dir })).body;
          // A window that contains everything is computed differently.
          const computed = (await request({ order_by: order, dir, from_ts: 1 })).body;
          expect(all).toEqual(computed);
          const paged: unknown[] = [];
          for (let from: number | undefined = 0; from !== undefined; ) {
            const { body }: { body: Statistics } = await request({ order_by: order, dir, from, limit: 2 });
            paged.push(...body.users);
            from = body.next_token;
          }
          expect(paged).toEqual(all.users);
        }
      }
    });
  });

  it('reflect uploads, quarantine, deletion and the display name', async () => {
    const user = await world.user('uploader', { displayname: 'Before' });
    expect(await rowOf(user.userId)).toBeUndefined();
    const [first] = [await uploadFile(user, { bytes: '12345' }), await uploadFile(user, { bytes: '123' })];
    const row = { user_id: user.userId, displayname: 'Before', media_count: 2, media_length: 8 };
    expect(await rowOf(user.userId)).toEqual(row);
    const one = path`/_service/admin/v1/media/${world.serverName}/${first}`;
    await world.admin.post(path`/_service/admin/v1/media/quarantine/${world.serverName}/${first}`);
    expect(await rowOf(user.userId)).toEqual(row);
    await rename(user, 'After');
    await expect.poll(async () => (await rowOf(user.userId))?.displayname).toBe('After');
    await world.admin.delete(one);
    expect(await rowOf(user.userId)).toEqual({
      ...row,
      displayname: 'After',
      media_count: 1,
      media_length: 3,
    });
    await world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`, { body: { erase: true } });
    await expect.poll(async () => (await rowOf(user.userId))?.displayname).toBe(null);
    await world.admin.delete(path`/_service/admin/v1/users/${user.userId}/media`);
    expect(await rowOf(user.userId)).toBeUndefined();
  });

  const rename = (user: Actor, displayname: string) =>
    user.put(path`/_proto/client/v3/profile/${user.userId}/displayname`, { body: { displayname } });

  it('of rooms are available where the database is not one file', async () => {
    const body = { preset: 'public_chat', name: 'x'.repeat(200) };
    const created = await world.admin.post<{ room_id: string }>('/_proto/client/v3/createRoom', { body });
    const reply = await world.admin.get<{ rooms: { room_id: string; estimated_size: number }[] }>(ROOMS);
    if (reply.status !== 200) {
      expect(reply).toMatchObject(refusal(400, 'M_UNKNOWN'));
      return;
    }
    const { rooms } = reply.body;
    expect(rooms).toContainEqual({ room_id: created.body.room_id, estimated_size: expect.any(Number) });
    const sizes = rooms.map(({ estimated_size }) => estimated_size);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(sizes[0]).toBeGreaterThan(1_000);
  });
});
