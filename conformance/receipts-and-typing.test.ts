import { type Actor, path } from '@steward/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pairedChapter } from './chapter.ts';

const V3 = '/_proto/client/v3';

/** Longer than any notification of a waiting client takes. */
const LONG_MS = 50_000;

interface Event {
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
}

interface Synced {
  readonly next_batch: string;
  readonly rooms?: {
    readonly join?: Readonly<
      Record<
        string,
        {
          readonly unread_notifications?: object;
          readonly unread_thread_notifications?: object;
          readonly ephemeral: { readonly events: readonly Event[] };
          readonly account_data: { readonly events?: readonly Event[] };
        }
      >
    >;
  };
}

let transactions = 0;

pairedChapter('12 Receipts, read markers, typing, unread counts', (world) => {
  const roomOf = async (...members: readonly Actor[]) => {
    const [creator, ...others] = members;
    const { body } = await (creator as Actor).post<{ room_id: string }>(`${V3}/createRoom`, {
      body: { preset: 'public_chat' },
    });
    for (const other of others) await other.post(path`/_proto/client/v3/join/${body.room_id}`, { body: {} });
    return body.room_id;
  };
  const say = async (user: Actor, roomId: string, content: object = {}) => {
    const txn = `t${transactions++}`;
    const at = path`/_proto/client/v3/rooms/${roomId}/send/m.room.message/${txn}`;
    const { body } = await user.put<{ event_id: string }>(at, {
      body: { msgtype: 'm.text', body: 'x', ...content },
    });
    return body.event_id;
  };
  const read = (user: Actor, roomId: string, eventId: string, type = 'm.read', body: object = {}) =>
    user.post(path`/_proto/client/v3/rooms/${roomId}/receipt/${type}/${eventId}`, { body });
  const markers = (user: Actor, roomId: string, body: object) =>
    user.post(path`/_proto/client/v3/rooms/${roomId}/read_markers`, { body });
  const type = (user: Actor, roomId: string, typing: boolean, timeout?: number) =>
    user.put(path`/_proto/client/v3/rooms/${roomId}/typing/${user.userId}`, { body: { typing, timeout } });

  /** What the client of a user learns of a room from now on; each call returns what is new. */
  const follow = async (device: Actor, roomId: string) => {
    const sync = async (since?: string, timeout = 0) =>
      (await device.get<Synced>(`${V3}/sync`, { query: { timeout, ...(since ? { since } : {}) } })).body;
    const contents = ({ rooms }: Synced, of: string) => {
      const room = rooms?.join?.[roomId];
      return [...(room?.ephemeral.events ?? []), ...(room?.account_data.events ?? [])].flatMap((event) =>
        event.type === of ? [event.content] : [],
      );
    };
    let since = (await sync()).next_batch;
    return {
      async all(of: string) {
        return contents(await sync(), of);
      },
      /** Syncs until there are such events, because notifications of different things may come one by one. */
      async next(of: string) {
        for (;;) {
          const synced = await sync(since, LONG_MS);
          since = synced.next_batch;
          const found = contents(synced, of);
          if (found.length > 0) return found;
        }
      },
      async now(of: string) {
        const synced = await sync(since);
        since = synced.next_batch;
        return contents(synced, of);
      },
    };
  };
  const receipt = (user: Actor, eventId: string, of = 'm.read', thread?: string) => ({
    [eventId]: {
      [of]: { [user.userId]: { ts: expect.any(Number), ...(thread ? { thread_id: thread } : {}) } },
    },
  });

  it('a receipt reaches the members of a room, and only moves forward', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const room = await roomOf(alice, bob);
    const [first, second] = [await say(alice, room), await say(alice, room)];
    const hers = await follow(alice, room);
    const [woken] = await Promise.all([hers.next('m.receipt'), read(bob, room, second)]);
    expect(woken).toEqual([receipt(bob, second)]);
    expect(await read(bob, room, first)).toMatchObject({ status: 200, body: {} });
    expect(await read(bob, room, second)).toMatchObject({ status: 200 });
    expect(await read(bob, room, '$unknown')).toMatchObject({ status: 200 });
    expect(await hers.now('m.receipt')).toEqual([]);
    expect(await hers.all('m.receipt')).toEqual([receipt(bob, second)]);
    const third = await say(alice, room);
    await read(bob, room, third);
    expect(await hers.next('m.receipt')).toEqual([receipt(bob, third)]);
  });

  it('administrators who may read content see how far users have read a room', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const room = await roomOf(alice, bob);
    const target = path`/_service/admin/v1/rooms/${room}/receipts`;
    const list = async (query = {}) => (await world.admin.get(target, { query })).body;
    expect(await list()).toEqual({ receipts: [], total: 0 });
    const event = await say(alice, room);
    await read(alice, room, event);
    await read(bob, room, event, 'm.read.private', { thread_id: 'main' });
    await markers(bob, room, { 'm.fully_read': event });
    const of = (user: Actor, type: string) => ({
      user_id: user.userId,
      type,
      event_id: event,
      ts: expect.any(Number),
    });
    const [newest, oldest] = [{ ...of(bob, 'm.read.private'), thread_id: 'main' }, of(alice, 'm.read')];
    expect(await list()).toEqual({ receipts: [newest, oldest], total: 2 });
    expect(await list({ limit: 1 })).toEqual({ receipts: [newest], next_token: '1', total: 2 });
    expect(await list({ limit: 1, from: 1 })).toEqual({ receipts: [oldest], total: 2 });
    expect(await alice.get(target)).toMatchObject({ status: 403 });
  });

  it('a private receipt, and the marker of all that was read, reach the clients of their user only', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const second = await world.login(bob);
    const room = await roomOf(alice, bob);
    const [early, late] = [await say(alice, room), await say(alice, room)];
    const [hers, his] = [await follow(alice, room), await follow(second, room)];
    const [woken] = await Promise.all([
      his.next('m.receipt'),
      markers(bob, room, { 'm.fully_read': late, 'm.read.private': late }),
    ]);
    expect(woken).toEqual([receipt(bob, late, 'm.read.private')]);
    await markers(bob, room, { 'm.fully_read': early });
    expect(await his.all('m.fully_read')).toEqual([{ event_id: late }]);
    expect(await hers.now('m.receipt')).toEqual([]);
    expect(await hers.all('m.receipt')).toEqual([]);
  });

  it('threads have receipts of their own', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const room = await roomOf(alice, bob);
    const root = await say(alice, room);
    const reply = await say(alice, room, {
      'm.relates_to': { rel_type: 'm.thread', event_id: root },
    });
    const hers = await follow(alice, room);
    await read(bob, room, reply, 'm.read', { thread_id: root });
    await read(bob, room, root, 'm.read', { thread_id: 'main' });
    await read(bob, room, reply);
    expect(await hers.all('m.receipt')).toEqual([
      { ...receipt(bob, reply, 'm.read', root), ...receipt(bob, root, 'm.read', 'main') },
      receipt(bob, reply),
    ]);
  });

  it('a user is typing until they stop, send a message, leave, or their time is up', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const room = await roomOf(alice, bob);
    const hers = await follow(alice, room);
    const typing = (...users: readonly Actor[]) => [{ user_ids: users.map(({ userId }) => userId) }];
    for (const stop of [
      () => type(bob, room, false),
      () => say(bob, room),
      () => bob.post(path`/_proto/client/v3/rooms/${room}/leave`, { body: {} }),
    ]) {
      const [begun] = await Promise.all([hers.next('m.typing'), type(bob, room, true, 60_000)]);
      expect(begun).toEqual(typing(bob));
      expect(await hers.now('m.typing')).toEqual([]);
      expect(await hers.all('m.typing')).toEqual(typing(bob));
      await stop();
      expect(await hers.next('m.typing')).toEqual(typing());
    }
    expect(await hers.all('m.typing')).toEqual([]);
    await type(alice, room, true, 1);
    await expect.poll(() => hers.all('m.typing')).toEqual([]);
  });

  it('what ignored users do is not shown', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const room = await roomOf(alice, bob);
    const event = await say(alice, room);
    await alice.put(path`/_proto/client/v3/user/${alice.userId}/account_data/m.ignored_user_list`, {
      body: { ignored_users: { [bob.userId]: {} } },
    });
    const hers = await follow(alice, room);
    await type(bob, room, true);
    await read(bob, room, event);
    expect(await hers.now('m.typing')).toEqual([]);
    expect(await hers.all('m.receipt')).toEqual([]);
  });

  /** The unread counts of a room in a whole sync, of threads apart if `threads`. */
  const unread = async (device: Actor, roomId: string, threads = false) => {
    const filter = JSON.stringify({ room: { timeline: { unread_thread_notifications: threads } } });
    const { body } = await device.get<Synced>(`${V3}/sync`, { query: { filter } });
    const { unread_notifications: all, unread_thread_notifications } = body.rooms?.join?.[roomId] ?? {};
    return { ...all, ...(unread_thread_notifications ? { threads: unread_thread_notifications } : {}) };
  };
  const counts = (notification_count: number, highlight_count = 0) => ({
    notification_count,
    highlight_count,
  });

  it('unread messages are counted by the push rules, up to the receipt', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const other = await world.user();
    const room = await roomOf(alice, bob, other);
    expect(await unread(bob, room)).toEqual(counts(0));
    await say(alice, room);
    const mention = await say(alice, room, { 'm.mentions': { user_ids: [bob.userId] } });
    await say(alice, room, { msgtype: 'm.notice' });
    await say(bob, room);
    const last = await say(other, room, { body: `hello ${bob.userId.slice(1, bob.userId.indexOf(':'))}` });
    expect(await unread(bob, room)).toEqual(counts(3, 2));
    // Only one of them may call the whole room.
    await say(alice, room, { 'm.mentions': { room: true } });
    await say(other, room, { 'm.mentions': { room: true } });
    expect(await unread(bob, room)).toEqual(counts(5, 3));
    expect(await unread(alice, room)).toEqual(counts(3));
    await read(bob, room, mention, 'm.read.private');
    expect(await unread(bob, room)).toEqual(counts(3, 2));
    await read(bob, room, last);
    expect(await unread(bob, room)).toEqual(counts(2, 1));
    await read(bob, room, await say(alice, room));
    expect(await unread(bob, room)).toEqual(counts(0));
    const at = path`/_proto/client/v3/pushrules/global/room/${room}`;
    expect(await bob.put(at, { body: { actions: [] } })).toMatchObject({ status: 200 });
    await say(alice, room);
    expect(await unread(bob, room)).toEqual(counts(0));
    await bob.delete(at);
    await expect.poll(() => unread(bob, room)).toEqual(counts(1));
  });

  it('notifications are listed over all rooms, page by page, those that highlight alone if asked for', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const rooms = [await roomOf(alice, bob), await roomOf(alice, bob)] as const;
    const sent: string[] = [];
    for (const room of [...rooms, ...rooms]) sent.push(await say(alice, room));
    const mention = await say(alice, rooms[0], { 'm.mentions': { user_ids: [bob.userId] } });
    await say(bob, rooms[0]);
    await say(alice, rooms[1], { msgtype: 'm.notice' });
    await read(bob, rooms[0], sent[2] ?? '');
    const list = async (query: string) => {
      const found: { readonly event: { readonly event_id: string }; readonly read: boolean }[] = [];
      for (let from = ''; ; ) {
        const { status, body } = await bob.get<{ notifications: typeof found; next_token?: string }>(
          `${V3}/notifications?limit=2${query}${from}`,
        );
        expect(status).toBe(200);
        found.push(...body.notifications);
        if (body.next_token === undefined) return found;
        from = `&from=${body.next_token}`;
      }
    };
    const all = await list('');
    const idsOf = (found: typeof all) => found.map(({ event }) => event.event_id);
    expect(new Set(idsOf(all))).toEqual(new Set([...sent, mention]));
    expect(all).toHaveLength(5);
    expect(new Set(idsOf(all.filter((each) => each.read)))).toEqual(new Set([sent[0], sent[2]]));
    expect(all.find(({ event }) => event.event_id === mention)).toMatchObject({
      room_id: rooms[0],
      read: false,
      actions: expect.arrayContaining(['notify']) as unknown,
      event: { sender: alice.userId, type: 'm.room.message' },
    });
    expect(idsOf(await list('&only=highlight'))).toEqual([mention]);
    expect(await bob.get(`${V3}/notifications?from=x`)).toMatchObject({ status: 400 });
    expect(await bob.get(`${V3}/notifications?limit=0`)).toMatchObject({ status: 400 });
  });

  it('unread messages of threads are counted apart if the filter says so', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const room = await roomOf(alice, bob);
    const root = await say(alice, room);
    const inThread = { 'm.relates_to': { rel_type: 'm.thread', event_id: root } };
    const reply = await say(alice, room, inThread);
    await say(alice, room, inThread);
    expect(await unread(bob, room)).toEqual(counts(3));
    expect(await unread(bob, room, true)).toEqual({ ...counts(1), threads: { [root]: counts(2) } });
    await read(bob, room, reply, 'm.read', { thread_id: root });
    expect(await unread(bob, room, true)).toEqual({ ...counts(1), threads: { [root]: counts(1) } });
    await read(bob, room, root, 'm.read', { thread_id: 'main' });
    expect(await unread(bob, room)).toEqual(counts(1));
    await read(bob, room, reply);
    expect(await unread(bob, room, true)).toEqual({ ...counts(0), threads: { [root]: counts(1) } });
  });

  it('messages before a user has joined, and of ignored users, are not counted', async () => {
    const [alice, bob, carol] = [await world.user(), await world.user(), await world.user()];
    const room = await roomOf(alice, carol);
    await say(alice, room);
    await bob.post(path`/_proto/client/v3/join/${room}`, { body: {} });
    await bob.put(path`/_proto/client/v3/profile/${bob.userId}/displayname`, {
      body: { displayname: 'Bob' },
    });
    await bob.put(path`/_proto/client/v3/user/${bob.userId}/account_data/m.ignored_user_list`, {
      body: { ignored_users: { [carol.userId]: {} } },
    });
    await say(alice, room);
    await say(carol, room);
    expect(await unread(bob, room)).toEqual(counts(1));
  });

  it('unread counts follow any order of messages, replies in threads, redactions and receipts', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ does: fc.constant('say'), thread: fc.boolean(), mentions: fc.boolean() }),
      },
      fc.record({ does: fc.constantFrom('redact', 'read'), nth: fc.nat() }),
      fc.record({ does: fc.constant('read'), nth: fc.nat(), ofThread: fc.constant(true) }),
    );
    const story = async (steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) => {
      const room = await roomOf(alice, bob);
      const root = await say(alice, room);
      const said = [{ id: root, thread: 'main', highlights: false, isRedacted: false }];
      const readUpTo = new Map([
        ['', -1],
        ['main', -1],
        [root, -1],
      ]);
      for (const next of steps) {
        if ('thread' in next) {
          const { thread, mentions } = next;
          const id = await say(alice, room, {
            ...(thread ? { 'm.relates_to': { rel_type: 'm.thread', event_id: root } } : {}),
            ...(mentions ? { 'm.mentions': { user_ids: [bob.userId] } } : {}),
          });
          said.push({ id, thread: thread ? root : 'main', highlights: mentions, isRedacted: false });
        } else {
          const n = next.nth % said.length;
          const event = said[n] as (typeof said)[number];
          if (next.does === 'redact') {
            const at = path`/_proto/client/v3/rooms/${room}/redact/${event.id}/${`t${transactions++}`}`;
            expect(await alice.put(at, { body: {} })).toMatchObject({ status: 200 });
            event.isRedacted = true;
          } else {
            const thread = 'ofThread' in next ? event.thread : '';
            await read(bob, room, event.id, 'm.read', thread === '' ? {} : { thread_id: thread });
            readUpTo.set(thread, Math.max(readUpTo.get(thread) ?? -1, n));
          }
        }
        const left = said.filter(
          ({ thread, isRedacted }, n) =>
            !isRedacted && n > (readUpTo.get('') ?? -1) && n > (readUpTo.get(thread) ?? -1),
        );
        const expected = counts(left.length, left.filter(({ highlights }) => highlights).length);
        // Two devices of one user are counted for at the same time.
        expect(await Promise.all([unread(bob, room), unread(bob, room)])).toEqual([expected, expected]);
      }
    };
    const steps = fc.array(step, { minLength: 8, maxLength: 24 });
    await fc.assert(fc.asyncProperty(steps, story), { numRuns: 5 });
  });
});
