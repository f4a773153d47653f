import { isDeepStrictEqual } from 'node:util';
import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { pairedChapter } from './chapter.ts';
import { downloadStatus, uploadFile, uriOf } from './media-files.ts';
import { newestPosition, type QuarantineChange, quarantineChanges } from './quarantine-changes.ts';
import { refusal } from './refusal.ts';

const ADMIN = '/_service/admin/v1';
const invalid = refusal(400, 'M_INVALID_PARAM');
const notFound = refusal(404, 'M_NOT_FOUND');
const done = { status: 200, text: '{}' };

interface MediaList {
  readonly media: readonly { readonly media_id: string; readonly [key: string]: unknown }[];
  readonly total: number;
  readonly next_token?: number;
}

pairedChapter('4, 5, 13.6 Media administration', (world) => {
  const mediaOf = (userId: string) => path`/_service/admin/v1/users/${userId}/media`;
  const list = (userId: string, query: Record<string, string | number> = {}) =>
    world.admin.get<MediaList>(mediaOf(userId), { query });
  const ids = async (userId: string, query?: Record<string, string | number>) =>
    (await list(userId, query)).body.media.map(({ media_id }) => media_id);
  const one = (mediaId: string, server = world.serverName) =>
    path`/_service/admin/v1/media/${server}/${mediaId}`;
  const quarantine = (mediaId: string, server = world.serverName) =>
    world.admin.post(path`/_service/admin/v1/media/quarantine/${server}/${mediaId}`);
  const unquarantine = (mediaId: string, server = world.serverName) =>
    world.admin.post(path`/_service/admin/v1/media/unquarantine/${server}/${mediaId}`);
  const protect = (mediaId: string) => world.admin.post(path`/_service/admin/v1/media/protect/${mediaId}`);
  const unprotect = (mediaId: string) =>
    world.admin.post(path`/_service/admin/v1/media/unprotect/${mediaId}`);
  const info = async (mediaId: string, server?: string) =>
    (await world.admin.get<{ media_info: Record<string, unknown> }>(one(mediaId, server))).body.media_info;
  const quarantinedBy = async (mediaId: string) => (await info(mediaId)).quarantined_by;

  describe.each(['GET', 'DELETE'])('%s users/{user_id}/media', (verb) => {
    const request = (userId: string, query: string) =>
      world.http(verb, mediaOf(userId), { token: world.admin.token, query });

    it.each([
      ['no id', 'nobody', invalid],
      ['a user of another server', '@a:elsewhere', refusal(400, 'M_UNKNOWN')],
      ['an unknown user', '@nobody:test', notFound],
    ])('refuses %s before it checks the rest of the request', async (_, userId, refused) => {
      expect(await request(userId, 'limit=x')).toMatchObject(refused);
    });

    it.each(['from=x', 'from=-1', 'limit=1.0', 'limit=-1', 'order_by=size', 'order_by=', 'dir=F', 'dir='])(
      'refuses %s',
      async (query) => {
        expect(await request(world.admin.userId, query)).toMatchObject(invalid);
      },
    );
  });

  describe('listing', () => {
    let user: Actor;
    let userId: string;
    beforeAll(async () => {
      user = await world.user();
      userId = user.userId;
      const media = { origin: world.serverName, userId };
      const seed = world.seed;
      if (!seed) throw new Error('The set-up cannot record media');
      await seed.media({ ...media, mediaId: 'La', createdTs: 3, length: 10, uploadName: 'z', type: 'b/b' });
      await seed.media({ ...media, mediaId: 'Lb', createdTs: 1, length: 30, type: 'a/a', lastAccessTs: 7 });
      await seed.media({ ...media, mediaId: 'Lc', createdTs: 3, length: 20, uploadName: 'Z', type: 'b/b' });
      await seed.media({ ...media, mediaId: 'Ld', createdTs: 2, length: 20, uploadName: 'ä', type: 'c/c' });
      await quarantine('Lb');
      await protect('Lc');
    });

    it('returns every field', async () => {
      const { status, body } = await list(userId);
      expect(status).toBe(200);
      expect(body).toMatchObject({ total: 4 });
      expect(body).not.toHaveProperty('next_token');
      expect(body.media.find(({ media_id }) => media_id === 'Lb')).toEqual({
        created_ts: 1,
        last_access_ts: 7,
        media_id: 'Lb',
        media_length: 30,
        media_type: 'a/a',
        quarantined_by: world.admin.userId,
        safe_from_quarantine: false,
        upload_name: null,
      });
      expect(body.media[0]).toMatchObject({ upload_name: 'z', last_access_ts: null, quarantined_by: null });
    });

    it.each([
      [{}, 'La Lc Ld Lb'],
      [{ dir: 'f' }, 'Lb Ld La Lc'],
      [{ order_by: 'created_ts' }, 'Lb Ld La Lc'],
      [{ dir: 'b' }, 'La Lc Ld Lb'],
      [{ order_by: 'media_id' }, 'La Lb Lc Ld'],
      [{ order_by: 'media_id', dir: 'b' }, 'Ld Lc Lb La'],
      [{ order_by: 'upload_name' }, 'Lb Lc La Ld'],
      [{ order_by: 'upload_name', dir: 'b' }, 'Ld La Lc Lb'],
      [{ order_by: 'last_access_ts' }, 'La Lc Ld Lb'],
      [{ order_by: 'last_access_ts', dir: 'b' }, 'Lb La Lc Ld'],
      [{ order_by: 'media_length' }, 'La Lc Ld Lb'],
      [{ order_by: 'media_length', dir: 'b' }, 'Lb Lc Ld La'],
      [{ order_by: 'media_type' }, 'Lb La Lc Ld'],
      [{ order_by: 'media_type', dir: 'b' }, 'Ld La Lc Lb'],
      [{ order_by: 'quarantined_by' }, 'La Lc Ld Lb'],
      [{ order_by: 'quarantined_by', dir: 'b' }, 'Lb La Lc Ld'],
      [{ order_by: 'safe_from_quarantine' }, 'La Lb Ld Lc'],
      [{ order_by: 'safe_from_quarantine', dir: 'b' }, 'Lc La Lb Ld'],
    ])('returns the media for %j', async (query, expected) => {
      expect((await ids(userId, query as Record<string, string>)).join(' ')).toBe(expected);
    });

    it.each([
      [{ limit: 2 }, 2, 2],
      [{ limit: 2, from: 2 }, 2, undefined],
      [{ limit: 0 }, 0, 0],
      [{ limit: 0, from: 3 }, 0, 3],
      [{ from: 4 }, 0, undefined],
      [{ from: '9223372036854775807', limit: 1 }, 0, undefined],
    ])('returns the page %j', async (query, length, next) => {
      const { body } = await list(userId, query as Record<string, string | number>);
      expect(body.media).toHaveLength(length);
      expect(body.total).toBe(4);
      expect(body.next_token).toBe(next);
    });

    it('returns an empty list for a user without media', async () => {
      const { text } = await list(await world.account());
      expect(JSON.parse(text)).toEqual({ media: [], total: 0 });
    });

    it('counts concurrent uploads', async () => {
      const busy = await world.user();
      await Promise.all(Array.from({ length: 12 }, () => uploadFile(busy)));
      expect((await list(busy.userId)).body).toMatchObject({ total: 12 });
    });
  });

  describe('deleting the media of a user', () => {
    const remove = (userId: string, query: Record<string, string | number> = {}) =>
      world.admin.delete<{ deleted_media: string[]; total: number }>(mediaOf(userId), { query });

    it('deletes what the list returns for the same query, including protected and quarantined media', async () => {
      const user = await world.user();
      const media = [await uploadFile(user), await uploadFile(user), await uploadFile(user)] as const;
      await quarantine(media[0]);
      await protect(media[1]);
      const selection = { order_by: 'media_id', limit: 2 };
      const selected = await ids(user.userId, selection);
      expect((await remove(user.userId, { limit: 0 })).body).toEqual({ deleted_media: [], total: 0 });
      const { status, body } = await remove(user.userId, selection);
      expect(status).toBe(200);
      expect(body).toEqual({ deleted_media: selected, total: 2 });
      for (const id of selected) expect(await downloadStatus(world, user, id)).toBe(404);
      expect((await list(user.userId)).body.total).toBe(1);
      expect((await remove(user.userId)).body.total).toBe(1);
      expect((await remove(user.userId)).body).toEqual({ deleted_media: [], total: 0 });
    });

    it('deletes each once under concurrent requests', async () => {
      const user = await world.user();
      for (let i = 0; i < 6; i++) await uploadFile(user);
      const replies = await Promise.all([1, 2, 3].map(() => remove(user.userId)));
      expect(replies.reduce((sum, { body }) => sum + body.total, 0)).toBe(6);
      expect((await list(user.userId)).body).toEqual({ media: [], total: 0 });
    });
  });

  describe('one medium', () => {
    it('can be quarantined and released', async () => {
      const user = await world.user();
      const id = await uploadFile(user, { bytes: 'some bytes', name: 'n.txt' });
      expect(await quarantine(id)).toMatchObject(done);
      expect(await downloadStatus(world, user, id)).toBe(404);
      expect(await downloadStatus(world, world.admin, id)).toBe(404);
      const target = path`/_proto/client/v1/media/download/${world.serverName}/${id}`;
      for (const [header, value] of [
        ['if-none-match', '"1"'],
        ['if-none-match', '*'],
        ['range', 'bytes=0-1'],
      ] as const) {
        expect((await user.get(target, { headers: { [header]: value } })).status).toBe(404);
      }
      expect(await quarantinedBy(id)).toBe(world.admin.userId);
      const other = await world.user('other', { admin: true });
      await other.post(path`/_service/admin/v1/media/quarantine/${world.serverName}/${id}`);
      expect(await quarantinedBy(id)).toBe(other.userId);
      expect(await unquarantine(id)).toMatchObject(done);
      expect(await unquarantine(id)).toMatchObject(done);
      expect(await quarantinedBy(id)).toBeNull();
      expect(await downloadStatus(world, user, id)).toBe(200);
    });

    it('one medium is not quarantined while it is protected', async () => {
      const user = await world.user();
      const id = await uploadFile(user);
      expect(await protect(id)).toMatchObject(done);
      expect(await protect(id)).toMatchObject(done);
      expect(await quarantine(id)).toMatchObject(done);
      expect(await downloadStatus(world, user, id)).toBe(200);
      expect(await unprotect(id)).toMatchObject(done);
      await quarantine(id);
      // Protection does not end a quarantine.
      await protect(id);
      expect(await downloadStatus(world, user, id)).toBe(404);
      expect(await info(id)).toMatchObject({
        safe_from_quarantine: true,
        quarantined_by: world.admin.userId,
      });
    });

    it('one medium is returned with every field', async () => {
      const user = await world.user();
      const id = await uploadFile(user, { bytes: 'abc', name: 'n.txt' });
      expect(await info(id)).toEqual({
        media_origin: null,
        user_id: user.userId,
        media_id: id,
        media_type: 'text/plain',
        media_length: 3,
        upload_name: 'n.txt',
        created_ts: expect.any(Number),
        filesystem_id: null,
        url_cache: null,
        last_access_ts: null,
        quarantined_by: null,
        authenticated: expect.any(Boolean),
        safe_from_quarantine: false,
        sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      });
    });

    it('of another server is returned and can be quarantined', async () => {
      await world.seed?.media({ origin: 'elsewhere', mediaId: 'remote', createdTs: 5, length: 1 });
      expect(await info('remote', 'elsewhere')).toMatchObject({
        media_origin: 'elsewhere',
        user_id: null,
        safe_from_quarantine: null,
        url_cache: null,
      });
      await quarantine('remote', 'elsewhere');
      expect(await info('remote', 'elsewhere')).toMatchObject({ quarantined_by: world.admin.userId });
    });

    it('one medium is not found if unknown', async () => {
      expect(await quarantine('unknown')).toMatchObject(done);
      expect(await quarantine('unknown', 'elsewhere')).toMatchObject(done);
      expect(await unquarantine('unknown')).toMatchObject(done);
      expect(await protect('unknown')).toMatchObject(refusal(404, 'M_UNKNOWN'));
      expect(await unprotect('unknown')).toMatchObject(refusal(404, 'M_UNKNOWN'));
      expect(await world.admin.get(one('unknown'))).toMatchObject(notFound);
      expect(await world.admin.delete(one('unknown'))).toMatchObject(notFound);
      expect(await world.admin.delete(one('unknown', 'elsewhere'))).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });

    it('one medium is deleted, even if protected or quarantined', async () => {
      const user = await world.user();
      const id = await uploadFile(user);
      await quarantine(id);
      await protect(id);
      const { status, body } = await world.admin.delete(one(id));
      expect(status).toBe(200);
      expect(body).toEqual({ deleted_media: [id], total: 1 });
      expect(await downloadStatus(world, user, id)).toBe(404);
      expect(await world.admin.delete(one(id))).toMatchObject(notFound);
      expect((await list(user.userId)).body.total).toBe(0);
    });
  });

  it.each([
    ['DELETE', `${ADMIN}/media/protect/x`],
    ['DELETE', `${ADMIN}/media/unprotect/x`],
    ['DELETE', `${ADMIN}/media/test/delete`],
    ['GET', `${ADMIN}/media/protect/x`],
    ['GET', `${ADMIN}/media/delete`],
    ['DELETE', `${ADMIN}/media/quarantine/test/x`],
  ])('%s %s is an unsupported verb', async (verb, target) => {
    expect(await world.http(verb, target, { token: world.admin.token })).toMatchObject(
      refusal(405, 'M_UNRECOGNIZED'),
    );
  });

  describe('quarantine of a user', () => {
    const quarantineAll = (userId: string) =>
      world.admin.post<{ num_quarantined: number }>(path`/_service/admin/v1/user/${userId}/media/quarantine`);

    it('quarantines what is neither protected nor quarantined', async () => {
      const user = await world.user();
      const [free, safe, taken] = [await uploadFile(user), await uploadFile(user), await uploadFile(user)];
      await protect(safe);
      await quarantine(taken);
      expect(await quarantineAll(user.userId)).toMatchObject({ status: 200, text: '{"num_quarantined":1}' });
      expect(await downloadStatus(world, user, free)).toBe(404);
      expect(await downloadStatus(world, user, safe)).toBe(200);
      expect((await quarantineAll(user.userId)).body).toEqual({ num_quarantined: 0 });
    });

    it.each(['@nobody:test', '@a:elsewhere', 'nonsense'])('%s: quarantines nothing', async (userId) => {
      expect((await quarantineAll(userId)).body).toEqual({ num_quarantined: 0 });
    });

    it('quarantines more than one batch', async () => {
      const user = await world.user();
      const media = { origin: world.serverName, userId: user.userId, length: 1 };
      const all = Array.from({ length: 120 }, (_, i) => ({ ...media, mediaId: `Q${i}`, createdTs: i }));
      await Promise.all(all.map((medium) => world.seed?.media(medium)));
      expect((await quarantineAll(user.userId)).body).toEqual({ num_quarantined: 120 });
      const { body } = await list(user.userId, { limit: 200 });
      expect(new Set(body.media.map(({ quarantined_by }) => quarantined_by))).toEqual(
        new Set([world.admin.userId]),
      );
    });
  });

  describe('media of a room', () => {
    const CREATE = '/_proto/client/v3/createRoom';
    let user: Actor;
    let roomId: string;
    let txn = 0;
    beforeAll(async () => {
      user = await world.user();
      roomId = (await user.post<{ room_id: string }>(CREATE, { body: { preset: 'public_chat' } })).body
        .room_id;
    });
    const post = (content: unknown) =>
      user.put<{ event_id: string }>(
        path`/_proto/client/v3/rooms/${roomId}/send/m.room.message/${`m${++txn}`}`,
        { body: content },
      );
    const mediaInRoom = (room: string) =>
      world.admin.get<{ local: string[]; remote: string[] }>(path`/_service/admin/v1/room/${room}/media`);
    const image = (url: unknown, thumbnail?: unknown) => ({
      msgtype: 'm.image',
      body: 'x',
      url,
      info: thumbnail === undefined ? {} : { thumbnail_url: thumbnail },
    });

    it('media of a room are returned newest first, each once, without malformed URIs', async () => {
      const [first, second, small] = [await uploadFile(user), await uploadFile(user), await uploadFile(user)];
      await post(image(uriOf(world, first)));
      await post(image('mxc://elsewhere/remote-of-room'));
      await post(image(uriOf(world, second), uriOf(world, small)));
      await post(image(7, uriOf(world, 'hidden')));
      await post(image('https://test/x'));
      await post(image('mxc://test/a/b'));
      await post(image(uriOf(world, first)));
      const redacted = await post(image(uriOf(world, 'redacted')));
      const target = path`/_proto/client/v3/rooms/${roomId}/redact/${redacted.body.event_id}/${`m${++txn}`}`;
      await user.put(target, { body: {} });
      const { status, body } = await mediaInRoom(roomId);
      expect(status).toBe(200);
      expect(body).toEqual({
        local: [first, second, small].map((id) => uriOf(world, id)),
        remote: ['mxc://elsewhere/remote-of-room'],
      });
    });

    it('media of a room are quarantined, counting already quarantined ones and excluding protected ones', async () => {
      await world.seed?.media({ origin: 'elsewhere', mediaId: 'remote-of-room', createdTs: 5, length: 1 });
      const { local } = (await mediaInRoom(roomId)).body;
      const [safe = ''] = local.map((uri) => uri.split('/').at(-1));
      await protect(safe);
      const target = path`/_service/admin/v1/room/${roomId}/media/quarantine`;
      const legacy = path`/_service/admin/v1/quarantine_media/${roomId}`;
      expect((await world.admin.post(target)).body).toEqual({ num_quarantined: local.length });
      expect((await world.admin.post(legacy)).body).toEqual({ num_quarantined: local.length });
      expect(await downloadStatus(world, user, safe)).toBe(200);
      expect(await info('remote-of-room', 'elsewhere')).toMatchObject({ quarantined_by: world.admin.userId });
    });

    it('media of a room are quarantined in large numbers, each once', async () => {
      const target = path`/_service/admin/v1/room/${roomId}/media/quarantine`;
      const { body: before } = await world.admin.post<{ num_quarantined: number }>(target);
      const ids = Array.from({ length: 26 }, (_, n) => `many-of-room-${n}`);
      // The first medium does not exist.
      const known = ids.slice(1);
      await Promise.all(
        known.map((mediaId) => world.seed?.media({ origin: 'elsewhere', mediaId, createdTs: 5, length: 1 })),
      );
      for (const [n, id] of ids.entries()) {
        if (n % 2 === 0) await post(image(`mxc://elsewhere/${id}`, `mxc://elsewhere/${ids[n + 1]}`));
      }
      await post(image(`mxc://elsewhere/${known[0]}`));
      const num_quarantined = before.num_quarantined + known.length;
      expect((await world.admin.post(target)).body).toEqual({ num_quarantined });
      expect((await world.admin.post(target)).body).toEqual({ num_quarantined });
      expect(await info(known[7] ?? '', 'elsewhere')).toMatchObject({ quarantined_by: world.admin.userId });
      const { body: listed } = await world.admin.get<{ tasks: readonly object[] }>(`${ADMIN}/tasks`, {
        query: { target: roomId, state: 'complete', limit: 1 },
      });
      const quarantine = { kind: 'media.quarantine_room', progress: { done: num_quarantined } };
      expect(listed.tasks).toMatchObject([{ ...quarantine, requested_by: world.admin.userId }]);
    });

    it.each(['!unknown:test', 'nonsense'])('media of a room are none in %s', async (room) => {
      expect(JSON.parse((await mediaInRoom(room)).text)).toEqual({ local: [], remote: [] });
      const target = path`/_service/admin/v1/room/${room}/media/quarantine`;
      expect((await world.admin.post(target)).body).toEqual({ num_quarantined: 0 });
    });
  });

  describe('changes of quarantine', () => {
    const changes = (from?: string | number) => quarantineChanges(world, from);

    it('changes of quarantine are returned in order', async () => {
      const user = await world.user();
      const [a, b] = [await uploadFile(user), await uploadFile(user)];
      const from = await newestPosition(world);
      await quarantine(a);
      await quarantine(b);
      await unquarantine(a);
      const { next_batch, changes: listed } = (await changes(from)).body;
      const origin = world.serverName;
      // The same change may be returned twice.
      const isNew = (change: QuarantineChange, index: number) =>
        !isDeepStrictEqual(
          change,
          listed.slice(0, index).findLast(({ media_id }) => media_id === change.media_id),
        );
      expect(listed.filter(isNew)).toEqual([
        { origin, media_id: a, quarantined: true },
        { origin, media_id: b, quarantined: true },
        { origin, media_id: a, quarantined: false },
      ]);
      expect(next_batch).toBe(from + listed.length);
      expect((await changes(next_batch)).body).toEqual({ next_batch, changes: [] });
    });

    it('changes of quarantine are returned in batches of 100', async () => {
      expect((await changes()).body.changes).toHaveLength(100);
    });

    it('changes of quarantine are refused from an unknown position', async () => {
      for (const from of ['x', '-1', '', (await newestPosition(world)) + 1]) {
        expect(await changes(from)).toMatchObject(invalid);
      }
    });
  });
});
