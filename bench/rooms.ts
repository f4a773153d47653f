import { join } from 'node:path';
import { userId } from './data.ts';
import { type Load, load } from './load.ts';
import { p50 } from './p50.ts';
import { loadRooms, roomId } from './rooms-data.ts';
import { call, register, type Server, startSteward } from './servers.ts';

const FEW_ROOMS = 100;
/** Few members in the many rooms, because lists do not read members. */
const MEMBERS = 4;

/** The number of members of the large room. */
const LARGE = 10_000;

/** The number of senders, each with its own room. */
const SENDERS = 16;

/** The number of idle long polls, and how long they wait before the memory is measured, in milliseconds. */
const IDLE = 1_000;
const IDLE_MS = 3_000;

const SORT_KEYS = [
  'name',
  'canonical_alias',
  'joined_members',
  'joined_local_members',
  'version',
  'creator',
  'encryption',
  'federatable',
  'public',
  'join_rules',
  'guest_access',
  'history_visibility',
  'state_events',
];

/**
 * Measures rooms: the speed of the import and of sending, how lists slow down with the number of rooms, and the latency
 * of concurrent requests during requests for a large room.
 */
export async function rooms(options: {
  readonly directory: string;
  readonly rooms: number;
  readonly seconds: number;
}): Promise<void> {
  const few = join(options.directory, 'few-rooms');
  const many = join(options.directory, 'many-rooms');
  await loadRooms(few, { rooms: FEW_ROOMS, large: LARGE });
  const { events, perSecond } = await loadRooms(many, { rooms: options.rooms, members: MEMBERS });
  console.log(`import: ${events} events in ${options.rooms} rooms, ${perSecond} a second (aim 10000)\n`);
  const small = await startSteward(few);
  const large = await startSteward(many);
  try {
    const tokens = [
      await register(small.url, 'bench', true),
      await register(large.url, 'bench', true),
    ] as const;
    await sends(small, tokens[0], options.seconds);
    await lists([small, large], tokens);
    await members(small, tokens[0]);
    await idle(large, tokens[1]);
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
}

async function sends(server: Server, admin: string, seconds: number): Promise<void> {
  const tokens: string[] = [];
  for (let n = 1; n <= SENDERS; n++) tokens.push(await loginAs(server, admin, n));
  const body = JSON.stringify({
    msgtype: 'm.text',
    body: 'A message as people write them, neither long nor short.',
  });
  const send = (name: string, sender: (n: number) => number) => {
    let n = 0;
    const next = () => {
      const from = sender(n);
      const path = `/_proto/client/v3/rooms/${roomId(1 + from)}/send/m.room.message/${name}${n++}`;
      return { method: 'PUT' as const, path, headers: { authorization: `Bearer ${tokens[from]}` }, body };
    };
    const requests = [{ setupRequest: (request: object) => ({ ...request, ...next() }) }];
    return load({ url: server.url, duration: seconds, requests });
  };
  const many = await send('many', (n) => n % SENDERS);
  const one = await send('one', () => 0);
  report('send to many rooms (aim 1000/s)', many);
  report('send to one room (aim 300/s)', one);
}

function report(name: string, { perSecond, p50Ms, p99Ms, failed }: Load): void {
  const figures = `${Math.round(perSecond)}/s  p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms`;
  console.log(`${name.padEnd(36)} ${figures}  failed ${failed}`);
}

async function lists(servers: readonly [Server, Server], tokens: readonly [string, string]): Promise<void> {
  console.log('\nv1/rooms?                                 few ms  many ms  growth (aim 2)');
  for (const key of SORT_KEYS) {
    for (const dir of ['f', 'b']) {
      const query = `order_by=${key}&dir=${dir}`;
      const path = `/_service/admin/v1/rooms?${query}`;
      const a = await p50(() => call(servers[0], tokens[0], 'GET', path));
      const b = await p50(() => call(servers[1], tokens[1], 'GET', path));
      const figures = [a, b, b / a].map((figure) => figure.toFixed(2).padStart(8));
      console.log(query.padEnd(40), ...figures);
    }
  }
}

async function members(server: Server, admin: string): Promise<void> {
  const creator = await loginAs(server, admin, 0);
  const requests: [string, string, string][] = [
    ['admin members', admin, `/_service/admin/v1/rooms/${roomId(0)}/members`],
    ['client members', creator, `/_proto/client/v3/rooms/${roomId(0)}/members`],
    ['client joined_members', creator, `/_proto/client/v3/rooms/${roomId(0)}/joined_members`],
    ['client state', creator, `/_proto/client/v3/rooms/${roomId(0)}/state`],
  ];
  console.log(`\n${LARGE} members                            ms   longest wait of others, ms (aim 50)`);
  for (const [name, token, path] of requests) {
    let done = false;
    let longest = 0;
    const others = (async () => {
      while (!done) {
        const start = performance.now();
        await call(server, creator, 'GET', '/_proto/client/v3/account/whoami');
        longest = Math.max(longest, performance.now() - start);
      }
    })();
    const start = performance.now();
    await call(server, token, 'GET', path);
    const took = performance.now() - start;
    done = true;
    await others;
    console.log(name.padEnd(30), took.toFixed(0).padStart(8), longest.toFixed(0).padStart(8));
  }
}

/** Measures the memory of many idle long polls. */
async function idle(server: Server, admin: string): Promise<void> {
  const token = await loginAs(server, admin, 1);
  const sync = '/_proto/client/v3/sync';
  const { next_batch: since } = JSON.parse(await call(server, token, 'GET', sync));
  const before = server.memoryMb();
  const ended = new AbortController();
  const url = `${server.url}${sync}?since=${encodeURIComponent(since)}&timeout=60000`;
  const headers = { authorization: `Bearer ${token}` };
  const polls = Array.from({ length: IDLE }, () => fetch(url, { headers, signal: ended.signal }));
  const all = Promise.allSettled(polls);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  console.log(`\nmemory: ${before} MB, with ${IDLE} idle long polls ${server.memoryMb()} MB`);
  ended.abort();
  await all;
}

async function loginAs(server: Server, admin: string, n: number): Promise<string> {
  const path = `/_service/admin/v1/users/${encodeURIComponent(userId(n))}/login`;
  const { access_token: token } = JSON.parse(await call(server, admin, 'POST', path, {}));
  return token;
}
