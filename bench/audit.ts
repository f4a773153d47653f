import { join } from 'node:path';
import { createClient, type Interceptor } from '@connectrpc/connect';
import { audit, entryId, startAuditTrail } from '@steward/audit';
import { loadConfig } from '@steward/config';
import { createLocalBus } from '@steward/events';
import { systemClock, systemRandom } from '@steward/kernel';
import { startModerationService } from '@steward/moderation';
import { type AuditEntry, auditLog } from '@steward/moderation/testing';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { createLocalTransport, defer, type Requester } from '@steward/rpc';
import { identifyAs } from '@steward/rpc/testing';
import { noProcesses } from '@steward/runtime';
import { openSqliteStore } from '@steward/store';
import { noMeters } from '@steward/telemetry';
import { noMedia, noRooms, startUserService } from '@steward/user';
import { loadInto, userId } from './data.ts';
import { insertBare } from './insert.ts';
import { type Load, loadTask, median } from './load.ts';
import { p50 } from './p50.ts';
import { eventId, loadRooms, roomId, write } from './rooms-data.ts';
import { call, register, type Server, startSteward } from './servers.ts';

const FEW = 1_000;

/** The time of the first entry, in milliseconds since the Unix epoch: within the retention of the audit log. */
const FIRST_TS = Date.now() - 24 * 60 * 60_000;

const ACTIONS = [
  'user.put_user',
  'user.deactivate',
  'room.delete_room',
  'media.delete_media',
  'user.login_as',
];
const ACTORS = 20;
const TARGETS = 997;

/** Reports per room, and reports per reporting user. */
const REPORTS_PER_ROOM = 10;
const REPORTS_PER_REPORTER = 5;
const MEMBERS = 2;

/** One of this many entries was refused. */
const REFUSED = 50;

/** The number of accounts that the bench changes in turn. */
const CHANGED = 100;

const REQUESTER: Requester = {
  userId: '@bench:localhost',
  owner: '@bench:localhost',
  deviceId: 'BENCH',
  tokenId: 'bench',
  admin: true,
  guest: false,
  shadowBanned: false,
  suspended: false,
};

/** Each filter of the log with values that many entries, few entries or no entries have. */
const LOG_FILTERS: Readonly<Record<string, readonly string[]>> = {
  actor: [userId(3), userId(0), '@nobody:localhost'],
  target: [userId(5)],
  action: ['user.put_user', 'user.deactivate'],
  outcome: ['ok', 'refused'],
};

const TIMES = [`from_ts=${FIRST_TS + 100}`, `until_ts=${FIRST_TS + 600}`];

/** Returns every combination of the filters of the log, from the newest entry and from a much older one. */
function logQueries(): string[] {
  let queries: string[][] = [[]];
  for (const [filter, values] of Object.entries(LOG_FILTERS)) {
    const added = values.map((value) => `${filter}=${encodeURIComponent(value)}`);
    queries = queries.flatMap((query) => [query, ...added.map((one) => [...query, one])]);
  }
  const from = `from=${entryId(FIRST_TS + FEW / 2, 0, systemRandom)}`;
  const deep = queries.map((query) => [...query, from]);
  return [['limit=1000'], TIMES, ...TIMES.map((time) => [time]), ...queries, ...deep].map((query) =>
    query.join('&'),
  );
}

const PARTS_OF_IDS = [
  `user_id=${encodeURIComponent(userId(105))}`,
  'user_id=user0000105',
  'user_id=105',
  'user_id=localhost',
  'user_id=nobody',
  `room_id=${encodeURIComponent(roomId(55))}`,
  'room_id=room00000',
  'room_id=localhost',
  'room_id=localhost&user_id=localhost',
  'room_id=room00000&user_id=user00001',
];

const REPORT_QUERIES = ['f', 'b'].flatMap((dir) =>
  ['', ...PARTS_OF_IDS, `event_sender_user_id=${encodeURIComponent(userId(5))}`, 'limit=10', 'from=900'].map(
    (query) => `dir=${dir}&${query}`,
  ),
);

/** Measures what recording costs a change, and how the audit log and the list of reports slow down with their size. */
export async function auditing(options: {
  readonly directory: string;
  readonly entries: number;
  readonly reports: number;
  readonly seconds: number;
  readonly rounds: number;
}): Promise<void> {
  await cost(options);
  const few = join(options.directory, 'few-entries');
  const many = join(options.directory, 'many-entries');
  await fill(few, FEW, FEW);
  await fill(many, options.entries, options.reports);
  const servers = [await startSteward(few), await startSteward(many)] as const;
  try {
    const tokens = await Promise.all(servers.map(({ url }) => register(url, 'bench', true)));
    const compare = async (path: string, query: string) => {
      const [few, many] = [
        await p50AndCpu(servers[0], tokens[0] as string, `${path}?${query}`),
        await p50AndCpu(servers[1], tokens[1] as string, `${path}?${query}`),
      ];
      const { p50Ms: a, cpuMs: cpu } = few;
      const figures = [a, many.p50Ms, many.p50Ms / a, cpu, many.cpuMs, many.cpuMs / cpu];
      const row = figures.map((figure) => figure.toFixed(2).padStart(8));
      console.log(decodeURIComponent(query).padEnd(64), ...row);
    };
    const columns = ' few ms  many ms  growth (aim 2)  and the same of the processor';
    console.log(`\nv1/audit_log? at ${FEW} and ${options.entries} entries`.padEnd(66), columns);
    for (const query of logQueries()) await compare('/_service/admin/v1/audit_log', query);
    console.log(`\nv1/event_reports? at ${FEW} and ${options.reports} reports`.padEnd(66), columns);
    for (const query of REPORT_QUERIES) await compare('/_service/admin/v1/event_reports', query);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Measures changes of accounts without and with recording, alternating (A B A B), in this process. */
async function cost(options: { directory: string; seconds: number; rounds: number }): Promise<void> {
  const config = loadConfig({ env: {} });
  const store = await openSqliteStore({ path: join(options.directory, 'audit-cost.db') });
  const engine = { store, clock: systemClock, random: systemRandom, report: console.error, meters: noMeters };
  const bus = await createLocalBus(engine);
  const user = await startUserService({ config, bus, rooms: noRooms, media: noMedia, ...engine });
  const unused = createLocalTransport([]);
  const moderation = await startModerationService({
    config,
    bus,
    processes: noProcesses,
    sendsWebhooks: false,
    user: unused,
    room: unused,
    media: unused,
    ...engine,
  });
  const trail = await startAuditTrail({ bus, maxRefusedAttempts: 1, ...engine });
  const { outcomes, requests } = audit(trail);
  const through = (interceptors: Interceptor[]) =>
    createClient(AccountService, createLocalTransport(user.routes, { interceptors }));
  const plain = through([identifyAs(REQUESTER), defer]);
  const recorded = through([outcomes, identifyAs(REQUESTER), defer, requests]);
  const change = (client: typeof plain, by: string) => async (n: number) => {
    const displayname = `${by} ${n}`;
    await client.putUser({ userId: userId(n % CHANGED), present: { paths: ['displayname'] }, displayname });
  };
  const without: Load[] = [];
  const withIt: Load[] = [];
  for (let round = 0; round < options.rounds; round++) {
    without.push(await loadTask(options.seconds, change(plain, `plain ${round}`)));
    withIt.push(await loadTask(options.seconds, change(recorded, `recorded ${round}`)));
    await trail.whenIdle();
  }
  await trail.close();
  await moderation.close();
  await user.close();
  await bus.close();
  await store.close();
  const of = (loads: readonly Load[], key: 'perSecond' | 'p50Ms') => median(loads.map((load) => load[key]));
  const ratio = median(withIt.map((load, round) => load.perSecond / (without[round]?.perSecond ?? 1)));
  const figures = (loads: readonly Load[]) =>
    `${of(loads, 'perSecond').toFixed(0)}/s  p50 ${of(loads, 'p50Ms').toFixed(1)} ms`;
  console.log(
    `changes: unrecorded ${figures(without)}, recorded ${figures(withIt)}, ratio ${ratio.toFixed(2)}`,
  );
}

/** Measures the median time of a request, and the processor time of one request, in milliseconds. */
async function p50AndCpu(server: Server, token: string, path: string) {
  const before = server.cpuMs();
  let requests = 0;
  const p50Ms = await p50(() => {
    requests++;
    return call(server, token, 'GET', path);
  });
  return { p50Ms, cpuMs: (server.cpuMs() - before) / requests };
}

/** Writes entries, and reports of events, into a new data directory. */
async function fill(directory: string, entries: number, reports: number): Promise<void> {
  const rooms = Math.ceil(reports / REPORTS_PER_ROOM);
  await loadRooms(directory, { rooms, members: MEMBERS });
  loadInto(await write(directory, 'reports', reportsIn(rooms, reports)), { STEWARD_DATA: directory });
  const path = join(directory, 'steward.db');
  const start = performance.now();
  const store = await openSqliteStore({ path });
  // Drops the indexes of the collection, which the server has already created; opening the whole collection rebuilds them.
  await insertBare(store, auditLog, entriesOf(entries));
  await store.close();
  const whole = await openSqliteStore({ path });
  await whole.collection(auditLog);
  await whole.close();
  const perSecond = Math.round(entries / ((performance.now() - start) / 1000));
  console.log(`written: ${entries} entries, ${perSecond} a second; ${reports} reports in ${rooms} rooms`);
}

function* reportsIn(rooms: number, reports: number): Generator<object> {
  const reporters = Math.ceil(reports / REPORTS_PER_REPORTER);
  for (let n = 0; n < reports; n++) {
    const room = (n * 7_919) % rooms;
    yield {
      id: n + 1,
      event_id: eventId(room, 1),
      room_id: roomId(room),
      user_id: userId((n * 104_729) % reporters),
      received_ts: FIRST_TS + n,
      reason: 'spam',
      score: -50,
    };
  }
}

function* entriesOf(count: number): Generator<AuditEntry> {
  for (let n = 0; n < count; n++) yield entryAt(n);
}

function entryAt(n: number): AuditEntry {
  const ts = FIRST_TS + n;
  const target = userId(n % TARGETS);
  const refused = n % REFUSED === 0;
  return {
    _id: entryId(ts, 0, systemRandom),
    ts,
    action: ACTIONS[n % ACTIONS.length] as string,
    actor: userId(n % ACTORS),
    acting_as: null,
    token_kind: 'device',
    device_id: 'BENCH',
    address: '192.0.2.1',
    request_id: `request${n}`,
    targets: [target],
    request: JSON.stringify({ user_id: target, displayname: `Name ${n}` }),
    request_truncated: false,
    outcome: refused ? 'refused' : 'ok',
    status: refused ? 400 : 200,
    errcode: refused ? 'M_INVALID_PARAM' : null,
    task_id: null,
    ended_ts: ts,
  };
}
