import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ALLOWED } from './allowed.ts';
import type { Server } from './server.ts';
import { type Unexplained, verifyHomeserver } from './verify-homeserver.ts';

const ROOM = '!r:test';

/** What a server says of users by name, with what differs from an empty one. */
interface Stored {
  readonly users: Readonly<Record<string, object>>;
  readonly [path: string]: unknown;
}

/** A server with users and a room, which pages by two. */
function serverOf({ users, ...answers }: Stored): Server {
  return {
    url: 'http://test',
    userId: '@admin:test',
    post: () => Promise.reject(new Error('nothing is sent')),
    get: async (address) => {
      const { pathname, searchParams } = new URL(address, 'http://test');
      const path = decodeURIComponent(pathname.replace('/_synapse/admin/', ''));
      if (path in answers) return answers[path];
      if (path === 'v2/users') {
        const from = Number(searchParams.get('from'));
        const names = Object.keys(users);
        const page = names.slice(from, from + 2).map((name) => ({ name }));
        return { users: page, ...(from + 2 < names.length ? { next_token: String(from + 2) } : {}) };
      }
      if (path === 'v1/rooms') return { rooms: [{ room_id: ROOM }] };
      const user = /^v2\/users\/([^/]+)$/.exec(path)?.[1];
      if (user !== undefined) return { name: user, ...users[user] };
      if (path === 'v1/event_reports') return { event_reports: [] };
      if (path === 'v1/user_reports') return { user_reports: [] };
      return path.endsWith('/media') ? { media: [] } : {};
    },
  };
}

async function compare(old: Stored, now: Stored) {
  const found: Unexplained[] = [];
  const verified = await verifyHomeserver(serverOf(old), serverOf(now), {
    onDifference: (difference) => void found.push(difference),
  });
  return { found, verified };
}

it('finds users that one server alone has, in whatever order they list them', async () => {
  const { found, verified } = await compare(
    { users: { '@a:test': {}, '@B:test': {}, '@c:test': {}, '@gone:test': {}, '@z:test': {} } },
    { users: { '@B:test': {}, '@a:test': {}, '@c:test': {}, '@new:test': {}, '@z:test': {} } },
  );
  expect(found).toEqual([
    { of: 'users', key: '@gone:test', path: [], old: { name: '@gone:test' }, now: undefined },
    { of: 'users', key: '@new:test', path: [], old: undefined, now: { name: '@new:test' } },
  ]);
  expect(verified).toMatchObject({ unexplained: 2, compared: { users: 6, rooms: 1 } });
});

it('names the place of a difference, compares lists by the names of their items, and counts what is meant to be', async () => {
  const state = (more: object) => [
    { type: 'm.room.name', state_key: '', content: { name: 'x' }, ...more },
    { type: 'm.room.topic', state_key: '' },
  ];
  const of = `v1/rooms/${ROOM}`;
  const { found, verified } = await compare(
    {
      users: { '@a:test': { displayname: 'A', user_type: null, last_seen_ts: 1 } },
      'v2/users/@a:test/devices': { devices: [{ device_id: 'A' }, { device_id: 'B', last_seen_ts: 4 }] },
      [`${of}/state`]: { state: state({ age: 1 }) },
      [`${of}/messages`]: { chunk: [{ event_id: '$1' }, { event_id: '$2' }], start: 'a' },
      [`${of}/members`]: { errcode: 'M_UNRECOGNIZED', status: 404 },
    },
    {
      users: { '@a:test': { displayname: 'B', last_seen_ts: 1 } },
      'v2/users/@a:test/devices': { devices: [{ device_id: 'B', last_seen_ts: 3 }, { device_id: 'A' }] },
      [`${of}/state`]: { state: state({ age: 2, content: { name: 'y' } }).reverse() },
      [`${of}/messages`]: { chunk: [{ event_id: '$2' }, { event_id: '$1' }], start: 'b' },
      [`${of}/members`]: { members: [] },
    },
  );
  expect(found.map(({ of: name, key, path }) => [name, key, ...path].join(' '))).toEqual([
    'user @a:test displayname',
    'devices @a:test devices B last_seen_ts',
    `state ${ROOM} state m.room.name  content name`,
    `messages ${ROOM} chunk 0 event_id`,
    `messages ${ROOM} chunk 1 event_id`,
  ]);
  expect(verified.allowed.map(({ path, count }) => [path, count])).toEqual([
    ['state/**/age', 1],
    ['messages/start', 1],
  ]);
});

it('passes on that a server does not answer', async () => {
  const broken = { ...serverOf({ users: {} }), get: () => Promise.reject(new Error('no answer')) };
  await expect(verifyHomeserver(serverOf({ users: {} }), broken, { onDifference: () => {} })).rejects.toThrow(
    'no answer',
  );
});

it('has every difference that is meant to be in the documents', () => {
  const page = readFileSync(new URL('../../../../docs/moving-in.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(ALLOWED.map(({ path, reason }) => `| \`${path}\` | ${reason} |`));
});
