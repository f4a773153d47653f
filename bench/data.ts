import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programPath } from '@steward/testing';

/** The compile cache of Node that `npm run import` uses. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));

/** The arguments of Node with which `npm run import` starts the command. */
export const IMPORT_ARGS = ['--max-semi-space-size=4', programPath('import')] as const;

/** The environment in which `npm run import` starts the command. */
export const importEnv = () => ({ NODE_COMPILE_CACHE: COMPILED, MALLOC_ARENA_MAX: '2', ...process.env });

/** The earliest time of the accounts, in milliseconds since the Unix epoch. */
const FIRST_TS = 1_700_000_000_000;

/** One of this many accounts has the property. */
const ONE_IN = {
  admin: 1000,
  deactivated: 20,
  guest: 50,
  locked: 100,
  shadowBanned: 200,
  bot: 100,
  avatar: 3,
};

/**
 * Writes the accounts of a data set and loads them with `npm run import`'s entry.
 *
 * @param directory where the file of the accounts is written
 * @param env names the server; a new data directory, the same one, by default
 */
export async function loadData(
  directory: string,
  users: number,
  env: Readonly<Record<string, string>> = { STEWARD_DATA: directory },
): Promise<{ readonly perSecond: number }> {
  await mkdir(directory, { recursive: true });
  const file = join(directory, 'users.ndjson');
  const out = createWriteStream(file);
  for (const user of usersOf(users)) {
    if (!out.write(`${JSON.stringify(user)}\n`)) await new Promise((resolve) => out.once('drain', resolve));
  }
  await new Promise<void>((resolve) => {
    out.end(resolve);
  });
  return { perSecond: loadInto(file, env) };
}

/** The records of accounts. */
export function* usersOf(users: number): Generator<object> {
  for (let n = 0; n < users; n++) {
    yield {
      user_id: userId(n),
      displayname: n % 10 === 0 ? null : displayName(n),
      avatar_url: n % ONE_IN.avatar === 0 ? `mxc://localhost/${((n * 104_729) % users).toString(36)}` : null,
      created_ts: FIRST_TS + ((n * 15_485_863) % users) * 1000,
      admin: n % ONE_IN.admin === 1,
      deactivated: n % ONE_IN.deactivated === 2,
      is_guest: n % ONE_IN.guest === 3,
      locked: n % ONE_IN.locked === 4,
      shadow_banned: n % ONE_IN.shadowBanned === 5,
      user_type: n % ONE_IN.bot === 6 ? 'bot' : null,
      last_seen_ts: n % 4 === 0 ? null : FIRST_TS + ((n * 32_452_843) % users) * 1000,
    };
  }
}

/**
 * Loads a file of records with the command of `npm run import`, and returns the records per second, start and end included.
 *
 * @throws Error with the last words of the import when it fails
 */
export function loadInto(file: string, env: Readonly<Record<string, string>>): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [...IMPORT_ARGS, file], {
    env: { ...importEnv(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  // After its result, it can say that it builds indexes.
  const [, lines] = /: (\d+) lines/.exec(stderr) ?? [];
  if (status !== 0 || lines === undefined) throw new Error(`The import of ${file} failed: ${last}`);
  return Math.round(Number(lines) / ((performance.now() - start) / 1000));
}

/** The id of the n-th account. */
export function userId(n: number): string {
  return `@user${String(n).padStart(7, '0')}:localhost`;
}

/** Returns a realistic name: two of many words. */
export function displayName(n: number): string {
  return `${word(n * 7919)} ${word(n * 104_729 + 13)}`;
}

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu al er in or un'.split(' ');

function word(seed: number): string {
  let rest = (seed * 2_654_435_761) >>> 0;
  let letters = '';
  for (let i = 0; i < 4; i++) {
    letters += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return letters[0]?.toUpperCase() + letters.slice(1);
}
