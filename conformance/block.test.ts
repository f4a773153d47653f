import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const V3 = '/_proto/client/v3';

const blocked = refusal(403, 'M_UNKNOWN');

chapter('10.8 Blocked rooms', (world) => {
  let alice: Actor;
  let bob: Actor;
  beforeAll(async () => {
    alice = await world.user('alice');
    bob = await world.user('bob');
  });

  const create = async (body: Record<string, unknown> = { preset: 'public_chat' }) =>
    (await alice.post<{ room_id: string }>(`${V3}/createRoom`, { body })).body.room_id;
  const act = (by: Actor, roomId: string, action: string, body: Record<string, unknown> = {}) =>
    by.post(`${V3}${path`/rooms/${roomId}`}/${action}`, { body });
  const at = (roomId: string) => path`/_service/admin/v1/rooms/${roomId}/block`;
  const put = (roomId: string, body: unknown, by = world.admin) => by.put(at(roomId), { body });
  const get = async (roomId: string) => (await world.admin.get(at(roomId))).body;

  it('stay blocked until they are unblocked; the first user who blocked them is named', async () => {
    const other = await world.user('admin', { admin: true });
    for (const roomId of [await create(), `!${world.freshName('unknown')}:test`]) {
      expect(await get(roomId)).toEqual({ block: false });
      expect(await put(roomId, { block: false })).toMatchObject({ status: 200, body: { block: false } });
      expect(await put(roomId, { block: true })).toMatchObject({ status: 200, body: { block: true } });
      expect((await put(roomId, { block: true }, other)).body).toEqual({ block: true });
      expect(await get(roomId)).toEqual({ block: true, user_id: world.admin.userId });
      expect((await put(roomId, { block: false }, other)).body).toEqual({ block: false });
      expect(await get(roomId)).toEqual({ block: false });
    }
  });

  it('blocked rooms are not listed only because they are blocked', async () => {
    const roomId = `!${world.freshName('unknown')}:test`;
    await put(roomId, { block: true });
    const list = `/_service/admin/v1/rooms?${new URLSearchParams({ search_term: roomId })}`;
    expect((await world.admin.get(list)).body).toMatchObject({ total_rooms: 0 });
  });

  it('refuse joins, including those of administrators; members can stay, send, leave and ban', async () => {
    const alias = world.freshName('alias');
    const roomId = await create({
      preset: 'public_chat',
      room_alias_name: alias,
      initial_state: [
        { type: 'm.room.history_visibility', content: { history_visibility: 'world_readable' } },
      ],
    });
    const guest = await world.user();
    await act(guest, roomId, 'join');
    await put(roomId, { block: true });
    for (const user of [bob, world.admin]) {
      expect(await act(user, roomId, 'join')).toMatchObject(blocked);
      expect(await user.post(path`/_proto/client/v3/join/${`#${alias}:test`}`)).toMatchObject(blocked);
      expect(await user.post(path`/_proto/client/v3/knock/${roomId}`)).toMatchObject(blocked);
      expect(await user.get(path`/_proto/client/v3/rooms/${roomId}/initialSync`)).toMatchObject(blocked);
      const peek = `/_proto/client/v3/events?${new URLSearchParams({ room_id: roomId, timeout: '0' })}`;
      expect(await user.get(peek)).toMatchObject(blocked);
    }
    expect(await act(alice, roomId, 'invite', { user_id: bob.userId })).toMatchObject(blocked);
    const member = path`/_proto/client/v3/rooms/${roomId}/state/m.room.member/${bob.userId}`;
    expect(await bob.put(member, { body: { membership: 'join' } })).toMatchObject(blocked);
    const body = { user_id: bob.userId };
    expect(await world.admin.post(path`/_service/admin/v1/join/${roomId}`, { body })).toMatchObject(blocked);

    const send = path`/_proto/client/v3/rooms/${roomId}/send/m.room.message/1`;
    expect((await guest.put(send, { body: { msgtype: 'm.text', body: 'x' } })).status).toBe(200);
    expect((await act(alice, roomId, 'ban', { user_id: bob.userId })).status).toBe(200);
    expect((await act(guest, roomId, 'leave')).status).toBe(200);
    expect(await act(guest, roomId, 'join')).toMatchObject(blocked);

    await put(roomId, { block: false });
    expect((await act(guest, roomId, 'join')).status).toBe(200);
  });

  it('refuse invited users, who can still reject the invitation', async () => {
    const roomId = await create({ invite: [bob.userId] });
    await put(roomId, { block: true });
    expect(await act(bob, roomId, 'join')).toMatchObject(blocked);
    expect((await act(bob, roomId, 'leave')).status).toBe(200);
  });

  it('blocked rooms are refused before the server reports them as unknown', async () => {
    const roomId = `!${world.freshName('unknown')}:test`;
    await put(roomId, { block: true });
    expect(await act(bob, roomId, 'join')).toMatchObject(blocked);
    const body = { user_id: bob.userId };
    expect(await world.admin.post(path`/_service/admin/v1/join/${roomId}`, { body })).toMatchObject(blocked);
  });

  describe('a request is refused', () => {
    it.each([
      ['!a:test', undefined, 'M_NOT_JSON'],
      ['nonsense', undefined, 'M_NOT_JSON'],
      ['nonsense', [], 'M_BAD_JSON'],
      ['nonsense', {}, 'M_UNKNOWN'],
      ['!no-domain', { block: true }, 'M_UNKNOWN'],
      ['', { block: true }, 'M_UNKNOWN'],
      ['!a\0:test', { block: true }, 'M_UNKNOWN'],
      [`!${'a'.repeat(300)}:test`, { block: true }, 'M_UNKNOWN'],
      ['!a:test', {}, 'M_MISSING_PARAM'],
      ['!a:test', { block: 'x' }, 'M_BAD_JSON'],
      ['!a:test', { block: 1 }, 'M_BAD_JSON'],
      ['!a:test', { block: null }, 'M_BAD_JSON'],
    ])('%j %j', async (roomId, body, errcode) => {
      expect(await put(roomId, body)).toMatchObject(refusal(400, errcode));
    });

    it.each(['nonsense', '!no-domain', '#alias:test', ''])('for the id %j', async (roomId) => {
      expect(await world.admin.get(at(roomId))).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });
  });
});
