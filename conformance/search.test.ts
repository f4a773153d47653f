import { type Actor, path } from '@steward/testing';
import { expect, it } from 'vitest';
import { pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const V3 = '/_proto/client/v3';

interface Found {
  readonly count: number;
  readonly highlights: readonly string[];
  readonly results: readonly {
    readonly rank: number;
    readonly result: { readonly event_id: string; readonly content: { readonly body?: string } };
    readonly context?: {
      readonly events_before: readonly { readonly event_id: string }[];
      readonly events_after: readonly { readonly event_id: string }[];
      readonly profile_info?: object;
    };
  }[];
  readonly state?: Readonly<Record<string, readonly { readonly type: string }[]>>;
  readonly groups?: object;
  readonly next_batch?: string;
}

let transactions = 0;

pairedChapter('12 Search', (world) => {
  const roomOf = async (creator: Actor, options: object = {}) => {
    const { body } = await creator.post<{ room_id: string }>(`${V3}/createRoom`, {
      body: { preset: 'public_chat', ...options },
    });
    return body.room_id;
  };
  const join = (user: Actor, roomId: string) =>
    user.post(path`/_proto/client/v3/join/${roomId}`, { body: {} });
  const say = async (user: Actor, roomId: string, text: string) => {
    const txn = `t${transactions++}`;
    const at = path`/_proto/client/v3/rooms/${roomId}/send/m.room.message/${txn}`;
    const { body } = await user.put<{ event_id: string }>(at, { body: { msgtype: 'm.text', body: text } });
    return body.event_id;
  };
  const request = (user: Actor, term: string, more: object = {}, query = {}) =>
    user.post<{ search_categories: { room_events: Found } }>(`${V3}/search`, {
      body: { search_categories: { room_events: { search_term: term, order_by: 'recent', ...more } } },
      query,
    });
  const find = async (user: Actor, term: string, more: object = {}, query = {}) => {
    const { status, body } = await request(user, term, more, query);
    expect(status).toBe(200);
    return body.search_categories.room_events;
  };
  const idsOf = ({ results }: Found) => results.map(({ result }) => result.event_id);

  it('finds messages, names and topics by all of their words, newest first', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const room = await roomOf(alice, { name: 'Quokka garden', topic: 'Where a Quokka lives' });
    const first = await say(alice, room, 'The QUOKKA, again: a quokka!');
    const second = await say(alice, room, 'no quokka here; 日本語');
    await join(bob, room);
    const found = await find(bob, 'quokka');
    expect(found).toMatchObject({ count: 4, highlights: ['quokka'] });
    expect(idsOf(found).slice(0, 2)).toEqual([second, first]);
    expect(idsOf(await find(bob, 'here Quokka'))).toEqual([second]);
    expect(idsOf(await find(bob, '日本'))).toEqual([second]);
    expect(idsOf(await find(bob, 'quokka', { keys: ['content.body'], order_by: 'rank' }))).toEqual([
      first,
      second,
    ]);
    expect((await find(bob, 'quokka', { keys: ['content.name', 'content.topic'] })).count).toBe(2);
    expect(idsOf(await find(bob, 'quokka', { filter: { not_rooms: [room] } }))).toEqual([]);
    expect(idsOf(await find(bob, '!?'))).toEqual([]);
    expect(idsOf(await find(bob, 'quokk'))).toEqual([]);
  });

  it('finds only what the user may see', async () => {
    const [alice, bob, carol] = [await world.user(), await world.user(), await world.user()];
    const visibility = { type: 'm.room.history_visibility', content: { history_visibility: 'joined' } };
    const room = await roomOf(alice, { initial_state: [visibility] });
    await say(alice, room, 'wombat before');
    await join(bob, room);
    const after = await say(alice, room, 'wombat after');
    const redacted = await say(alice, room, 'wombat redacted');
    await alice.put(path`/_proto/client/v3/rooms/${room}/redact/${redacted}/x`, { body: {} });
    const found = await find(bob, 'wombat');
    expect([idsOf(found), found.count]).toEqual([[after], 1]);
    expect(idsOf(await find(alice, 'wombat'))).toHaveLength(2);
    expect(await find(carol, 'wombat')).toMatchObject({ count: 0, results: [] });
    const ignored = path`/_proto/client/v3/user/${bob.userId}/account_data/m.ignored_user_list`;
    await bob.put(ignored, { body: { ignored_users: { [alice.userId]: {} } } });
    await expect.poll(async () => idsOf(await find(bob, 'wombat'))).toEqual([]);
    await bob.put(ignored, { body: { ignored_users: {} } });
    await expect.poll(async () => idsOf(await find(bob, 'wombat'))).toEqual([after]);
    await bob.post(path`/_proto/client/v3/rooms/${room}/leave`, { body: {} });
    expect(idsOf(await find(bob, 'wombat'))).toEqual([]);
    await world.admin.put(path`/_service/admin/v2/users/${alice.userId}`, {
      body: { deactivated: true, erase: true },
    });
    await join(carol, room);
    expect(idsOf(await find(carol, 'wombat'))).toEqual([]);
  });

  it('has pages, groups, the events around a result, and the state of the rooms', async () => {
    const alice = await world.user();
    const room = await roomOf(alice);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await say(alice, room, `numbat ${n}`));
    const newest = ids.toReversed();
    const filter = { limit: 2 };
    const pages: string[][] = [];
    let token: string | undefined;
    do {
      const page = await find(alice, 'numbat', { filter }, token === undefined ? {} : { next_batch: token });
      pages.push(idsOf(page));
      token = page.next_batch;
    } while (token !== undefined);
    expect(pages).toEqual([newest.slice(0, 2), newest.slice(2, 4), newest.slice(4)]);

    const { results, groups, state } = await find(alice, '2 numbat', {
      event_context: { before_limit: 1, after_limit: 2, include_profile: true },
      groupings: { group_by: [{ key: 'room_id' }, { key: 'sender' }] },
      include_state: true,
    });
    const [{ context } = {}] = results;
    expect(context?.events_before.map(({ event_id }) => event_id)).toEqual([ids[1]]);
    expect(context?.events_after.map(({ event_id }) => event_id)).toEqual([ids[3], ids[4]]);
    expect(context?.profile_info).toMatchObject({ [alice.userId]: { displayname: alice.localpart } });
    expect(groups).toEqual({
      room_id: { [room]: { order: 0, results: [ids[2]] } },
      sender: { [alice.userId]: { order: 0, results: [ids[2]] } },
    });
    expect(state?.[room]?.map(({ type }) => type)).toContain('m.room.create');
  });

  it.each([
    ['no categories', {}, 'M_MISSING_PARAM'],
    ['no term', { search_categories: { room_events: {} } }, 'M_MISSING_PARAM'],
    [
      'an unknown key',
      { search_categories: { room_events: { search_term: 'a', keys: ['x'] } } },
      'M_INVALID_PARAM',
    ],
    [
      'an unknown order',
      { search_categories: { room_events: { search_term: 'a', order_by: 'x' } } },
      'M_INVALID_PARAM',
    ],
  ])('a search is refused with %s', async (_, body, errcode) => {
    const user = await world.user();
    expect(await user.post(`${V3}/search`, { body })).toMatchObject(refusal(400, errcode));
    expect(await request(user, 'a', {}, { next_batch: 'x' })).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
  });
});
