import { openSqliteStore, type Store } from '@steward/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Rooms } from '../../peers/rooms.ts';
import type { Users } from '../../peers/users.ts';
import type { Deps } from '../deps.ts';
import { noticeRooms } from '../model/notice-room.ts';
import { deliverNotice } from './deliver-notice.ts';

const USER = '@user:test';
const notices = {
  enabled: true,
  sender: '@notices:test',
  localpart: 'notices',
  displayName: 'Notices',
  avatarUrl: undefined,
  roomName: 'Notices',
  roomAvatarUrl: undefined,
  roomTopic: undefined,
  autoJoin: false,
};
const notice = { userId: USER, type: 'm.room.message', stateKey: undefined, content: '{}', transaction: 'x' };

let store: Store;
/** The existing rooms, with the transactions that sent a notice there; a room without the reader is unusable. */
let rooms: Map<string, { reader: boolean; readonly sent: Set<string> }>;
let tagged: string[];
/** Calls that fail as if the process crashed before them, by name. */
let crashPoints: string[];

beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  rooms = new Map();
  tagged = [];
  crashPoints = [];
});
afterEach(() => store.close());

let made = 0;

async function start() {
  const live = async (call: string) => {
    if (crashPoints.includes(call)) throw new Error(`crashed before ${call}`);
  };
  const ofRooms: Pick<Rooms, 'chooseNoticeRoom' | 'sendNotice'> = {
    async chooseNoticeRoom() {
      const found = [...rooms].find(([, { reader }]) => reader)?.[0];
      return { roomId: found ?? `!${++made}:test`, exists: found !== undefined };
    },
    async sendNotice({ room, transaction, checkOnly }) {
      if (checkOnly) return undefined;
      await live('sendNotice');
      if (!rooms.has(room.roomId) && !room.isMade) rooms.set(room.roomId, { reader: true, sent: new Set() });
      const place = rooms.get(room.roomId);
      if (!place?.reader) return undefined;
      place.sent.add(transaction);
      return `$${transaction}`;
    },
  };
  const ofUsers: Pick<Users, 'ensureAccount' | 'tagRoom'> = {
    ensureAccount: () => live('ensureAccount'),
    async tagRoom(_, roomId) {
      await live('tagRoom');
      tagged.push(roomId);
    },
  };
  return {
    notices,
    noticeRooms: await store.collection(noticeRooms),
    rooms: ofRooms,
    users: ofUsers,
  } as unknown as Deps;
}

const sent = () => [...rooms.values()].map((room) => [...room.sent]);

it.each(['ensureAccount', 'sendNotice', 'tagRoom'])(
  'is completed by another instance after a crash before %s',
  async (call) => {
    crashPoints = [call];
    await expect(deliverNotice(await start(), notice)).rejects.toThrow(call);
    crashPoints = [];
    expect(await deliverNotice(await start(), notice)).toBe('$x');
    expect(sent()).toEqual([['x']]);
    expect(tagged).toEqual([...rooms.keys()]);
  },
);

it('creates one room when several instances find none concurrently', async () => {
  const instances = [await start(), await start(), await start()];
  const all = instances.map((deps, n) => deliverNotice(deps, { ...notice, transaction: `${n}` }));
  await Promise.all(all);
  expect(sent().map((ids) => ids.toSorted())).toEqual([['0', '1', '2']]);
});

it('chooses another room when the reader has left it, or it was removed', async () => {
  const deps = await start();
  await deliverNotice(deps, notice);
  const [first] = rooms.values();
  if (first) first.reader = false;
  await deliverNotice(deps, { ...notice, transaction: 'y' });
  rooms.delete([...rooms.keys()].at(-1) ?? '');
  await deliverNotice(deps, { ...notice, transaction: 'z' });
  expect(sent()).toEqual([['x'], ['z']]);
});

it('tags an existing room again, which its reader could not tag when it was created', async () => {
  const deps = await start();
  await deliverNotice(deps, notice);
  tagged = [];
  await deliverNotice(deps, { ...notice, transaction: 'y' });
  expect(tagged).toEqual([...rooms.keys()]);
});

it('makes no account and tags no room for a notice that is refused', async () => {
  const deps = await start();
  crashPoints = ['ensureAccount', 'tagRoom'];
  const refused = async () => {
    throw new Error('too large');
  };
  const refusing = { ...deps, rooms: { ...deps.rooms, sendNotice: refused } };
  await expect(deliverNotice(refusing, notice)).rejects.toThrow('too large');
});

it('sends nothing through an account that is not its own, also in an existing room', async () => {
  const deps = await start();
  await deliverNotice(deps, notice);
  crashPoints = ['ensureAccount'];
  await expect(deliverNotice(deps, { ...notice, transaction: 'y' })).rejects.toThrow('ensureAccount');
  expect(sent()).toEqual([['x']]);
});

it('gives up when no room is usable', async () => {
  const deps = await start();
  const never = { ...deps, rooms: { ...deps.rooms, sendNotice: async () => undefined } };
  await expect(deliverNotice(never, notice)).rejects.toThrow('The notice room could not be created');
});
