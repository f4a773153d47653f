import { type Actor, path } from '@steward/testing';
import { beforeAll, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { uploadFile, uriOf } from './media-files.ts';
import { refusal } from './refusal.ts';

const ADMIN = '/_service/admin';
const CLIENT = '/_proto/client/v3';

interface Entry {
  readonly type: string;
  readonly ts: number;
  readonly [field: string]: unknown;
}

interface Page {
  readonly activity: readonly Entry[];
  readonly next_token?: string;
  readonly omitted: readonly string[];
}

chapter('Activity of a user', (world) => {
  let alice: Actor;
  let bob: Actor;
  let room: string;
  let medium: string;
  beforeAll(async () => {
    alice = await world.user('alice');
    bob = await world.user('bob');
    const post = async (user: Actor, target: string, body: object = {}) => {
      const reply = await user.post<Record<string, string>>(`${CLIENT}${target}`, { body });
      expect(reply.status, reply.text).toBe(200);
      return reply.body;
    };
    room = (await post(alice, '/createRoom', { preset: 'public_chat' })).room_id ?? '';
    await post(bob, path`/join/${room}`);
    medium = await uploadFile(alice, { type: 'image/png' });
    const send = path`${CLIENT}/rooms/${room}/send/m.room.message/t`.replace(
      encodeURIComponent(CLIENT),
      CLIENT,
    );
    const event = await alice.put<{ event_id: string }>(send, { body: { msgtype: 'm.text', body: 'x' } });
    await post(bob, path`/rooms/${room}/report/${event.body.event_id}`, { reason: 'Rude' });
    await post(bob, path`/users/${alice.userId}/report`, { reason: 'Rude' });
    await post(alice, path`/rooms/${room}/report`, { reason: 'Loud' });
    await post(bob, path`/rooms/${room}/leave`);
    const suspended = { body: { suspend: true } };
    await world.admin.put(path`/_service/admin/v1/suspend/${alice.userId}`, suspended);
  });

  const read = async (user: Actor, query: object = {}, by = world.admin) => {
    const target = path`/_service/admin/v1/users/${user.userId}/activity`;
    const reply = await by.get<Page>(target, { query: query as Record<string, string> });
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  };

  it('activity of a user is one timeline of what the user did and what concerned the user', async () => {
    await expect
      .poll(async () => (await read(alice)).activity.map(({ type }) => type), { timeout: 30_000 })
      .toEqual(expect.arrayContaining(['change', 'address', 'sign_in']));
    const { activity, omitted } = await read(alice);
    expect(omitted).toEqual([]);
    expect(activity.map(({ ts }) => ts)).toEqual(activity.map(({ ts }) => ts).toSorted((a, b) => b - a));
    const of = (type: string) => activity.filter((entry) => entry.type === type);
    expect(of('sign_in')).toEqual([
      expect.objectContaining({ device_id: expect.any(String), address: expect.stringMatching(/./) }),
    ]);
    expect(of('address')).toMatchObject([{ address: of('sign_in')[0]?.address }]);
    expect(of('membership')).toMatchObject([
      { room_id: room, membership: 'join', previous_membership: 'none', sender: alice.userId },
    ]);
    expect(of('media')).toMatchObject([{ content_uri: uriOf(world, medium), media_type: 'image/png' }]);
    expect(of('report_received')).toHaveLength(2);
    expect(of('report_received')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ report_id: expect.stringMatching(/^user-/), reporter: bob.userId }),
        expect.objectContaining({ report_id: expect.stringMatching(/^event-/), room_id: room }),
      ]),
    );
    expect(of('report_made')).toMatchObject([{ report_id: expect.stringMatching(/^room-/), room_id: room }]);
    expect(of('change')).toContainEqual(
      expect.objectContaining({ event: expect.objectContaining({ type: 'account.suspended' }) }),
    );
    // Each entry has the fields of its type only.
    expect(Object.keys(of('media')[0] ?? {}).sort()).toEqual(
      ['content_uri', 'media_length', 'media_type', 'ts', 'type'].sort(),
    );
  });

  it('activity of a user is read page by page, and by type', async () => {
    const whole = await read(bob);
    const types = new Set(whole.activity.map(({ type }) => type));
    expect(types).toContain('report_made');
    const paged: Entry[] = [];
    let from: string | undefined;
    do {
      const page = await read(bob, { limit: 2, ...(from === undefined ? {} : { from }) });
      expect(page.activity.length).toBeLessThanOrEqual(2);
      paged.push(...page.activity);
      from = page.next_token;
    } while (from !== undefined);
    const isStable = ({ type }: Entry) => type !== 'address' && type !== 'change';
    expect(paged.filter(isStable)).toEqual(whole.activity.filter(isStable));
    const memberships = await read(bob, { type: 'membership' });
    // Of one millisecond, they are in no particular order.
    expect(memberships.activity.map(({ membership }) => membership).toSorted()).toEqual(['join', 'leave']);
    expect((await read(bob, { limit: 0 })).activity).toEqual([]);
    expect((await read({ ...bob, userId: "@nobody'\u0000:ünknown" } as Actor)).activity).toEqual([]);
    const target = path`/_service/admin/v1/users/${bob.userId}/activity`;
    for (const query of ['from=x', 'type=none', 'limit=-1'])
      expect(await world.admin.get(target, { query })).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
  });

  it('leaves out what the caller has no scope for, and says so', async () => {
    const reader = await world.user('activity-reader');
    const name = 'activity-reader';
    await world.admin.post(`${ADMIN}/v1/roles`, {
      body: { name, description: '', scopes: ['users:read', 'media:read', 'events:read'] },
    });
    await world.admin.put(path`/_service/admin/v1/users/${reader.userId}/roles`, { body: { roles: [name] } });
    const { activity, omitted } = await read(alice, {}, reader);
    expect(omitted).toEqual(['membership', 'report_made', 'report_received']);
    const types = new Set(activity.map(({ type }) => type));
    expect([...types].filter((type) => omitted.includes(type))).toEqual([]);
    expect(types).toContain('media');
    expect((await read(alice, { type: 'membership' }, reader)).omitted).toEqual(['membership']);
  });
});
