import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Scale, scaleOf } from './classes/scale.ts';
import { events, reports, rooms } from './classes/write-scale.ts';
import { IMPORT_ARGS, importEnv, userId, usersOf } from './data.ts';
import { mediaId, mediaOf } from './media-data.ts';
import { write } from './rooms-data.ts';
import { processCpuMs } from './servers.ts';

/** The fewest records of a kind that the import must load per second of its processor time, which other programs hardly change. */
const BOUNDS: Readonly<Record<string, number>> = {
  users: 5_000,
  devices: 8_000,
  rooms: 10_000,
  events: 4_000,
  media: 6_000,
  reports: 6_000,
};

/** The most processor time after the records, as a multiple of that for them: it builds the indexes. */
const MAX_AFTER = 1;

/** The devices of each active user, and one in so many users that has none. */
const DEVICES = 2;
const ONE_WITHOUT_DEVICES = 10;

/** One in so many users that has an address, and one in an identity provider. */
const ONE_WITH_ADDRESS = 2;
const ONE_WITH_EXTERNAL_ID = 4;

/** One in so many users with an avatar that is a medium of the data set. */
const ONE_WITH_AVATAR = 3;

/**
 * Imports the whole data set of a scale, each kind as a file, with one call of the command of `npm run import` into an empty
 * data directory; shows the rate of each kind, the time of the whole and the memory, and fails where a bound is missed.
 */
export async function importAll({ directory, users }: { directory: string; users: number }): Promise<void> {
  const scale = scaleOf(users);
  const records = join(directory, 'records');
  await mkdir(records, { recursive: true });
  const files: string[] = [];
  for (const [kind, lines] of recordsOf(scale)) files.push(await write(records, kind, lines));
  const start = performance.now();
  const imported = spawn(process.execPath, [...IMPORT_ARGS, ...files], {
    env: { ...importEnv(), STEWARD_DATA: join(directory, 'data') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ends = new Map<string, KindEnd>();
  let [cpuMs, peakMb] = [0, 0];
  for await (const line of createInterface(imported.stderr)) {
    cpuMs = Math.max(cpuMs, cpuMsOf(imported));
    peakMb = Math.max(peakMb, peakMbOf(imported));
    const [, file, lines, bad, perSecond] =
      /^(.*\.ndjson): (\d+) lines, .* (\d+) bad, (\d+)\/s/.exec(line) ?? [];
    if (file === undefined) console.log(line);
    else {
      const end = { lines: Number(lines), bad: Number(bad), perSecond: Number(perSecond), cpuMs };
      ends.set(basename(file, '.ndjson'), end);
    }
  }
  const code = await new Promise((resolve) => {
    if (imported.exitCode === null) imported.once('exit', resolve);
    else resolve(imported.exitCode);
  });
  const missed: string[] = code === 0 ? [] : [`the import ended with ${code}`];
  let before = 0;
  for (const [kind, least] of Object.entries(BOUNDS)) {
    const end = ends.get(kind) ?? { lines: 0, bad: 0, perSecond: 0, cpuMs: before };
    const rate = Math.round(end.lines / ((end.cpuMs - before) / 1_000));
    before = end.cpuMs;
    console.log(
      `import of ${kind.padEnd(8)} ${end.lines} records, ${end.perSecond}/s; ${rate} per second of processor time (at least ${least})`,
    );
    if (end.bad > 0) missed.push(`${end.bad} ${kind} are bad`);
    if (!(rate >= least)) missed.push(`${kind} are imported at ${rate}/s, below ${least}/s`);
  }
  const totalS = (performance.now() - start) / 1_000;
  console.log(
    `the import took ${totalS.toFixed(1)} s; of the processor ${seconds(cpuMs)}, of which ${seconds(cpuMs - before)} after the records; ${Math.round(peakMb)} MB`,
  );
  if (cpuMs - before > MAX_AFTER * before) missed.push('more time is spent after the records than for them');
  if (missed.length > 0) throw new Error(missed.join('; '));
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** What the last line about a kind says, and the processor time that the import has taken until then. */
interface KindEnd {
  readonly lines: number;
  readonly bad: number;
  readonly perSecond: number;
  readonly cpuMs: number;
}

/** The processor time that a process has taken so far, in milliseconds; 0 when it has ended. */
function cpuMsOf({ pid }: ChildProcess): number {
  try {
    return processCpuMs(pid);
  } catch {
    return 0;
  }
}

/** The most memory that a process has taken so far, in MB; 0 when it has ended. */
function peakMbOf({ pid }: ChildProcess): number {
  try {
    const [, kib] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

/** The records of every kind, in the order in which they are loaded. */
function* recordsOf(scale: Scale): Generator<readonly [kind: string, records: Iterable<object>]> {
  yield ['users', usersWithAddresses(scale)];
  yield ['devices', devicesOf(scale)];
  yield ['rooms', rooms(scale)];
  yield ['events', events(scale)];
  yield ['media', mediaOf({ users: scale.users, media: scale.media, ofFirst: 10 })];
  yield ['reports', reports(scale)];
}

function* usersWithAddresses({ users, media }: Scale): Generator<object> {
  let n = 0;
  for (const user of usersOf(users + 10)) {
    yield {
      ...user,
      avatar_url: n % ONE_WITH_AVATAR === 0 ? `mxc://localhost/${mediaId((n * 7_919) % media)}` : null,
      threepids:
        n % ONE_WITH_ADDRESS === 0
          ? [{ medium: 'email', address: `user.${n}@example.org`, added_at: 1, validated_at: 1 }]
          : [],
      external_ids:
        n % ONE_WITH_EXTERNAL_ID === 0 ? [{ auth_provider: 'oidc', external_id: `subject-${n}` }] : [],
    };
    n++;
  }
}

function* devicesOf({ users }: Scale): Generator<object> {
  for (let n = 0; n < users; n++) {
    if (n % ONE_WITHOUT_DEVICES === 0) continue;
    for (let d = 0; d < DEVICES; d++) {
      yield {
        user_id: userId(n),
        device_id: `DEVICE${n}${d}`,
        display_name: `Device ${d}`,
        last_seen_ts: 1_700_000_000_000 + ((n * 32_452_843) % users) * 1_000 + d,
        last_seen_ip: `192.0.2.${n % 256}`,
        last_seen_user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
      };
    }
  }
}
