import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { displayName, loadData, userId } from './data.ts';
import { loadTask, median } from './load.ts';
import { FIRST_TS, loadMedia, mediaId, STEP_MS } from './media-data.ts';
import { loadRoomOfMedia, MEDIA_ROOM } from './media-room.ts';
import { p50 } from './p50.ts';
import { register, type Server, startBytesFloor, startSteward } from './servers.ts';

const FILE_BYTES = 10_000_000;

/** Media of a user and of a room whose quarantines are measured. */
const OF_USER = 100_000;
const OF_ROOM = 10_000;

/** Media per user in the small data set. */
const FEW_PER_USER = 10;

/** How long the concurrent requests are measured on an idle server, and the pause between two of them, in milliseconds. */
const IDLE_MS = 5_000;
const PAUSE_MS = 5;

/** The limit of the latency of small requests during a large one, in milliseconds. */
const LONGEST_WAIT_MS = 50;

const ADMIN = '/_service/admin/v1';

/**
 * Measures media: their bytes against a bare file server, statistics of many against few, and the latency of concurrent
 * requests during large operations.
 */
export async function media(options: {
  readonly directory: string;
  readonly few: number;
  readonly users: number;
  readonly media: number;
  readonly seconds: number;
  readonly rounds: number;
}): Promise<void> {
  const few = join(options.directory, 'few-media');
  const many = join(options.directory, 'many-media');
  await loadData(few, options.few);
  await loadMedia(few, { users: options.few, media: options.few * FEW_PER_USER, ofFirst: FEW_PER_USER });
  await loadData(many, options.users);
  await loadMedia(many, { users: options.users, media: options.media, ofFirst: OF_USER });
  // The last media, because those of the first user are already quarantined when the room is measured.
  await loadRoomOfMedia(
    many,
    Array.from({ length: OF_ROOM }, (_, n) => mediaId(options.media - 1 - n)),
  );
  const small = await startSteward(few);
  const large = await startSteward(many);
  try {
    const tokens = [
      await register(small.url, 'bench', true),
      await register(large.url, 'bench', true),
    ] as const;
    await bytes(small, tokens[0], options);
    await statistics([small, large], tokens);
    await windows(large, tokens[1], options.media);
    await quarantines(large, tokens[1]);
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
}

async function bytes(
  server: Server,
  token: string,
  { directory, seconds, rounds }: { directory: string; seconds: number; rounds: number },
): Promise<void> {
  const data = join(directory, 'bytes');
  const file = randomBytes(FILE_BYTES);
  await mkdir(data);
  await writeFile(join(data, 'file'), file);
  const floor = await startBytesFloor(data);
  try {
    const upload = `${server.url}/_proto/media/v3/upload`;
    const { content_uri: uri } = JSON.parse(await send(upload, token, file));
    const download = `${server.url}/_proto/client/v1/media/download/${uri.slice('mxc://'.length)}`;
    console.log(`${FILE_BYTES / 1e6} MB                  steward MB/s   floor MB/s   ratio (aim)`);
    const compare = async (
      name: string,
      aim: number,
      ours: () => Promise<unknown>,
      bare: () => Promise<unknown>,
    ) => {
      const speeds: [number, number][] = [];
      for (let round = 0; round < rounds; round++) {
        const a = await loadTask(seconds, async () => void (await ours()));
        const b = await loadTask(seconds, async () => void (await bare()));
        if (a.failed + b.failed > 0) throw new Error(`${name}: ${a.failed} and ${b.failed} failed`);
        speeds.push([(a.perSecond * FILE_BYTES) / 1e6, (b.perSecond * FILE_BYTES) / 1e6]);
      }
      const [ours50, bare50] = [median(speeds.map(([a]) => a)), median(speeds.map(([, b]) => b))];
      const ratio = `${median(speeds.map(([a, b]) => a / b)).toFixed(2)} (${aim.toFixed(2)})`;
      console.log(
        name.padEnd(20),
        ours50.toFixed(0).padStart(12),
        bare50.toFixed(0).padStart(12),
        ratio.padStart(14),
      );
    };
    await compare(
      'download',
      1 / 2,
      () => send(download, token),
      () => send(`${floor.url}/file`, token),
    );
    await compare(
      'upload',
      1 / 3,
      () => send(upload, token, file),
      () => send(floor.url, token, file),
    );
  } finally {
    await floor.stop();
  }
}

async function statistics(
  servers: readonly [Server, Server],
  tokens: readonly [string, string],
): Promise<void> {
  console.log('\nv1/statistics/users/media?               few ms  many ms  growth (aim 2)');
  const row = async (query: string) => {
    const path = `${ADMIN}/statistics/users/media?${query}`;
    const a = await p50(() => send(`${servers[0].url}${path}`, tokens[0]));
    const b = await p50(() => send(`${servers[1].url}${path}`, tokens[1]));
    console.log(query.padEnd(40), ...[a, b, b / a].map((figure) => figure.toFixed(2).padStart(8)));
  };
  await row('');
  for (const key of ['user_id', 'displayname', 'media_length', 'media_count']) {
    for (const dir of ['f', 'b']) await row(`order_by=${key}&dir=${dir}`);
  }
}

/** Measures statistics of a time range, which read the media of that range. */
async function windows(server: Server, token: string, count: number): Promise<void> {
  const halfway = FIRST_TS + (count / 2) * STEP_MS;
  const day = 24 * 60 * 60_000;
  console.log(`\nof a time, among ${count} media              ms`);
  await withConcurrentRequests(
    server,
    token,
    'nothing',
    () => new Promise((done) => setTimeout(done, IDLE_MS)),
  );
  for (const query of [
    `from_ts=${halfway}`,
    `from_ts=1&order_by=media_length&dir=b`,
    `from_ts=${halfway}&order_by=displayname`,
    `from_ts=${halfway}&search_term=${encodeURIComponent(displayName(777).slice(0, 4))}`,
    `from_ts=${halfway}&until_ts=${halfway + day}&order_by=displayname&dir=b`,
  ]) {
    const path = `${ADMIN}/statistics/users/media?${query}`;
    await withConcurrentRequests(server, token, query, () => send(`${server.url}${path}`, token));
  }
}

async function quarantines(server: Server, token: string): Promise<void> {
  console.log('\nquarantine of                               ms');
  await withConcurrentRequests(
    server,
    token,
    'nothing',
    () => new Promise((done) => setTimeout(done, IDLE_MS)),
  );
  const quarantine = async (name: string, path: string) => {
    const answer = await withConcurrentRequests(server, token, name, () =>
      send(`${server.url}${ADMIN}${path}`, token, Buffer.alloc(0)),
    );
    console.log(`  ${answer}`);
  };
  await quarantine(`${OF_USER} of a user`, `/user/${encodeURIComponent(userId(0))}/media/quarantine`);
  await quarantine(`${OF_ROOM} of a room`, `/room/${encodeURIComponent(MEDIA_ROOM)}/media/quarantine`);
}

/** Runs a large request; returns its duration and the latencies of concurrent small requests. */
async function withConcurrentRequests<R>(
  server: Server,
  token: string,
  name: string,
  work: () => Promise<R>,
): Promise<R> {
  const waits: number[] = [];
  let done = false;
  const others = (async () => {
    while (!done) {
      const start = performance.now();
      await send(`${server.url}/_proto/client/v3/account/whoami`, token);
      waits.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  })();
  const start = performance.now();
  const result = await work();
  const took = performance.now() - start;
  done = true;
  await others;
  waits.sort((a, b) => a - b);
  const at = (share: number) => (waits[Math.floor(waits.length * share)] ?? 0).toFixed(1);
  const long = waits.filter((wait) => wait > LONGEST_WAIT_MS).length;
  console.log(
    name.padEnd(38),
    took.toFixed(0).padStart(7),
    `  others: ${waits.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1 - Number.EPSILON)} ms,`,
    `over ${LONGEST_WAIT_MS} ms: ${long}`,
  );
  return result;
}

/** Sends a GET request, or a POST request with the bytes if given; returns the first chunk of the answer. */
function send(url: string, token: string, body?: Buffer): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body ? { 'content-length': body.length, 'content-type': 'application/octet-stream' } : {}),
  };
  return new Promise((resolve, reject) => {
    // Not `fetch`, which would spend more time on the bytes than the servers do.
    const request = httpRequest(url, { method: body ? 'POST' : 'GET', headers }, (response) => {
      let text = '';
      response.on('data', (piece: Buffer) => {
        if (text.length === 0) text = piece.toString();
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url}: ${response.statusCode} ${text}`));
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
