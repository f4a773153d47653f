import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const V3 = '/_proto/client/v3';

const unknown = refusal(400, 'M_UNKNOWN');
const done = { status: 200, text: '{}' };

interface PowerLevels {
  readonly users: Readonly<Record<string, number>>;
  readonly [key: string]: unknown;
}

chapter('10.13 Making a user administrator of a room', (world) => {
  let alice: Actor;
  let bob: Actor;
  let carol: Actor;
  beforeAll(async () => {
    [alice, bob, carol] = [await world.user('alice'), await world.user('bob'), await world.user('carol')];
  });

  const create = async (body: Record<string, unknown> = {}, by = alice) =>
    (await by.post<{ room_id: string }>(`${V3}/createRoom`, { body })).body.room_id;
  const act = (by: Actor, roomId: string, action: string, body: Record<string, unknown> = {}) =>
    by.post(`${V3}${path`/rooms/${roomId}`}/${action}`, { body });
  const promote = (roomId: string, body?: unknown) =>
    world.admin.post(
      path`/_service/admin/v1/rooms/${roomId}/make_room_admin`,
      body === undefined ? {} : { body },
    );
  const state = async (roomId: string) => {
    const { body } = await world.admin.get<{
      state: { type: string; state_key: string; sender: string; content: Record<string, unknown> }[];
    }>(path`/_service/admin/v1/rooms/${roomId}/state`);
    return (type: string, key = '') =>
      body.state.find((event) => event.type === type && event.state_key === key);
  };
  const levelsOf = async (roomId: string) =>
    (await state(roomId))('m.room.power_levels')?.content as unknown as PowerLevels;
  const membershipOf = async (roomId: string, userId: string) =>
    (await state(roomId))('m.room.member', userId)?.content.membership;
  const setLevels = async (by: Actor, roomId: string, users: Record<string, number>) => {
    const content = { ...(await levelsOf(roomId)), events: { 'm.room.power_levels': 50 }, users };
    const reply = await by.put(`${V3}${path`/rooms/${roomId}`}/state/m.room.power_levels`, { body: content });
    expect(reply.status).toBe(200);
  };

  it('grants the highest level of the room, keeps other levels, and invites the user', async () => {
    const roomId = await create();
    const before = await levelsOf(roomId);
    expect(await promote(roomId, { user_id: bob.userId })).toMatchObject(done);
    const levels = await levelsOf(roomId);
    expect(levels).toEqual({ ...before, users: { [alice.userId]: 100, [bob.userId]: 100 } });
    expect((await state(roomId))('m.room.member', bob.userId)).toMatchObject({
      sender: alice.userId,
      content: { membership: 'invite' },
    });
    expect(await promote(roomId, { user_id: bob.userId })).toMatchObject(done);
    expect(await levelsOf(roomId)).toEqual(levels);
  });

  it.each([undefined, {}, { user_id: null }])(
    'promotes the caller unless a user is named: %j',
    async (body) => {
      const roomId = await create();
      expect(await promote(roomId, body)).toMatchObject(done);
      expect((await levelsOf(roomId)).users).toMatchObject({ [world.admin.userId]: 100 });
      expect(await membershipOf(roomId, world.admin.userId)).toBe('invite');
    },
  );

  it('does not invite members, or users who can join', async () => {
    const open = await create({ preset: 'public_chat', room_alias_name: 'open' });
    expect(await promote('#open:test', { user_id: bob.userId })).toMatchObject(done);
    expect((await levelsOf(open)).users).toMatchObject({ [bob.userId]: 100 });
    expect(await membershipOf(open, bob.userId)).toBeUndefined();
    const closed = await create({ invite: [bob.userId] });
    await act(bob, closed, 'join');
    expect(await promote(closed, { user_id: bob.userId })).toMatchObject(done);
    expect(await membershipOf(closed, bob.userId)).toBe('join');
  });

  it('acts as the next most powerful user after the first has left; of equals, as the last in the power levels', async () => {
    const roomId = await create({ preset: 'public_chat' });
    await act(bob, roomId, 'join');
    await act(carol, roomId, 'join');
    await setLevels(alice, roomId, {
      [alice.userId]: 100,
      [bob.userId]: 60,
      [carol.userId]: 60,
      '@remote:elsewhere': 90,
    });
    await act(alice, roomId, 'leave');
    expect(await promote(roomId)).toMatchObject(done);
    expect((await state(roomId))('m.room.power_levels')).toMatchObject({
      sender: carol.userId,
      content: { users: { [world.admin.userId]: 60 } },
    });
  });

  it('grants a level to a user of another server', async () => {
    const roomId = await create({ preset: 'public_chat' });
    expect(await promote(roomId, { user_id: '@remote:elsewhere' })).toMatchObject(done);
    expect((await levelsOf(roomId)).users).toMatchObject({ '@remote:elsewhere': 100 });
  });

  it('making a user administrator of a room is refused when no named user is a member with enough power', async () => {
    const roomId = await create({ preset: 'public_chat' });
    await act(bob, roomId, 'join');
    await setLevels(alice, roomId, { [alice.userId]: 100, [bob.userId]: 10 });
    await act(alice, roomId, 'leave');
    expect(await promote(roomId)).toMatchObject(unknown);
    await act(bob, roomId, 'leave');
    expect(await promote(roomId)).toMatchObject(unknown);
    const empty = await create();
    await act(alice, empty, 'leave');
    expect(await promote(empty)).toMatchObject(unknown);
  });

  it('returns the refusal of the invitation', async () => {
    const roomId = await create();
    await act(alice, roomId, 'ban', { user_id: bob.userId });
    const refused = await promote(roomId, { user_id: bob.userId });
    expect(refused.status).toBe(403);
    const blocked = await create();
    await world.admin.put(path`/_service/admin/v1/rooms/${blocked}/block`, { body: { block: true } });
    expect(await promote(blocked, { user_id: bob.userId })).toMatchObject(refusal(403, 'M_UNKNOWN'));
  });

  it('making a user administrator of a room is performed by creators where they are above all levels', async () => {
    const roomId = await create({ room_version: '12', preset: 'public_chat' });
    await act(bob, roomId, 'join');
    expect(await promote(roomId, { user_id: bob.userId })).toMatchObject(done);
    expect((await levelsOf(roomId)).users).toEqual({ [bob.userId]: 100 });
    expect(await promote(roomId, { user_id: alice.userId })).toMatchObject(done);
    await act(alice, roomId, 'leave');
    expect(await promote(roomId, { user_id: carol.userId })).toMatchObject(done);
    expect((await levelsOf(roomId)).users).toEqual({ [bob.userId]: 100, [carol.userId]: 100 });
  });

  it('reads the body before anything else', async () => {
    const at = '/_service/admin/v1/rooms/nonsense/make_room_admin';
    expect(await world.admin.post(at, { rawBody: '{' })).toMatchObject(refusal(400, 'M_NOT_JSON'));
  });

  describe('is refused for', () => {
    it.each([
      ['nonsense', [], 400, 'M_BAD_JSON'],
      ['nonsense', { user_id: 1 }, 400, 'M_UNKNOWN'],
      ['#unknown:test', {}, 404, 'M_NOT_FOUND'],
      ['#unknown:elsewhere', {}, 502, 'M_UNKNOWN'],
      ['!unknown:test', { user_id: 1 }, 400, 'M_INVALID_PARAM'],
      ['!unknown:test', { user_id: 'nobody' }, 400, 'M_INVALID_PARAM'],
      ['!unknown:test', {}, 400, 'M_UNKNOWN'],
    ])('%s %j', async (room, body, status, errcode) => {
      expect(await promote(room, body)).toMatchObject(refusal(status, errcode));
    });
  });
});
