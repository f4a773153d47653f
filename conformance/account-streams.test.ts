import { type Actor, path } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from './chapter.ts';

const V3 = '/_proto/client/v3';

/** Longer than the test takes, in milliseconds. */
const TYPING_MS = 120_000;

/** What exists of a user in each stream, as administrators and another member of a room see it. */
interface Streams {
  /** How many messages wait for the device; undefined where it is gone. */
  readonly waiting: number | undefined;
  readonly pushers: number;
  /** Whether there is the push rule that the user has made. */
  readonly pushRule: boolean;
  readonly receipt: boolean;
  readonly typing: boolean;
  /** Whether the other member finds what the user has written. */
  readonly found: boolean;
}

/** What acts on a user, or on the room. */
interface Scene {
  readonly user: Actor;
  readonly roomId: string;
}

const ALL: Streams = {
  waiting: 1,
  pushers: 1,
  pushRule: true,
  receipt: true,
  typing: true,
  found: true,
};
const WITHOUT_DEVICE: Streams = { ...ALL, waiting: undefined, pushers: 0 };
const DEACTIVATED: Streams = { ...WITHOUT_DEVICE, pushRule: false, receipt: false, typing: false };

chapter('8 Account conditions: streams', (world) => {
  const begin = async () => {
    const [user, other] = [await world.user(), await world.user()];
    const { body: room } = await other.post<{ room_id: string }>(`${V3}/createRoom`, {
      body: { preset: 'public_chat' },
    });
    const roomId = room.room_id;
    await user.post(path`/_proto/client/v3/join/${roomId}`, { body: {} });
    const inRoom = (rest: string) => `${path`/_proto/client/v3/rooms/${roomId}`}${rest}`;
    const word = world.freshName('word');
    const said = await user.put<{ event_id: string }>(inRoom('/send/m.room.message/1'), {
      body: { msgtype: 'm.text', body: word },
    });
    await user.post(inRoom(path`/receipt/m.read/${said.body.event_id}`), { body: {} });
    await user.put(inRoom(path`/typing/${user.userId}`), { body: { typing: true, timeout: TYPING_MS } });
    await user.post(`${V3}/pushers/set`, {
      body: {
        app_id: 'app',
        pushkey: user.userId,
        kind: 'http',
        app_display_name: 'App',
        device_display_name: 'Phone',
        lang: 'en',
        data: { url: 'https://push.example.org/_matrix/push/v1/notify' },
      },
    });
    await user.put(path`/_proto/client/v3/pushrules/global/content/${word}`, {
      body: { pattern: word, actions: ['notify'] },
    });
    await other.put(`${V3}/sendToDevice/test.type/1`, {
      body: { messages: { [user.userId]: { [user.deviceId]: {} } } },
    });
    const streams = async (): Promise<Streams> => {
      const ofUser = path`/_service/admin/v1/users/${user.userId}`;
      const { devices } = (
        await world.admin.get<{ devices: { device_id: string; waiting_messages: number }[] }>(
          `${ofUser}/encryption`,
        )
      ).body;
      const pushers = await world.admin.get<{ total: number }>(`${ofUser}/pushers`);
      const accountData = await world.admin.get(`${ofUser}/accountdata`);
      const receipts = await world.admin.get(path`/_service/admin/v1/rooms/${roomId}/receipts`);
      const synced = (
        await other.get<{ rooms?: { join?: Record<string, unknown> } }>(`${V3}/sync`, {
          query: { timeout: 0 },
        })
      ).body;
      const search = { search_categories: { room_events: { search_term: word, order_by: 'recent' } } };
      const found = await other.post<{ search_categories: { room_events: { count: number } } }>(
        `${V3}/search`,
        { body: search },
      );
      const typing = JSON.stringify(synced.rooms?.join?.[roomId] ?? {}).match(/"user_ids":\[([^\]]*)\]/);
      return {
        waiting: devices.find(({ device_id }) => device_id === user.deviceId)?.waiting_messages,
        pushers: pushers.body.total,
        pushRule: accountData.text.includes(word),
        receipt: receipts.text.includes(user.userId),
        typing: typing?.[1]?.includes(user.userId) === true,
        found: found.body.search_categories.room_events.count > 0,
      };
    };
    return { user, roomId, streams };
  };

  it.each<[what: string, act: (scene: Scene) => Promise<unknown>, left: Streams]>([
    ['nothing is done', async () => {}, ALL],
    [
      'the device is deleted',
      ({ user }) =>
        world.admin.delete(path`/_service/admin/v2/users/${user.userId}/devices/${user.deviceId}`),
      WITHOUT_DEVICE,
    ],
    ['the user logs out', ({ user }) => user.post(`${V3}/logout`), WITHOUT_DEVICE],
    [
      'the account is deactivated',
      ({ user }) => world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`),
      DEACTIVATED,
    ],
    [
      'the account is erased',
      ({ user }) =>
        world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`, { body: { erase: true } }),
      DEACTIVATED,
    ],
    [
      'the account is locked',
      ({ user }) =>
        world.admin.put(path`/_service/admin/v2/users/${user.userId}`, { body: { locked: true } }),
      ALL,
    ],
    [
      'the account is shadow-banned',
      ({ user }) => world.admin.post(path`/_service/admin/v1/users/${user.userId}/shadow_ban`),
      ALL,
    ],
    [
      'the room is purged',
      ({ roomId }) => world.admin.delete(path`/_service/admin/v1/rooms/${roomId}`, { body: { purge: true } }),
      { ...ALL, receipt: false, typing: false, found: false },
    ],
  ])(
    'when %s, each stream of the user is kept or removed as the conditions of accounts say',
    async (_, act, left) => {
      const { user, roomId, streams } = await begin();
      expect(await streams()).toEqual(ALL);
      await act({ user, roomId });
      await world.whenIdle();
      await expect.poll(streams).toEqual(left);
    },
  );
});
