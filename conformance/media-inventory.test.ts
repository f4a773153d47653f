import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { image } from './images.ts';
import { downloadStatus, uploadFile, uriOf } from './media-files.ts';
import { refusal } from './refusal.ts';

const ADMIN = '/_service/admin/v1';
const CLIENT = '/_proto/client/v3';
const invalid = refusal(400, 'M_INVALID_PARAM');

interface Inventory {
  readonly media: readonly { readonly media_id: string; readonly [key: string]: unknown }[];
  readonly total?: number;
  readonly total_bytes?: number;
  readonly next_token?: string;
}

interface Given {
  readonly task_id?: string;
  readonly total: number;
  readonly total_bytes: number;
}

chapter('Inventory of media', (world) => {
  let user: Actor;
  let roomId: string;
  const list = (query: Record<string, string | number | boolean> = {}) =>
    world.admin.get<Inventory>(`${ADMIN}/media`, { query: { user_id: user.userId, ...query } });
  const ids = async (query: Record<string, string | number | boolean> = {}) =>
    (await list(query)).body.media.map(({ media_id }) => media_id).sort();
  const order = async (what: string, body: object) => {
    const given = await world.admin.post<Given>(`${ADMIN}/media_orders/${what}`, { body });
    const { task_id: id } = given.body;
    if (id !== undefined) {
      const task = () => world.admin.get<{ status: string }>(path`/_service/admin/v1/tasks/${id}`);
      await expect.poll(async () => (await task()).text).toContain('complete');
    }
    return given;
  };
  const send = async (content: object) =>
    (
      await user.put<{ event_id: string }>(
        path`/_proto/client/v3/rooms/${roomId}/send/m.room.message/${world.freshName('txn')}`,
        { body: content },
      )
    ).body.event_id;
  const show = (mediaId: string) =>
    send({ msgtype: 'm.image', body: 'an image', url: uriOf(world, mediaId) });

  beforeAll(async () => {
    user = await world.user();
    const { body } = await user.post<{ room_id: string }>(`${CLIENT}/createRoom`, { body: {} });
    roomId = body.room_id;
  });

  it.each([
    'from=x',
    'limit=-1',
    'order_by=size',
    'dir=x',
    'origin=a/b',
    'user_id=nobody',
    'room_id=room',
    'type=image',
    'size_min=-1',
    'quarantined=perhaps',
    'never_accessed=true&accessed_after=1',
    'size_min=2&size_max=1',
    'created_after=2&created_before=2',
    'accessed_after=2&accessed_before=2',
  ])('refuses %s', async (query) => {
    const { token } = world.admin;
    expect(await world.http('GET', `${ADMIN}/media`, { token, query })).toMatchObject(invalid);
  });

  it('pages through what it counts', async () => {
    const uploaded = [];
    for (let n = 0; n < 5; n++)
      uploaded.push(await uploadFile(user, { bytes: 'x'.repeat(n + 1), type: 'a/page' }));
    const query = { type: 'a/page', order_by: 'media_length', dir: 'b', limit: 2 };
    const first = (await list(query)).body;
    expect(first).toMatchObject({ total: 5, total_bytes: 15 });
    const found = [...first.media];
    for (let from = first.next_token; from !== undefined; ) {
      const { body } = await list({ ...query, from });
      expect(body).not.toHaveProperty('total');
      found.push(...body.media);
      from = body.next_token;
    }
    expect(found.map(({ media_id }) => media_id)).toEqual(uploaded.reverse());
    expect(found[0]).toMatchObject({
      origin: world.serverName,
      user_id: user.userId,
      media_type: 'a/page',
      upload_name: null,
      media_length: 5,
      last_access_ts: null,
      quarantined_by: null,
      protected: false,
      orphaned: true,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('knows which media an event or a profile shows, until that is redacted or replaced', async () => {
    const [sent, face, unused] = [
      await uploadFile(user, { type: 'a/shown' }),
      await uploadFile(user, { type: 'a/shown' }),
      await uploadFile(user, { type: 'a/shown' }),
    ];
    const shown = () => ids({ type: 'a/*', orphaned: false });
    const eventId = await show(sent);
    const profile = path`/_proto/client/v3/profile/${user.userId}/avatar_url`;
    await user.put(profile, { body: { avatar_url: uriOf(world, face) } });
    await expect.poll(shown).toEqual([sent, face].sort());
    expect(await ids({ type: 'a/shown', room_id: roomId })).toContain(sent);
    expect(await ids({ type: 'a/shown', room_id: roomId })).not.toContain(unused);
    await user.put(path`/_proto/client/v3/rooms/${roomId}/redact/${eventId}/${world.freshName('txn')}`, {
      body: {},
    });
    await expect.poll(shown).toEqual([face]);
    const deletion = path`/_service/admin/v1/rooms/${roomId}`;
    await user.put(profile, { body: { avatar_url: '' } });
    await world.admin.delete(deletion, { body: { purge: true } });
    await expect.poll(shown).toEqual([]);
    const { body } = await user.post<{ room_id: string }>(`${CLIENT}/createRoom`, { body: {} });
    roomId = body.room_id;
  });

  it('knows which media an event shows elsewhere: encrypted files, images in HTML, image packs', async () => {
    const media = [
      await uploadFile(user, { type: 'a/elsewhere' }),
      await uploadFile(user, { type: 'a/elsewhere' }),
      await uploadFile(user, { type: 'a/elsewhere' }),
    ];
    const [file = '', inHtml = '', inPack = ''] = media;
    const sent = [
      await send({ msgtype: 'm.file', body: 'a file', file: { url: uriOf(world, file) } }),
      await send({ msgtype: 'm.text', body: 'x', formatted_body: `<img src="${uriOf(world, inHtml)}">` }),
    ];
    const pack = path`/_proto/client/v3/rooms/${roomId}/state/test.image_pack/`;
    await user.put(pack, { body: { images: { smile: { url: uriOf(world, inPack) } } } });
    const shown = () => ids({ type: 'a/elsewhere', orphaned: false });
    await expect.poll(shown).toEqual(media.toSorted());
    for (const eventId of sent)
      await user.put(path`/_proto/client/v3/rooms/${roomId}/redact/${eventId}/${world.freshName('txn')}`, {
        body: {},
      });
    await expect.poll(shown).toEqual([inPack]);
    await world.admin.delete(path`/_service/admin/v1/rooms/${roomId}`, { body: { purge: true } });
    await expect.poll(shown).toEqual([]);
    const { body } = await user.post<{ room_id: string }>(`${CLIENT}/createRoom`, { body: {} });
    roomId = body.room_id;
  });

  describe('orders', () => {
    it('need a filter, and can be tried', async () => {
      expect(await order('delete', {})).toMatchObject(invalid);
      expect(await order('delete', { dry_run: true })).toMatchObject(invalid);
      // A misspelt key must not make an order that finds more, or one that is not a trial.
      for (const misspelt of ['orphan', 'dryRun', 'limit'])
        expect(await order('delete', { type: 'a/tried', [misspelt]: true })).toMatchObject(invalid);
      expect(await order('delete', { size_min: 2, size_max: 1 })).toMatchObject(invalid);
      const mediaId = await uploadFile(user, { bytes: 'tried', type: 'a/tried' });
      const tried = await order('delete', { type: 'a/tried', user_id: user.userId, dry_run: true });
      expect(tried.body).toEqual({ total: 1, total_bytes: 5 });
      expect(await downloadStatus(world, user, mediaId)).toBe(200);
    });

    it('quarantine, release, protect and delete what the filters select', async () => {
      const selector = { type: 'a/ordered', user_id: user.userId };
      const media = [
        await uploadFile(user, { type: 'a/ordered' }),
        await uploadFile(user, { type: 'a/ordered' }),
      ].sort();
      const [first = ''] = media;
      expect((await order('quarantine', selector)).body).toMatchObject({ total: 2 });
      expect(await ids({ ...selector, quarantined: true })).toEqual(media);
      expect(await downloadStatus(world, user, first)).toBe(404);
      await order('release', { ...selector, quarantined: true });
      expect(await ids({ ...selector, quarantined: false })).toEqual(media);
      await order('protect', selector);
      expect(await ids({ ...selector, protected: true })).toEqual(media);
      await order('quarantine', selector);
      expect(await ids({ ...selector, quarantined: true })).toEqual([]);
      await order('unprotect', selector);
      expect(await ids({ ...selector, protected: false })).toEqual(media);
      // Orphans of the last hour stay, because their events may follow.
      await order('delete', { ...selector, orphaned: true });
      expect(await ids(selector)).toEqual(media);
      await order('delete', selector);
      expect((await list(selector)).body).toMatchObject({ media: [], total: 0, total_bytes: 0 });
    });
  });

  it('records a thumbnail that is larger than usual, and one of a quarantined image, which only those see who ask for it and may', async () => {
    const mediaId = await uploadFile(user, { bytes: await image('png', 200, 200), type: 'image/png' });
    const thumbnail = path`/_service/admin/v1/media/${world.serverName}/${mediaId}/thumbnail`;
    const status = async (query = {}) => (await world.admin.get(thumbnail, { query })).status;
    expect(await status()).toBe(200);
    expect(await status({ width: 96, height: 96 })).toBe(200);
    expect(await status({ width: 1, height: 97, method: 'crop' })).toBe(200);
    await world.admin.post(path`/_service/admin/v1/media/quarantine/${world.serverName}/${mediaId}`);
    expect(await status()).toBe(404);
    expect(await status({ allow_quarantined: true })).toBe(200);
    const log = `${ADMIN}/audit_log`;
    const query = { target: mediaId, action: 'media.get_media_thumbnail' };
    const entries = async () => (await world.admin.get<{ entries: unknown[] }>(log, { query })).body.entries;
    await expect.poll(async () => (await entries())?.length).toBe(2);
  });
});
