import { displayName, userId } from '../data.ts';
import { roomId } from '../rooms-data.ts';
import { CHANGED_ACCOUNTS, type Scale } from './scale.ts';
import { changedFrom, LARGE_ROOM } from './write-scale.ts';

/** One request of a class. */
export interface Request {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** The clients: an administrator, and senders of messages with a room each. */
export interface Tokens {
  readonly admin: string;
  readonly senders: readonly string[];
}

/** A class of requests that cost about the same. */
export interface RequestClass {
  readonly name: string;
  /** The most processor time per answer, in milliseconds, at 100,000 users, on a machine whose floor is 0.04 ms. */
  readonly aimMs: number;
  /** The n-th request, and the token of its client. */
  request(n: number, scale: Scale, tokens: Tokens): Request & { readonly token: string };
}

const ADMIN = '/_service/admin';

/**
 * The number of the n-th sender, who created the room of the same number. Its account has none of the properties of
 * `loadData` with which messages are refused or delayed: it is neither deactivated nor locked nor shadow-banned.
 */
export const senderOf = (n: number): number => 7 + 10 * n;

/** A share of the users that is far from both ends of a list. */
const DEEP = 0.8;

function read(name: string, aimMs: number, path: (n: number, scale: Scale) => string): RequestClass {
  return {
    name,
    aimMs,
    request: (n, scale, { admin }) => ({ method: 'GET', path: ADMIN + path(n, scale), token: admin }),
  };
}

const deep = ({ users }: Scale) => `from=${Math.floor(users * DEEP)}`;

/** All classes, in the order in which they are measured. */
export const CLASSES: readonly RequestClass[] = [
  read('user by id', 0.15, (n) => `/v2/users/${userId((n * 7) % 1_000)}`),
  read('user list', 0.5, () => '/v2/users?limit=100'),
  read('user list from 80 %', 0.8, (_, scale) => `/v2/users?limit=100&${deep(scale)}`),
  read('users by last_seen', 0.6, () => '/v2/users?limit=100&order_by=last_seen_ts'),
  read(
    'users by last_seen from 80 %',
    0.8,
    (_, scale) => `/v2/users?limit=100&order_by=last_seen_ts&${deep(scale)}`,
  ),
  read('users by displayname', 0.6, () => '/v2/users?limit=100&order_by=displayname'),
  read(
    'users by displayname from 80 %',
    0.8,
    (_, scale) => `/v2/users?limit=100&order_by=displayname&${deep(scale)}`,
  ),
  read(
    'name search, few hits',
    0.4,
    () => `/v2/users?limit=100&name=${encodeURIComponent(displayName(777))}`,
  ),
  read('name search, two letters', 0.8, () => '/v2/users?limit=100&name=zu'),
  read('room list', 0.6, () => '/v1/rooms?limit=100'),
  read('room list from 80 %', 0.8, (_, { rooms }) => `/v1/rooms?limit=100&from=${Math.floor(rooms * DEEP)}`),
  read('room search', 0.5, () => `/v1/rooms?limit=100&search_term=${encodeURIComponent(displayName(77))}`),
  read('room details', 0.3, (n) => `/v1/rooms/${roomId(1 + ((n * 7) % 150))}`),
  read('details of a room of 1,000', 0.3, () => `/v1/rooms/${roomId(LARGE_ROOM)}`),
  read('members of a room of 1,000', 0.4, () => `/v1/rooms/${roomId(LARGE_ROOM)}/members`),
  read('joined rooms', 0.2, (n) => `/v1/users/${userId((n * 7) % 1_000)}/joined_rooms`),
  read('devices', 0.25, (n) => `/v2/users/${userId((n * 7) % 1_000)}/devices`),
  read('media of a user', 0.3, () => `/v1/users/${userId(0)}/media`),
  read('media statistics', 0.4, () => '/v1/statistics/users/media'),
  read('media statistics by length', 0.4, () => '/v1/statistics/users/media?order_by=media_length'),
  read('event reports', 0.8, () => '/v1/event_reports?limit=100'),
  read(
    'event reports from 80 %',
    0.8,
    (_, { reports }) => `/v1/event_reports?limit=100&from=${Math.floor(reports * DEEP)}`,
  ),
  read('whois', 0.2, (n) => `/v1/whois/${userId((n * 7) % 1_000)}`),
  read('username available', 0.2, (n) => `/v1/username_available?username=free${n}`),
  {
    name: 'change of a display name',
    aimMs: 0.8,
    request: (n, scale, { admin }) => ({
      method: 'PUT',
      path: `${ADMIN}/v2/users/${userId(changedFrom(scale) + ((n * 7) % CHANGED_ACCOUNTS))}`,
      body: JSON.stringify({ displayname: `Name ${n}` }),
      token: admin,
    }),
  },
  {
    name: 'message to many rooms',
    aimMs: 0.5,
    request: (n, _, { senders }) => {
      const sender = n % senders.length;
      return {
        method: 'PUT',
        path: `/_proto/client/v3/rooms/${roomId(senderOf(sender))}/send/m.room.message/bench${n}`,
        body: JSON.stringify({
          msgtype: 'm.text',
          body: 'A message as people write them, neither long nor short.',
        }),
        token: senders[sender] ?? '',
      };
    },
  },
];
