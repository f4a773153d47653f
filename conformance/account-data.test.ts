import { type Actor, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const ROOM = '!room:test';

const at = (userId: string, type: string) => path`/_proto/client/v3/user/${userId}/account_data/${type}`;
const inRoom = (userId: string, room: string, type: string) =>
  path`/_proto/client/v3/user/${userId}/rooms/${room}/account_data/${type}`;
const tagsAt = (userId: string, room: string) => path`/_proto/client/v3/user/${userId}/rooms/${room}/tags`;
const tagAt = (userId: string, room: string, tag: string) =>
  path`/_proto/client/v3/user/${userId}/rooms/${room}/tags/${tag}`;
const adminAt = (userId: string) => path`/_service/admin/v1/users/${userId}/accountdata`;

chapter('7.7 Account data', (world) => {
  const shown = async (userId: string) =>
    (await world.admin.get<{ account_data: unknown }>(adminAt(userId))).body.account_data;

  describe.each([
    ['of the account', (userId: string, type: string) => at(userId, type)],
    ['for a room', (userId: string, type: string) => inRoom(userId, ROOM, type)],
  ])('%s', (_, target) => {
    it('returns the latest value', async () => {
      const user = await world.user();
      const url = target(user.userId, 'org.example');
      expect(await user.get(url)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      expect(await user.put(url, { body: { a: 1, b: [null, 'ü'] } })).toMatchObject({
        status: 200,
        text: '{}',
      });
      expect(await user.put(url, { body: { c: {} } })).toMatchObject({ status: 200 });
      expect(await user.get(url)).toMatchObject({ status: 200, text: '{"c":{}}' });
      expect(await user.get(url.replace('/v3/', '/r0/'))).toMatchObject({ status: 200, body: { c: {} } });
    });

    it('keeps values that JSON can express and JavaScript numbers cannot', async () => {
      const user = await world.user();
      const url = target(user.userId, 'x');
      const rawBody = '{"__proto__":{"a":1},"n":12345678901234567890,"f":1.0,"a.b":"\\u0000","$x":0}';
      expect(await user.put(url, { rawBody })).toMatchObject({ status: 200 });
      expect((await user.get(url)).text).toBe(rawBody);
      expect((await world.admin.get(adminAt(user.userId))).text).toContain(rawBody);
    });

    it.each(['m.direct', 'a/b', 'ü', '😀', ' ', '..', '__proto__', '$a.b', '%2F', 'x'.repeat(255)])(
      'accepts the type %j',
      async (type) => {
        const user = await world.user();
        expect(await user.put(target(user.userId, type), { body: { type } })).toMatchObject({ status: 200 });
        expect(await user.get(target(user.userId, type))).toMatchObject({ status: 200, body: { type } });
      },
    );

    it.each([
      ['no body', 'x', '', 400, 'M_NOT_JSON'],
      ['no JSON', 'x', '{', 400, 'M_NOT_JSON'],
      ['no object', 'x', '[]', 400, 'M_BAD_JSON'],
      ['no type', '', '{}', 400, 'M_INVALID_PARAM'],
      ['a type that cannot be stored', '\0', '{}', 400, 'M_INVALID_PARAM'],
      ['a type that is too long', 'ü'.repeat(128), '{}', 413, 'M_TOO_LARGE'],
      ['m.fully_read', 'm.fully_read', '{}', 405, 'M_BAD_JSON'],
      ['m.push_rules', 'm.push_rules', '{}', 405, 'M_BAD_JSON'],
    ])('refuses %s, and stores nothing', async (_, type, rawBody, status, errcode) => {
      const user = await world.user();
      expect(await user.put(target(user.userId, type), { rawBody })).toMatchObject(refusal(status, errcode));
      expect(await shown(user.userId)).toEqual({ global: {}, rooms: {} });
    });

    it('account data is hidden from all other users, including administrators', async () => {
      const { userId, put } = await world.user();
      const url = target(userId, 'x');
      await put(url, { body: { mine: true } });
      for (const other of [await world.user(), world.admin]) {
        expect(await other.get(url)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
        expect(await other.put(url, { rawBody: 'no JSON' })).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      }
    });
  });

  it.each(['x', '!', '!room', 'room:test', '#room:test', `!${'x'.repeat(255)}:test`])(
    '%s is not a room id',
    async (room) => {
      const user = await world.user();
      const invalid = refusal(400, 'M_INVALID_PARAM');
      expect(await user.get(inRoom(user.userId, room, 'x'))).toMatchObject(invalid);
      expect(await user.put(inRoom(user.userId, room, 'x'), { body: {} })).toMatchObject(invalid);
      expect(await user.get(tagsAt(user.userId, room))).toMatchObject(invalid);
    },
  );

  it('accepts a room id without a server', async () => {
    const user = await world.user();
    const url = inRoom(user.userId, `!${'aB3_-'.repeat(8)}xyz`, 'x');
    expect(await user.put(url, { body: {} })).toMatchObject({ status: 200 });
  });

  it('refuses an object that is too large', async () => {
    const user = await world.user();
    const body = { text: 'x'.repeat(1024 * 1024) };
    expect(await user.put(at(user.userId, 'x'), { body })).toMatchObject(refusal(413, 'M_TOO_LARGE'));
  });

  it('keeps one of two concurrent values of a type, and both of different types', async () => {
    const user = await world.user();
    const set = (type: string, n: number) => user.put(at(user.userId, type), { body: { n } });
    const replies = await Promise.all([set('a', 1), set('a', 2), set('b', 3), set('c', 4)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await shown(user.userId)).toMatchObject({ global: { b: { n: 3 }, c: { n: 4 } } });
    expect([1, 2]).toContain((await user.get(at(user.userId, 'a'))).body.n);
  });

  describe('tags', () => {
    const tagsOf = async (user: Actor) => (await user.get(tagsAt(user.userId, ROOM))).body.tags;

    it('can be set and removed, and appear as the account data m.tag', async () => {
      const user = await world.user();
      expect(await tagsOf(user)).toEqual({});
      const put = (tag: string, body: unknown) => user.put(tagAt(user.userId, ROOM, tag), { body });
      expect(await put('m.favourite', { order: 0.25 })).toMatchObject({ status: 200, text: '{}' });
      expect(await put('u.a/b', {})).toMatchObject({ status: 200 });
      const tags = { 'm.favourite': { order: 0.25 }, 'u.a/b': {} };
      expect(await tagsOf(user)).toEqual(tags);
      expect((await user.get(inRoom(user.userId, ROOM, 'm.tag'))).body).toEqual({ tags });
      for (const tag of ['u.a/b', 'u.a/b', 'toString']) {
        expect(await user.delete(tagAt(user.userId, ROOM, tag))).toMatchObject({ status: 200, text: '{}' });
      }
      expect(await tagsOf(user)).toEqual({ 'm.favourite': { order: 0.25 } });
    });

    it('can be set after a client stored an unexpected value as m.tag', async () => {
      const user = await world.user();
      await user.put(inRoom(user.userId, ROOM, 'm.tag'), { body: { tags: [1] } });
      expect(await tagsOf(user)).toEqual({});
      expect(await user.put(tagAt(user.userId, ROOM, '__proto__'), { body: {} })).toMatchObject({
        status: 200,
      });
      expect(Object.keys((await tagsOf(user)) as object)).toEqual(['__proto__']);
    });

    it.each([
      ['no JSON', 'x', 'M_NOT_JSON'],
      ['an order that is not a number', '{"order":"0.5"}', 'M_BAD_JSON'],
      ['an order out of range', '{"order":1e999}', 'M_BAD_JSON'],
    ])('tags are refused with %s', async (_, rawBody, errcode) => {
      const user = await world.user();
      expect(await user.put(tagAt(user.userId, ROOM, 'x'), { rawBody })).toMatchObject(refusal(400, errcode));
      expect(await tagsOf(user)).toEqual({});
    });

    it('of other users are hidden', async () => {
      const { userId } = await world.user();
      const other = await world.user();
      const forbidden = refusal(403, 'M_FORBIDDEN');
      expect(await other.get(tagsAt(userId, ROOM))).toMatchObject(forbidden);
      expect(await other.put(tagAt(userId, ROOM, 'x'), { body: {} })).toMatchObject(forbidden);
      expect(await other.delete(tagAt(userId, ROOM, 'x'))).toMatchObject(forbidden);
    });
  });

  describe('2.9 administrators', () => {
    it('can read all account data of a user', async () => {
      const user = await world.user();
      expect(await shown(user.userId)).toEqual({ global: {}, rooms: {} });
      await user.put(at(user.userId, 'm.direct'), { body: { '@a:test': [ROOM] } });
      await user.put(at(user.userId, '__proto__'), { body: {} });
      await user.put(inRoom(user.userId, ROOM, 'm.x'), { body: { x: 1 } });
      await user.put(inRoom(user.userId, '!other:test', 'm.x'), { body: { x: 2 } });
      const { text } = await world.admin.get(adminAt(user.userId));
      expect(text).toBe(
        `{"account_data":{"global":{"__proto__":{},"m.direct":{"@a:test":["${ROOM}"]}},` +
          `"rooms":{"!other:test":{"m.x":{"x":2}},"${ROOM}":{"m.x":{"x":1}}}}}`,
      );
    });

    it.each([
      ['no id', 'nobody', 400, 'M_UNKNOWN'],
      ['a user of another server', '@a:elsewhere', 400, 'M_UNKNOWN'],
      ['an unknown user', '@nobody:test', 404, 'M_NOT_FOUND'],
    ])('administrators are refused %s', async (_, userId, status, errcode) => {
      expect(await world.admin.get(adminAt(userId))).toMatchObject(refusal(status, errcode));
    });
  });

  it('account data is deleted when the account is deactivated, and is not restored by reactivation', async () => {
    const user = await world.user();
    await user.put(at(user.userId, 'm.direct'), { body: { x: 1 } });
    await user.put(inRoom(user.userId, ROOM, 'm.x'), { body: { x: 1 } });
    await user.put('/_proto/client/v3/pushrules/global/override/.m.rule.master/enabled', {
      body: { enabled: true },
    });
    const filterAt = path`/_proto/client/v3/user/${user.userId}/filter`;
    const { filter_id: filter } = (await user.post(filterAt, { body: {} })).body;
    await world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`);
    await world.whenIdle();
    expect(await shown(user.userId)).toEqual({ global: {}, rooms: {} });

    await world.admin.put(path`/_service/admin/v2/users/${user.userId}`, {
      body: { deactivated: false, password: user.password },
    });
    const back = await world.login(user);
    expect(await back.get(at(user.userId, 'm.direct'))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    expect(await back.get(`${filterAt}/${filter}`)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    const master = '/_proto/client/v3/pushrules/global/override/.m.rule.master/enabled';
    expect((await back.get(master)).body).toEqual({ enabled: false });
    expect(await back.put(at(user.userId, 'm.direct'), { body: { y: 1 } })).toMatchObject({ status: 200 });
    await back.post('/_proto/client/v3/logout/all');
    await world.whenIdle();
    expect(await shown(user.userId)).toEqual({ global: { 'm.direct': { y: 1 } }, rooms: {} });
  });
});
