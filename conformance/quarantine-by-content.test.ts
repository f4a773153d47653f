import { createHash, randomUUID } from 'node:crypto';
import { type Actor, type HttpRequest, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { pairedChapter } from './chapter.ts';
import { downloadStatus, uploadFile, uriOf } from './media-files.ts';
import { newestPosition, quarantineChanges } from './quarantine-changes.ts';
import { refusal } from './refusal.ts';

const ADMIN = '/_service/admin/v1';
const BYPASS = 'admin_unsafely_bypass_quarantine';
const done = { status: 200, text: '{}' };
const notFound = refusal(404, 'M_NOT_FOUND');
const refused = refusal(400, 'M_UNKNOWN');

/** More media than an order changes at once, and more than half a page of changes. */
const MANY = 60;

const hashOf = (bytes: string) => createHash('sha256').update(bytes).digest('hex');

pairedChapter('14.2 Quarantine by content', (world, { isOneProcess }) => {
  const seed = (media: { mediaId: string; createdTs: number; sha256?: string; userId?: string }) => {
    if (!world.seed) throw new Error('The set-up cannot record media');
    const origin = media.userId === undefined ? 'elsewhere' : world.serverName;
    return world.seed.media({ origin, length: 1, ...media });
  };
  const change = (what: 'quarantine' | 'unquarantine', mediaId: string, server = world.serverName) =>
    world.admin.post(path`/_service/admin/v1/media/${what}/${server}/${mediaId}`);
  const quarantine = (mediaId: string, server?: string) => change('quarantine', mediaId, server);
  const unquarantine = (mediaId: string, server?: string) => change('unquarantine', mediaId, server);
  const protect = (mediaId: string) => world.admin.post(path`/_service/admin/v1/media/protect/${mediaId}`);
  const quarantineUser = async (userId: string) =>
    (
      await world.admin.post<{ num_quarantined: number }>(
        path`/_service/admin/v1/user/${userId}/media/quarantine`,
      )
    ).body.num_quarantined;
  const quarantineRoom = async (roomId: string) =>
    (
      await world.admin.post<{ num_quarantined: number }>(
        path`/_service/admin/v1/room/${roomId}/media/quarantine`,
      )
    ).body.num_quarantined;
  const quarantinedBy = async (mediaId: string, server = world.serverName) => {
    const target = path`/_service/admin/v1/media/${server}/${mediaId}`;
    return (await world.admin.get<{ media_info: { quarantined_by: string | null } }>(target)).body.media_info
      .quarantined_by;
  };
  const changes = (from?: number) => quarantineChanges(world, from);
  /** Shows media in a new room. */
  const roomWith = async (user: Actor, uris: readonly string[]) => {
    const created = await user.post<{ room_id: string }>('/_proto/client/v3/createRoom', { body: {} });
    for (const [n, url] of uris.entries()) {
      const target = path`/_proto/client/v3/rooms/${created.body.room_id}/send/m.room.message/${`t${n}`}`;
      await user.put(target, { body: { msgtype: 'm.image', body: 'x', url } });
    }
    return created.body.room_id;
  };

  describe('positions of changes', () => {
    // Elsewhere, other chapters use the same server.
    it.runIf(isOneProcess)('start at 1, and those after it are refused before the first change', async () => {
      for (const from of [undefined, 0, 1]) {
        expect((await changes(from)).body).toEqual({ next_batch: 1, changes: [] });
      }
      expect(await changes(2)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    });

    it('positions of changes are one higher after each change, also those of many media', async () => {
      const user = await world.user();
      const start = await newestPosition(world);
      const sha256 = hashOf('positions');
      // In another order than the ids have.
      const times = Array.from({ length: MANY }, (_, n) => (n * 7) % MANY);
      await Promise.all(
        times.map((createdTs) =>
          seed({ mediaId: `P${MANY - createdTs}`, createdTs, sha256, userId: user.userId }),
        ),
      );
      const media = Array.from({ length: MANY }, (_, n) => ({
        origin: world.serverName,
        media_id: `P${MANY - n}`,
      }));
      expect(await quarantine('P1')).toMatchObject(done);
      expect((await changes(start)).body).toEqual({
        next_batch: start + MANY,
        changes: media.map((medium) => ({ ...medium, quarantined: true })),
      });
      expect(await unquarantine('P1')).toMatchObject(done);
      const first = (await changes(start)).body;
      expect(first.changes).toHaveLength(100);
      expect(first.next_batch).toBe(start + 100);
      const second = (await changes(first.next_batch)).body;
      expect(second.next_batch).toBe(start + 2 * MANY);
      expect([...first.changes.slice(MANY), ...second.changes]).toEqual(
        media.map((medium) => ({ ...medium, quarantined: false })),
      );
      expect((await changes(second.next_batch)).body).toEqual({ ...second, changes: [] });
      expect(await changes(second.next_batch + 1)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
      const { body } = await world.admin.get<{ tasks: readonly object[] }>(`${ADMIN}/tasks`, {
        query: { target: sha256 },
      });
      const progress = { done: MANY, total: null };
      expect(body.tasks).toHaveLength(2);
      for (const kind of ['media.quarantine_hash', 'media.unquarantine_hash']) {
        expect(body.tasks).toContainEqual(expect.objectContaining({ kind, state: 'complete', progress }));
      }
    });
  });

  describe('a medium', () => {
    it('a medium is quarantined and released with all media of the same content', async () => {
      const [one, two] = [await world.user(), await world.user()];
      const bytes = randomUUID();
      const [a, b, other] = [
        await uploadFile(one, { bytes }),
        await uploadFile(two, { bytes }),
        await uploadFile(two),
      ];
      const remote = `R-${bytes}`;
      await seed({ mediaId: remote, createdTs: 1, sha256: hashOf(bytes) });
      const from = await newestPosition(world);
      expect(await quarantine(b)).toMatchObject(done);
      for (const id of [a, b]) {
        expect(await downloadStatus(world, one, id)).toBe(404);
        expect(await quarantinedBy(id)).toBe(world.admin.userId);
      }
      expect(await quarantinedBy(remote, 'elsewhere')).toBe(world.admin.userId);
      expect(await downloadStatus(world, one, other)).toBe(200);

      // Also the media that another administrator quarantined.
      const admin = await world.user('other', { admin: true });
      await admin.post(path`/_service/admin/v1/media/quarantine/${world.serverName}/${a}`);
      expect(await quarantinedBy(b)).toBe(admin.userId);
      const middle = await newestPosition(world);
      expect(await unquarantine(remote, 'elsewhere')).toMatchObject(done);
      for (const id of [a, b]) expect(await downloadStatus(world, one, id)).toBe(200);
      expect(await quarantinedBy(remote, 'elsewhere')).toBeNull();

      const { body } = await changes(from);
      expect(body.changes).toHaveLength(middle - from + 3);
      for (const [index, quarantined] of [
        [0, true],
        [middle - from, false],
      ] as const) {
        const listed = body.changes.slice(index, index + 3);
        expect(new Set(listed.map(({ media_id }) => media_id))).toEqual(new Set([remote, a, b]));
        expect(new Set(listed.map((each) => each.quarantined))).toEqual(new Set([quarantined]));
        // The oldest is first.
        expect(listed[0]).toMatchObject({ origin: 'elsewhere', media_id: remote });
      }
    });

    it('a medium is listed in the order of the upload', async () => {
      const sha256 = hashOf('in order');
      for (const createdTs of [2, 3, 1]) await seed({ mediaId: `order-${4 - createdTs}`, createdTs, sha256 });
      const from = await newestPosition(world);
      await quarantine('order-2', 'elsewhere');
      await unquarantine('order-2', 'elsewhere');
      const { body } = await changes(from);
      expect(body.changes.map(({ media_id }) => media_id)).toEqual([
        ...['order-3', 'order-2', 'order-1'],
        ...['order-3', 'order-2', 'order-1'],
      ]);
    });

    it('of another server quarantines local media of the same content', async () => {
      const user = await world.user();
      const bytes = randomUUID();
      const local = await uploadFile(user, { bytes });
      await seed({ mediaId: bytes, createdTs: 1, sha256: hashOf(bytes) });
      await quarantine(bytes, 'elsewhere');
      expect(await downloadStatus(world, user, local)).toBe(404);
    });

    it('skips protected media, and quarantines nothing when a protected medium is named', async () => {
      const user = await world.user();
      const bytes = randomUUID();
      const [safe, free] = [await uploadFile(user, { bytes }), await uploadFile(user, { bytes })];
      await protect(safe);
      expect(await quarantine(safe)).toMatchObject(done);
      expect(await downloadStatus(world, user, free)).toBe(200);
      await quarantine(free);
      expect(await downloadStatus(world, user, free)).toBe(404);
      expect(await downloadStatus(world, user, safe)).toBe(200);
      // A release does not depend on the protection.
      await protect(free);
      await unquarantine(safe);
      expect(await downloadStatus(world, user, free)).toBe(200);
    });

    it('of unknown content is quarantined alone', async () => {
      await seed({ mediaId: 'unknown-1', createdTs: 1 });
      await seed({ mediaId: 'unknown-2', createdTs: 1 });
      await quarantine('unknown-1', 'elsewhere');
      expect(await quarantinedBy('unknown-1', 'elsewhere')).toBe(world.admin.userId);
      expect(await quarantinedBy('unknown-2', 'elsewhere')).toBeNull();
      await unquarantine('unknown-1', 'elsewhere');
      expect(await quarantinedBy('unknown-1', 'elsewhere')).toBeNull();
    });

    it('a medium is deleted alone', async () => {
      const user = await world.user();
      const bytes = randomUUID();
      const [a, b] = [await uploadFile(user, { bytes }), await uploadFile(user, { bytes })];
      await quarantine(a);
      await world.admin.delete(path`/_service/admin/v1/media/${world.serverName}/${a}`);
      expect(await quarantinedBy(b)).toBe(world.admin.userId);
      const { body } = await world.admin.get(path`/_service/admin/v1/users/${user.userId}/media`);
      expect(body).toMatchObject({ total: 1 });
    });
  });

  describe('an upload', () => {
    it('of quarantined content is stored quarantined, until the content is released', async () => {
      const user = await world.user();
      const bytes = randomUUID();
      const first = await uploadFile(user, { bytes });
      await quarantine(first);
      const from = await newestPosition(world);
      const second = await uploadFile(user, { bytes });
      expect(await quarantinedBy(second)).toBe('system');
      expect(await downloadStatus(world, user, second)).toBe(404);
      const entry = { origin: world.serverName, media_id: second };
      expect((await changes(from)).body.changes).toEqual([{ ...entry, quarantined: true }]);
      await unquarantine(first);
      expect(await quarantinedBy(second)).toBeNull();
      expect(await downloadStatus(world, user, second)).toBe(200);
      const third = await uploadFile(user, { bytes });
      expect(await downloadStatus(world, user, third)).toBe(200);
    });

    it('an upload is quarantined because of an earlier upload whose first cause was deleted', async () => {
      const user = await world.user();
      const bytes = randomUUID();
      const first = await uploadFile(user, { bytes });
      await quarantine(first);
      await uploadFile(user, { bytes });
      await world.admin.delete(path`/_service/admin/v1/media/${world.serverName}/${first}`);
      expect(await quarantinedBy(await uploadFile(user, { bytes }))).toBe('system');
    });

    it('an upload is readable when only protected media have its content', async () => {
      const user = await world.user();
      const bytes = randomUUID();
      await protect(await uploadFile(user, { bytes }));
      expect(await downloadStatus(world, user, await uploadFile(user, { bytes }))).toBe(200);
    });

    it('an upload is quarantined at the same time as its content, in any order', {
      timeout: 60_000,
    }, async () => {
      const user = await world.user();
      for (let round = 0; round < 5; round++) {
        const bytes = randomUUID();
        const first = await uploadFile(user, { bytes });
        const uploads = Array.from({ length: 4 }, () => uploadFile(user, { bytes }));
        const [ids] = await Promise.all([Promise.all(uploads), quarantine(first)]);
        for (const id of ids) expect(await downloadStatus(world, user, id)).toBe(404);
      }
    });
  });

  describe('quarantine of a user', () => {
    it('counts every medium of the same content once', async () => {
      const [user, other] = [await world.user(), await world.user()];
      const [x, y] = [randomUUID(), randomUUID()];
      const own = [
        await uploadFile(user, { bytes: x }),
        await uploadFile(user, { bytes: x }),
        await uploadFile(user, { bytes: y }),
      ];
      const others = [await uploadFile(other, { bytes: x }), await uploadFile(other, { bytes: y })];
      await seed({ mediaId: y, createdTs: 1, sha256: hashOf(y) });
      const safe = await uploadFile(other, { bytes: x });
      await protect(safe);
      const from = await newestPosition(world);
      expect(await quarantineUser(user.userId)).toBe(6);
      for (const id of [...own, ...others]) expect(await downloadStatus(world, user, id)).toBe(404);
      expect(await downloadStatus(world, user, safe)).toBe(200);
      expect(await quarantinedBy(y, 'elsewhere')).toBe(world.admin.userId);
      const listed = (await changes(from)).body.changes.map(({ media_id }) => media_id);
      expect(listed).toHaveLength(6);
      expect(new Set(listed)).toEqual(new Set([...own, ...others, y]));
      expect(listed[0]).toBe(y);
      expect(await quarantineUser(user.userId)).toBe(0);
      expect(await quarantineUser(other.userId)).toBe(0);
    });

    it('does not select the content of protected media', async () => {
      const [user, other] = [await world.user(), await world.user()];
      const bytes = randomUUID();
      await protect(await uploadFile(user, { bytes }));
      const free = await uploadFile(other, { bytes });
      expect(await quarantineUser(user.userId)).toBe(0);
      expect(await downloadStatus(world, other, free)).toBe(200);
    });

    it('counts many media of the same content once', async () => {
      const [user, other] = [await world.user(), await world.user()];
      const bytes = randomUUID();
      const sha256 = hashOf(bytes);
      await seed({ mediaId: `${bytes}-own`, createdTs: 5, sha256, userId: user.userId });
      await Promise.all(
        Array.from({ length: MANY }, (_, n) =>
          seed({ mediaId: `${bytes}-${n}`, createdTs: n, sha256, userId: other.userId }),
        ),
      );
      expect(await quarantineUser(user.userId)).toBe(MANY + 1);
      expect(await quarantineUser(other.userId)).toBe(0);
      expect(await quarantinedBy(`${bytes}-${MANY - 1}`)).toBe(world.admin.userId);
      expect(await quarantinedBy(await uploadFile(user, { bytes }))).toBe('system');
    });
  });

  it('quarantine of a room counts every medium of the same content, also quarantined ones', async () => {
    const [user, other] = [await world.user(), await world.user()];
    const bytes = randomUUID();
    const sha256 = hashOf(bytes);
    const shown = await uploadFile(user, { bytes });
    const hidden = await uploadFile(other, { bytes });
    await seed({ mediaId: bytes, createdTs: 1, sha256 });
    const roomId = await roomWith(user, [uriOf(world, shown), `mxc://elsewhere/${bytes}`]);
    expect(await quarantineRoom(roomId)).toBe(3);
    expect(await quarantineRoom(roomId)).toBe(3);
    expect(await downloadStatus(world, other, hidden)).toBe(404);
    await Promise.all(
      Array.from({ length: MANY }, (_, n) => seed({ mediaId: `${bytes}-${n}`, createdTs: n, sha256 })),
    );
    expect(await quarantineRoom(roomId)).toBe(MANY + 3);
    expect(await quarantineRoom(roomId)).toBe(MANY + 3);
  });

  describe('a download that bypasses the quarantine', () => {
    let user: Actor;
    let [taken, free] = ['', ''];
    beforeAll(async () => {
      user = await world.user();
      taken = await uploadFile(user, { bytes: `some bytes ${randomUUID()}`, name: 'n.txt' });
      free = await uploadFile(user, { bytes: 'free bytes' });
      await quarantine(taken);
    });
    const target = (id: string, server = world.serverName) =>
      path`/_proto/client/v1/media/download/${server}/${id}`;
    const query = { [BYPASS]: 'true' };

    it('a download that bypasses the quarantine is answered to an administrator, and stored by no cache', async () => {
      const { status, text, headers } = await world.admin.get(target(taken), { query });
      expect(status).toBe(200);
      expect(text).toMatch(/^some bytes /);
      expect(headers['cache-control']).toBe('private,no-store');
      expect(headers['content-disposition']).toContain('n.txt');
      const named = await world.admin.get(`${target(taken)}/other.txt`, { query });
      expect(named.headers['content-disposition']).toContain('other.txt');
      const part = await world.admin.get(target(taken), { query, headers: { range: 'bytes=5-9' } });
      expect(part).toMatchObject({ status: 206, text: 'bytes' });
      expect(part.headers['cache-control']).toBe('private,no-store');
      const same = await world.admin.get(target(taken), { query, headers: { 'if-none-match': '"1"' } });
      expect(same.status).toBe(304);
      expect(same.headers['cache-control']).toBe('private,no-store');
      const head = await world.http('HEAD', target(taken), { token: world.admin.token, query });
      const ordinary = await world.http('HEAD', target(free), { token: world.admin.token });
      expect(head.status).toBe(ordinary.status);
      expect(await world.admin.get(target(free), { query })).toMatchObject({
        status: 200,
        text: 'free bytes',
      });
      expect(await world.admin.get(target('unknown'), { query })).toMatchObject(notFound);
    });

    it('a download that bypasses the quarantine is refused to every other user, for any medium', async () => {
      for (const media of [target(taken), target(free), target('unknown'), target('unknown', 'elsewhere')]) {
        expect(await user.get(media, { query })).toMatchObject(refused);
      }
      expect(await world.http('GET', target(taken), { query })).toMatchObject(
        refusal(401, 'M_MISSING_TOKEN'),
      );
    });

    it.each(['True', '1', 'false', '', 'true '])(
      'a download that bypasses the quarantine is not requested with "%s"',
      async (value) => {
        const other: HttpRequest = { query: { [BYPASS]: value } };
        expect(await world.admin.get(target(taken), other)).toMatchObject(notFound);
        expect(await user.get(target(taken), other)).toMatchObject(notFound);
        expect((await user.get(target(free), other)).status).toBe(200);
      },
    );

    it('does not exist for thumbnails and at the earlier paths', async () => {
      const size = { width: 1, height: 1, method: 'scale' };
      const thumbnail = path`/_proto/client/v1/media/thumbnail/${world.serverName}/${taken}`;
      expect(await world.admin.get(thumbnail, { query: { ...query, ...size } })).toMatchObject(notFound);
      expect(await user.get(thumbnail, { query: { ...query, ...size } })).toMatchObject(notFound);
      for (const version of ['v3', 'r0', 'v1']) {
        const earlier = (id: string) => path`/_proto/media/${version}/download/${world.serverName}/${id}`;
        expect(await world.admin.get(earlier(taken), { query })).toMatchObject(notFound);
        const { status } = await user.get(earlier(free));
        expect((await user.get(earlier(free), { query })).status).toBe(status);
      }
    });
  });
});
