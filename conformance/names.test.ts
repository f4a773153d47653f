import { expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const ADMIN = '/_service/admin';

/** A query with one parameter that is given for each id. */
const queryOf = (parameter: string, ids: readonly string[]) =>
  ids.map((id) => `${parameter}=${encodeURIComponent(id)}`).join('&');

chapter('Names of users and rooms', (world) => {
  const namesOf = (of: 'user' | 'room', ids: readonly string[]) =>
    world.admin.get<Record<string, unknown>>(`${ADMIN}/v1/${of}_names?${queryOf(`${of}_id`, ids)}`);

  it('names users with their states, and leaves out those without an account', async () => {
    const [named, locked, gone] = [
      world.userId(world.freshName('n')),
      await world.account(),
      await world.account(),
    ];
    await world.admin.put(`${ADMIN}/v2/users/${encodeURIComponent(named)}`, {
      body: { displayname: 'Zoë 🦊', avatar_url: 'mxc://elsewhere.example/fox' },
    });
    await world.admin.put(`${ADMIN}/v2/users/${encodeURIComponent(locked)}`, { body: { locked: true } });
    await world.admin.post(`${ADMIN}/v1/deactivate/${encodeURIComponent(gone)}`, { body: {} });
    const odd = ['@zoe:elsewhere.example', 'no id', '@\0:test', ''];
    const { status, body } = await namesOf('user', [named, locked, gone, named, ...odd]);
    expect({ status, users: body.users }).toEqual({
      status: 200,
      users: {
        [named]: {
          displayname: 'Zoë 🦊',
          avatar_url: 'mxc://elsewhere.example/fox',
          deactivated: false,
          locked: false,
          suspended: false,
        },
        [locked]: expect.objectContaining({ locked: true, deactivated: false }),
        [gone]: expect.objectContaining({ avatar_url: null, deactivated: true }),
      },
    });
  });

  it('names rooms, and leaves out those that the server does not know', async () => {
    const owner = await world.user();
    const roomOf = async (body: object) =>
      (await owner.post<{ room_id: string }>('/_proto/client/v3/createRoom', { body })).body.room_id;
    const alias = world.freshName('alias');
    const space = await roomOf({
      name: 'Räume',
      room_alias_name: alias,
      creation_content: { type: 'm.space' },
      initial_state: [{ type: 'm.room.avatar', content: { url: 'mxc://elsewhere.example/house' } }],
    });
    const plain = await roomOf({});
    const { status, body } = await namesOf('room', [space, plain, '!gone:elsewhere.example', '\0']);
    expect({ status, rooms: body.rooms }).toEqual({
      status: 200,
      rooms: {
        [space]: {
          name: 'Räume',
          canonical_alias: expect.stringContaining(alias),
          avatar: 'mxc://elsewhere.example/house',
          room_type: 'm.space',
        },
        [plain]: { name: null, canonical_alias: null, avatar: null, room_type: null },
      },
    });
  });

  it.each(['user', 'room'] as const)(
    'names at most 100 %ss at once, and none if none is asked for',
    async (of) => {
      const ids = Array.from({ length: 101 }, (_, index) => `@${index}:test`);
      expect(await namesOf(of, ids)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
      expect(await namesOf(of, ids.slice(1))).toMatchObject({ status: 200, body: { [`${of}s`]: {} } });
      expect(await namesOf(of, [])).toMatchObject({ status: 200, body: { [`${of}s`]: {} } });
    },
  );
});
