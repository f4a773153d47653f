import { own } from '@steward/kernel';
import type { Named } from './differences.ts';
import type { Server } from './server.ts';

/** How many items of a list one request asks for. */
const PAGE = 100;

/** How many of the last events of a room are compared. */
const EVENTS = 50;

const ADMIN = '/_synapse/admin';

/** Something of a user, a room or a report that both servers are asked. */
export interface Question {
  readonly name: string;
  /** Reads the answer of a server about an id. */
  readonly ask: (server: Server, id: string) => Promise<unknown>;
  readonly named?: Named;
}

/** Things of a sort, which both servers list. */
export interface Sort {
  readonly name: string;
  readonly list: (server: Server) => AsyncIterable<unknown>;
  readonly keyOf: (item: unknown) => string;
  /** What is asked of each of them. */
  readonly questions: readonly Question[];
}

/** The text of a field, whatever its type; of several fields one after another. */
const by =
  (...fields: string[]) =>
  (item: unknown) =>
    fields.map((field) => String(own(item, field) ?? '')).join(' ');

const at =
  (path: string) =>
  (server: Server, id: string): Promise<unknown> =>
    server.get(`${ADMIN}${path.replace('{id}', encodeURIComponent(id))}`);

/** The items of a list that is read in pages. */
async function* pages(server: Server, path: string, field: string): AsyncGenerator<unknown> {
  for (let from: unknown = 0; from !== undefined; ) {
    const answer = await server.get(
      `${ADMIN}${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}&from=${encodeURIComponent(String(from))}`,
    );
    const items = own(answer, field);
    if (!Array.isArray(items))
      throw new Error(`${server.url} does not list ${path}: ${JSON.stringify(answer)}.`);
    yield* items;
    from = own(answer, 'next_token') ?? own(answer, 'next_batch');
  }
}

async function allOf(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** What is asked of both servers, sort by sort. */
export const SORTS: readonly Sort[] = [
  {
    name: 'users',
    list: (server) => pages(server, '/v2/users?deactivated=true&locked=true&guests=true', 'users'),
    keyOf: by('name'),
    questions: [
      {
        name: 'user',
        ask: at('/v2/users/{id}'),
        named: {
          threepids: by('medium', 'address'),
          external_ids: by('auth_provider', 'external_id'),
        },
      },
      { name: 'devices', ask: at('/v2/users/{id}/devices'), named: { devices: by('device_id') } },
      { name: 'joined_rooms', ask: at('/v1/users/{id}/joined_rooms'), named: { joined_rooms: String } },
      { name: 'memberships', ask: at('/v1/users/{id}/memberships') },
      { name: 'accountdata', ask: at('/v1/users/{id}/accountdata') },
      { name: 'override_ratelimit', ask: at('/v1/users/{id}/override_ratelimit') },
      { name: 'pushers', ask: at('/v1/users/{id}/pushers'), named: { pushers: by('app_id', 'pushkey') } },
      {
        name: 'media',
        ask: async (server, id) => ({
          media: await allOf(
            pages(server, `/v1/users/${encodeURIComponent(id)}/media?order_by=media_id`, 'media'),
          ),
        }),
        named: { media: by('media_id') },
      },
    ],
  },
  {
    name: 'rooms',
    list: (server) => pages(server, '/v1/rooms?order_by=name', 'rooms'),
    keyOf: by('room_id'),
    questions: [
      { name: 'room', ask: at('/v1/rooms/{id}') },
      { name: 'members', ask: at('/v1/rooms/{id}/members'), named: { members: String } },
      { name: 'state', ask: at('/v1/rooms/{id}/state'), named: { state: by('type', 'state_key') } },
      { name: 'block', ask: at('/v1/rooms/{id}/block') },
      { name: 'messages', ask: at(`/v1/rooms/{id}/messages?dir=b&limit=${EVENTS}`) },
    ],
  },
  {
    name: 'event_reports',
    list: (server) => pages(server, '/v1/event_reports', 'event_reports'),
    keyOf: by('id'),
    questions: [{ name: 'event_report', ask: at('/v1/event_reports/{id}') }],
  },
  {
    name: 'user_reports',
    list: (server) => pages(server, '/v1/user_reports', 'user_reports'),
    keyOf: by('id'),
    questions: [],
  },
  {
    name: 'registration_tokens',
    async *list(server) {
      const answer = await server.get(`${ADMIN}/v1/registration_tokens`);
      yield* (own(answer, 'registration_tokens') as unknown[] | undefined) ?? [];
    },
    keyOf: by('token'),
    questions: [],
  },
];
