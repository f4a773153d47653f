import { type Actor, path, type Reply } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { downloadStatus, uploadFile, uriOf } from './media-files.ts';
import { refusal } from './refusal.ts';

const DELETE = '/_service/admin/v1/media/delete';
const PURGE = '/_service/admin/v1/purge_media_cache';
const invalid = refusal(400, 'M_INVALID_PARAM');

/** Before all uploads of tests, and late enough not to be interpreted as seconds. */
const LONG_AGO = 40_000_000_000;

/** After all uploads of tests. */
const LATER = 4_000_000_000_000;

interface Deleted {
  readonly deleted_media: string[];
  readonly total: number;
}

chapter('5.1, 5.2 Deleting media by date', (world) => {
  const remove = (query: Record<string, string | number | boolean>, target = DELETE) =>
    world.admin.post<Deleted>(target, { query });
  const legacy = (server: string) => path`/_service/admin/v1/media/${server}/delete`;
  const deletedOf = async (reply: Promise<Reply<Deleted>>, candidates: readonly string[]) => {
    const { status, body } = await reply;
    expect(status).toBe(200);
    expect(body.total).toBe(body.deleted_media.length);
    return candidates.filter((id) => body.deleted_media.includes(id));
  };
  const exists = async (mediaId: string, server = world.serverName) =>
    (await world.admin.get(path`/_service/admin/v1/media/${server}/${mediaId}`)).status === 200;
  const seed = async (
    mediaId: string,
    createdTs: number,
    more: { length?: number; lastAccessTs?: number } = {},
  ) => {
    const userId = world.admin.userId;
    await world.seed?.media({ origin: world.serverName, mediaId, userId, createdTs, length: 10, ...more });
    return mediaId;
  };

  describe.each([
    ['media/delete', () => DELETE],
    ['media/{server_name}/delete', () => legacy('test')],
    ['purge_media_cache', () => PURGE],
  ])('%s', (title, target) => {
    it.each([
      ['', refusal(400, 'M_MISSING_PARAM')],
      ['before_ts=', invalid],
      ['before_ts=x', invalid],
      ['before_ts=1.5', invalid],
      ['before_ts=-1', invalid],
      ['before_ts=1', invalid],
      ['before_ts=29999999999', invalid],
    ])('refuses ?%s', async (query, refused) => {
      expect(await world.admin.post(target(), { query })).toMatchObject(refused);
    });

    it
      .skipIf(title === 'purge_media_cache')
      .each(['size_gt=x', 'size_gt=-1', 'keep_profiles=x', 'keep_profiles=1'])(
      'refuses %s',
      async (query) => {
        expect(await world.admin.post(target(), { query: `before_ts=${LONG_AGO}&${query}` })).toMatchObject(
          invalid,
        );
      },
    );
  });

  it('refuses the media of another server', async () => {
    expect(await remove({ before_ts: LONG_AGO }, legacy('elsewhere'))).toMatchObject(
      refusal(400, 'M_UNKNOWN'),
    );
    expect(await remove({ before_ts: 1 }, legacy('elsewhere'))).toMatchObject(invalid);
    expect(await remove({ before_ts: LONG_AGO - 1_000 }, legacy(world.serverName))).toMatchObject({
      status: 200,
    });
  });

  it('compares the last access, or the upload time for media never accessed', async () => {
    const media = [
      await seed('before', LONG_AGO - 1),
      await seed('at', LONG_AGO),
      await seed('accessed-before', LONG_AGO - 2, { lastAccessTs: LONG_AGO - 1 }),
      await seed('accessed-at', LONG_AGO - 2, { lastAccessTs: LONG_AGO }),
    ];
    expect(await deletedOf(remove({ before_ts: LONG_AGO }), media)).toEqual(['before', 'accessed-before']);
    expect(await Promise.all(media.map((id) => exists(id)))).toEqual([false, true, false, true]);
    const later = remove({ before_ts: LONG_AGO + 1 }, legacy(world.serverName));
    expect(await deletedOf(later, media)).toEqual(['at', 'accessed-at']);
  });

  it('deletes larger files only', async () => {
    const media = [
      await seed('empty', LONG_AGO - 1, { length: 0 }),
      await seed('small', LONG_AGO - 1, { length: 10 }),
      await seed('large', LONG_AGO - 1, { length: 11 }),
    ];
    expect(await deletedOf(remove({ before_ts: LONG_AGO, size_gt: 10 }), media)).toEqual(['large']);
    expect(await deletedOf(remove({ before_ts: LONG_AGO }), media)).toEqual(['small']);
    expect(await exists('empty')).toBe(true);
  });

  it('keeps quarantined and protected media', async () => {
    const media = [await seed('taken', LONG_AGO - 1), await seed('safe', LONG_AGO - 1)];
    await world.admin.post(path`/_service/admin/v1/media/quarantine/${world.serverName}/taken`);
    await world.admin.post(path`/_service/admin/v1/media/protect/safe`);
    expect(await deletedOf(remove({ before_ts: LONG_AGO, keep_profiles: false }), media)).toEqual([]);
  });

  it('keeps avatars of users, members and rooms, unless requested otherwise', async () => {
    const user = await world.user();
    const ids = ['of-user', 'of-room', 'of-member', 'once-of-member', 'of-none'];
    const media = await Promise.all(ids.map((id) => seed(id, LONG_AGO - 1)));
    const roomId = await newRoom(user);
    const state = (type: string, stateKey: string, body: unknown) =>
      user.put(path`/_proto/client/v3/rooms/${roomId}/state/${type}/${stateKey}`, { body });
    await state('m.room.avatar', '', { url: uriOf(world, 'of-room') });
    const member = { membership: 'join', displayname: 'x' };
    await state('m.room.member', user.userId, { ...member, avatar_url: uriOf(world, 'once-of-member') });
    await state('m.room.member', user.userId, { ...member, avatar_url: uriOf(world, 'of-member') });
    // An account without rooms.
    await world.account('avatar', { avatar_url: uriOf(world, 'of-user') });
    expect(await deletedOf(remove({ before_ts: LONG_AGO }), media)).toEqual(['of-none']);
    expect(await deletedOf(remove({ before_ts: LONG_AGO, keep_profiles: true }), media)).toEqual([]);
    const all = await deletedOf(remove({ before_ts: LONG_AGO, keep_profiles: false }), media);
    expect(all).toEqual(ids.filter((id) => id !== 'of-none'));
  });

  it('deletes more than one batch of several users', async () => {
    const users = await Promise.all([world.account(), world.account(), world.account()]);
    const media = Array.from({ length: 130 }, (_, i) => ({
      origin: world.serverName,
      mediaId: `batch-${i}`,
      userId: users[i % users.length] as string,
      createdTs: LONG_AGO - 1,
      length: 1,
    }));
    await Promise.all(media.map((medium) => world.seed?.media(medium)));
    const ids = media.map(({ mediaId }) => mediaId);
    expect(await deletedOf(remove({ before_ts: LONG_AGO }), ids)).toHaveLength(130);
    for (const user of users) {
      const { body } = await world.admin.get(path`/_service/admin/v1/users/${user}/media`);
      expect(body).toEqual({ media: [], total: 0 });
    }
  });

  it('purges the media of other servers, except quarantined ones', async () => {
    const remote = (mediaId: string, createdTs: number, lastAccessTs?: number) =>
      world.seed?.media({
        origin: 'elsewhere',
        mediaId,
        createdTs,
        length: 1,
        ...(lastAccessTs === undefined ? {} : { lastAccessTs }),
      });
    await remote('old', LONG_AGO - 2, LONG_AGO - 1);
    await remote('unread', LONG_AGO - 1);
    await remote('read', LONG_AGO - 2, LONG_AGO);
    await remote('quarantined', LONG_AGO - 1);
    await world.admin.post(path`/_service/admin/v1/media/quarantine/elsewhere/quarantined`);
    const local = await seed('local', LONG_AGO - 1);
    const purged = await world.admin.post(PURGE, { query: { before_ts: LONG_AGO } });
    expect(purged).toMatchObject({ status: 200, text: '{"deleted":2}' });
    expect(await exists('old', 'elsewhere')).toBe(false);
    expect(await exists('unread', 'elsewhere')).toBe(false);
    expect(await exists('read', 'elsewhere')).toBe(true);
    expect(await exists('quarantined', 'elsewhere')).toBe(true);
    expect(await exists(local)).toBe(true);
  });

  it('in a room: quarantine, protection and deletion appear in the statistics', async () => {
    const user = await world.user('storyteller');
    const roomId = await newRoom(user);
    const image = await uploadFile(user, { bytes: PIXEL, type: 'image/png', name: 'pixel.png' });
    const avatar = await uploadFile(user, { bytes: 'an avatar' });
    const kept = await uploadFile(user, { bytes: 'kept' });
    const thumbnail = path`/_proto/client/v1/media/thumbnail/${world.serverName}/${image}`;
    const size = { query: { width: 32, height: 32 } };
    expect(await user.get(thumbnail, size)).toMatchObject({ status: 200 });
    await user.put(path`/_proto/client/v3/rooms/${roomId}/send/m.room.message/1`, {
      body: { msgtype: 'm.image', body: 'pixel', url: uriOf(world, image) },
    });
    await user.put(path`/_proto/client/v3/profile/${user.userId}/avatar_url`, {
      body: { avatar_url: uriOf(world, avatar) },
    });
    const usage = async () => {
      const query = { search_term: user.localpart };
      const { body } = await world.admin.get('/_service/admin/v1/statistics/users/media', { query });
      return body.users;
    };
    const row = { user_id: user.userId, displayname: user.localpart };
    const length = PIXEL.byteLength + 'an avatar'.length + 'kept'.length;
    expect(await usage()).toEqual([{ ...row, media_count: 3, media_length: length }]);

    const quarantined = await world.admin.post(path`/_service/admin/v1/room/${roomId}/media/quarantine`);
    expect(quarantined).toMatchObject({ status: 200, body: { num_quarantined: 1 } });
    expect(await downloadStatus(world, user, image)).toBe(404);
    expect((await user.get(thumbnail, size)).status).toBe(404);
    await world.admin.post(path`/_service/admin/v1/media/protect/${kept}`);

    const all = [image, avatar, kept];
    expect(await deletedOf(remove({ before_ts: LATER }), all)).toEqual([]);
    await world.admin.post(path`/_service/admin/v1/media/unquarantine/${world.serverName}/${image}`);
    expect(await downloadStatus(world, user, image)).toBe(200);
    expect(await deletedOf(remove({ before_ts: LATER }), all)).toEqual([image]);
    expect(await downloadStatus(world, user, image)).toBe(404);
    expect((await user.get(thumbnail, size)).status).toBe(404);
    expect(await downloadStatus(world, user, avatar)).toBe(200);
    expect(await usage()).toEqual([{ ...row, media_count: 2, media_length: length - PIXEL.byteLength }]);
  });

  it('takes recent downloads into account', async () => {
    const user = await world.user();
    const id = await uploadFile(user);
    expect(await downloadStatus(world, user, id)).toBe(200);
    const list = path`/_service/admin/v1/users/${user.userId}/media`;
    // Another process learns of it within 10 s.
    const lastAccess = async () =>
      (await world.admin.get<{ media: { last_access_ts: number | null }[] }>(list)).body.media[0]
        ?.last_access_ts;
    await expect.poll(lastAccess).toEqual(expect.any(Number));
  });

  const newRoom = async (user: Actor) => {
    const body = { preset: 'public_chat' };
    return (await user.post<{ room_id: string }>('/_proto/client/v3/createRoom', { body })).body.room_id;
  };
});

/** An image of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
