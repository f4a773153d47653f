import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { events, members, states } from '@steward/room/testing';
import {
  type Collection,
  type Doc,
  type Filter,
  openMongoStore,
  openSqliteStore,
  type Store,
} from '@steward/store';
import { startTopology } from '@steward/topology';
import { loadInto, userId } from './data.ts';
import { eventId, eventsOf, type RoomHistory, room, roomId, user, write } from './rooms-data.ts';
import { register, SECRET, type Server, startSteward } from './servers.ts';

const CREDENTIAL = 'internal-credential';
const STORE_FILE = 'steward.db';

const FEW_MEMBERS = 200;
const MANY_MEMBERS = 1_000;
const FEW_ROOMS = 50;
const MANY_ROOMS = 1_000;

/** The clients that send other requests concurrently, and how long they do before, in milliseconds. */
const OTHERS = 4;
const IDLE_MS = 3_000;

/** How often the end of a work is polled: rarely enough that the polling does not slow it down. */
const POLL_MS = 20;
const MEMORY_POLL_MS = 20;

/** Events of the large rooms where there are several processes: creating more takes longer than it is worth. */
const MOST_EVENTS_IN_PROCESSES = 20_000;

/** Each work runs once on an idle server, and once with concurrent requests of other clients. */
const PASSES = ['alone', 'among others'] as const;

/** A server, and its measurable process. */
interface Subject {
  readonly title: string;
  readonly url: string;
  /** The one process, whose use of resources can be measured; undefined for several. */
  readonly process?: Pick<Server, 'memoryMb' | 'cpuMs'>;
}

/** A work that may continue after the answer to its request. */
interface Work {
  readonly name: string;
  /** The aim for its duration, in milliseconds, if it has one. */
  readonly aimMs?: number;
  /** Runs it on the objects of a pass, and waits for its end. */
  run(call: Call, pass: Pass): Promise<void>;
  /** Deletes as many documents directly in the store. */
  plain(store: Store): Promise<void>;
}

type Pass = (typeof PASSES)[number];

/** Three equal objects: one for each pass, and one for the comparison. */
type Triple = { readonly [P in Pass | 'plain']: number };

type Call = (verb: string, path: string, body?: object) => Promise<{ readonly [key: string]: unknown }>;

/** Measures deletion, purge and deactivation against a plain deletion of as many documents, and the latency of other requests. */
export async function durableWork(options: {
  readonly directory: string;
  /** Events of the large rooms. */
  readonly events: number;
  readonly engines: { readonly mongo: string; readonly nats: string } | undefined;
}): Promise<void> {
  const { directory, engines } = options;
  await mkdir(directory, { recursive: true });
  const scene = plan(options.events);
  const data = join(directory, 'data');
  await mkdir(data);
  for (const file of await writeScene(directory, scene)) loadInto(file, { STEWARD_DATA: data });
  const server = await startSteward(data);
  const durations = await measure({ title: 'one process', url: server.url, process: server }, scene.works);
  await server.stop();
  const store = await openSqliteStore({ path: join(data, STORE_FILE) });
  await compare(scene.works, durations, store);
  await store.close();
  if (!engines) return;
  const smaller = plan(Math.min(options.events, MOST_EVENTS_IN_PROCESSES));
  await inProcesses(smaller, await writeScene(directory, smaller), engines);
}

async function inProcesses(
  { works }: Scene,
  files: readonly string[],
  { mongo, nats }: { readonly mongo: string; readonly nats: string },
): Promise<void> {
  const name = `bench_${randomBytes(4).toString('hex')}`;
  const url = new URL(mongo);
  url.pathname = `/${name}`;
  const topology = await startTopology({
    env: {
      ...process.env,
      STEWARD_STORE: url.href,
      STEWARD_INTERNAL_CREDENTIAL: CREDENTIAL,
      STEWARD_NATS_URL: nats,
      STEWARD_SERVER_NAME: 'localhost',
      STEWARD_REGISTRATION_SHARED_SECRET: SECRET,
      STEWARD_RATE_LIMIT: 'off',
      // The topology prints the lines of its processes, among the figures.
      STEWARD_LOG_LEVEL: 'error',
      STEWARD_CONFIG_OVERRIDES: JSON.stringify({ bus: { namespace: name } }),
    },
  });
  try {
    const urls = (children: readonly { readonly url: string }[]) =>
      children.map((each) => each.url).join(',');
    const services = {
      STEWARD_USER_URLS: urls(topology.user),
      STEWARD_ROOM_URLS: urls(topology.room),
      STEWARD_MEDIA_URLS: urls(topology.media),
      STEWARD_INTERNAL_CREDENTIAL: CREDENTIAL,
    };
    for (const file of files) loadInto(file, services);
    const subject = { title: 'several processes', url: topology.url };
    const durations = await measure(subject, works);
    const store = await openMongoStore({ url: url.href });
    await compare(works, durations, store);
    await store.close();
  } finally {
    await topology.close();
  }
}

/** The data set, and the works that run on it. */
interface Scene {
  readonly users: number;
  readonly rooms: readonly RoomHistory[];
  readonly works: readonly Work[];
}

function plan(size: number): Scene {
  const rooms: RoomHistory[] = [];
  const add = (members: readonly number[], messages: number) => {
    rooms.push({ n: rooms.length, members, messages });
    return rooms.length - 1;
  };
  const triple = (make: () => number): Triple => ({ alone: make(), 'among others': make(), plain: make() });
  const alike = (count: number, messages: number) => {
    const all = Array.from({ length: count }, (_, n) => n);
    return triple(() => add(all, messages));
  };
  let users = MANY_MEMBERS;
  const membersOf = (count: number) =>
    triple(() => {
      const n = users++;
      for (let each = 0; each < count; each++) add([0, n], 1);
      return n;
    });
  const deletion = (name: string, ours: Triple, aimMs?: number): Work => ({
    name,
    ...(aimMs === undefined ? {} : { aimMs }),
    run: async (call, pass) =>
      void (await call('DELETE', `/_service/admin/v1/rooms/${roomId(ours[pass])}`, { purge: true })),
    async plain(store) {
      for (const each of [events, states, members]) {
        await deleteAll(await store.collection<OfRoom>(each as never), { room_id: roomId(ours.plain) });
      }
    },
  });
  const purge = (name: string, ours: Triple): Work => ({
    name,
    async run(call, pass) {
      const mine = ours[pass];
      const { messages, ...empty } = rooms[mine] as RoomHistory;
      const boundary = eventId(mine, [...eventsOf({ ...empty, messages: 0 })].length + messages);
      const at = `/_service/admin/v1/purge_history/${roomId(mine)}/${boundary}`;
      const { purge_id: id } = await call('POST', at, { delete_local_events: true });
      await until(async () => {
        const { status } = await call('GET', `/_service/admin/v1/purge_history_status/${id}`);
        if (status === 'failed') throw new Error('A purge failed');
        return status === 'complete';
      });
    },
    async plain(store) {
      await deleteAll(await store.collection(events), {
        room_id: roomId(ours.plain),
        type: 'm.room.message',
      });
    },
  });
  const deactivation = (name: string, ours: Triple, aimMs?: number): Work => ({
    name,
    ...(aimMs === undefined ? {} : { aimMs }),
    async run(call, pass) {
      const user = encodeURIComponent(userId(ours[pass]));
      await call('POST', `/_service/admin/v1/deactivate/${user}`, { erase: true });
      const rooms = `/_service/admin/v1/users/${user}/joined_rooms`;
      await until(async () => (await call('GET', rooms)).total === 0);
    },
    plain: async (store) => deleteAll(await store.collection(members), { user_id: userId(ours.plain) }),
  });
  const works = [
    deletion(`delete a room of ${FEW_MEMBERS} members`, alike(FEW_MEMBERS, 3), 500),
    deletion(`delete one of ${MANY_MEMBERS}, ${size} events`, alike(MANY_MEMBERS, size)),
    purge(`purge ${size / 10} events`, alike(2, size / 10)),
    purge(`purge ${size} events`, alike(2, size)),
    deactivation(`erase a user in ${FEW_ROOMS} rooms`, membersOf(FEW_ROOMS), 200),
    deactivation(`erase a user in ${MANY_ROOMS} rooms`, membersOf(MANY_ROOMS)),
  ];
  return { users, rooms, works };
}

interface OfRoom extends Doc {
  readonly room_id: string;
}

async function deleteAll<T extends Doc>(collection: Collection<T>, filter: Filter<T>): Promise<void> {
  await collection.deleteMany(filter);
}

async function writeScene(directory: string, { users, rooms }: Scene): Promise<readonly string[]> {
  const all = Array.from({ length: users }, (_, n) => user(n));
  function* history() {
    for (const each of rooms) yield* eventsOf(each);
  }
  return [
    await write(directory, 'users', all),
    await write(
      directory,
      'rooms',
      rooms.map(({ n, members }) => room(n, members[0])),
    ),
    await write(directory, 'events', history()),
  ];
}

/** The duration of a work in each pass, in milliseconds. */
type Durations = { readonly [P in Pass]: number };

async function measure(subject: Subject, works: readonly Work[]): Promise<readonly Durations[]> {
  const token = await register(subject.url, 'bench', true);
  const call: Call = async (verb, path, body) => {
    const answer = await fetch(subject.url + path, {
      method: verb,
      headers: { authorization: `Bearer ${token}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${verb} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const idle = await withConcurrentRequests(
    call,
    () => new Promise((resolve) => setTimeout(resolve, IDLE_MS)),
  );
  console.log(
    `\n${subject.title}; p99 of ${OTHERS} others with nothing going on: ${idle.p99Ms.toFixed(1)} ms`,
  );
  const show = (name: string, aimMs: number | undefined, ms: number, ...more: readonly string[]) => {
    const time = `${ms.toFixed(0)}${aimMs === undefined ? '' : ` (${aimMs})`}`;
    console.log(name.padEnd(38), time.padStart(12), ...more);
  };
  console.log('\nalone                                      ms (aim)  processor             memory');
  const alone: number[] = [];
  for (const work of works) {
    const watched = watch(subject.process);
    const start = performance.now();
    await work.run(call, 'alone');
    const ms = performance.now() - start;
    show(work.name, work.aimMs, ms, ...watched.end());
    alone.push(ms);
  }
  console.log('\namong others                               ms (aim)  their p99  times idle (aim 3)');
  const among: number[] = [];
  for (const work of works) {
    const { ms, p99Ms } = await withConcurrentRequests(call, () => work.run(call, 'among others'));
    const theirs = [p99Ms.toFixed(1).padStart(10), (p99Ms / idle.p99Ms).toFixed(1).padStart(11)];
    show(work.name, work.aimMs, ms, ...theirs);
    among.push(ms);
  }
  return works.map((_, i) => ({ alone: alone[i] ?? 0, 'among others': among[i] ?? 0 }));
}

/** Runs `act` during concurrent requests; returns its duration, and the 99th percentile of the latency of the requests. */
async function withConcurrentRequests(
  call: Call,
  act: () => Promise<unknown>,
): Promise<{ readonly ms: number; readonly p99Ms: number }> {
  let ended = false;
  const times: number[] = [];
  const others = Array.from({ length: OTHERS }, async () => {
    while (!ended) {
      const start = performance.now();
      await call('GET', '/_proto/client/v3/account/whoami');
      times.push(performance.now() - start);
    }
  });
  const start = performance.now();
  await act();
  const ms = performance.now() - start;
  ended = true;
  await Promise.all(others);
  times.sort((a, b) => a - b);
  return { ms, p99Ms: times[Math.floor(times.length * 0.99)] ?? 0 };
}

/** Measures the processor time and the memory of a process from now on. */
function watch(server: Subject['process']): { end(): readonly string[] } {
  if (!server) return { end: () => [] };
  const [memoryMb, cpuMs] = [server.memoryMb(), server.cpuMs()];
  let most = memoryMb;
  const sample = () => {
    most = Math.max(most, server.memoryMb());
  };
  const timer = setInterval(sample, MEMORY_POLL_MS);
  return {
    end() {
      clearInterval(timer);
      sample();
      return [`${server.cpuMs() - cpuMs}`.padStart(10), `${memoryMb} to ${most} MB`.padStart(18)];
    },
  };
}

async function compare(works: readonly Work[], durations: readonly Durations[], store: Store): Promise<void> {
  console.log('\nas many documents deleted at once            ms   times as long: alone  among others');
  for (const [index, work] of works.entries()) {
    const start = performance.now();
    await work.plain(store);
    const ms = performance.now() - start;
    const ratios = PASSES.map((pass) => ((durations[index]?.[pass] ?? 0) / ms).toFixed(1).padStart(12));
    console.log(work.name.padEnd(38), ms.toFixed(1).padStart(8), '        ', ...ratios);
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
