/**
 * Kills copies of a generated old homeserver at random moments, and compares what they end with to a copy that was not killed:
 *
 * ```sh
 * node bench/kill-copies.ts <folder> --kills 20 --scale 0.002 --seed 1   # 1: 100,000 users, 10,000 rooms, 5,000,000 events
 * ```
 *
 * The folder must not exist; it needs some three times the space of the old homeserver. Each copy goes on in the data directory of the
 * killed one before it, until one ends; the next one begins in an empty directory. Exit status: 0 all ended the same, 1 one did not.
 */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { programPath } from '@steward/testing';
import { seededRandom } from '@steward/topology/testing';

const SERVER = 'bench.test';
const MS_PER_SECOND = 1_000;

/** Until when a copy is killed, in durations of a whole one; those that end before are compared. */
const LONGEST = 1.25;

/** How a process ended. */
interface Ended {
  readonly code: number | null;
  readonly isKilled: boolean;
  readonly ms: number;
}

/** Runs a program of Node, which is killed after some milliseconds. */
function run(args: readonly string[], data: string, killAfterMs?: number): Promise<Ended> {
  const env = { ...process.env, STEWARD_SERVER_NAME: SERVER, STEWARD_DATA: data };
  const began = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, isKilled: signal === 'SIGKILL', ms: performance.now() - began });
    });
  });
}

/** Runs a program of Node to its end. */
async function runWhole(args: readonly string[], data: string): Promise<number> {
  const { code, ms } = await run(args, data);
  if (code !== 0) throw new Error(`${args[0]} has ended with ${code}`);
  return ms;
}

/** A digest of everything that a data directory has, by an export of it, which is removed again. */
async function digestOf(data: string): Promise<string> {
  const folder = `${data}-export`;
  await runWhole([programPath('export'), '--to', folder], data);
  const digest = createHash('sha256');
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.ndjson')) continue;
    digest.update(`${name}\n`);
    for await (const part of createReadStream(join(folder, name))) digest.update(part);
  }
  rmSync(folder, { recursive: true });
  return digest.digest('hex');
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '20' },
    scale: { type: 'string', default: '0.002' },
    seed: { type: 'string', default: '1' },
  },
});
const [folder] = positionals;
if (folder === undefined || existsSync(folder)) throw new Error('Name a folder that does not exist.');
const old = join(folder, 'old');
const copy = [programPath('migrate'), 'copy', '--from', join(old, 'homeserver.yaml')];
await runWhole([join(import.meta.dirname, 'old-homeserver.ts'), old, '--scale', values.scale], folder);
const durationMs = await runWhole(copy, join(folder, 'whole'));
const expected = await digestOf(join(folder, 'whole'));
console.log(`A copy takes ${(durationMs / MS_PER_SECOND).toFixed(1)} s, and ends with ${expected}.`);

const longestMs = Math.ceil(durationMs * LONGEST);
const random = seededRandom(values.seed);
const total = Number(values.kills);
let differing = 0;
for (let kills = 0, copies = 1; kills < total; copies++) {
  const data = join(folder, `killed-${copies}`);
  const moments: string[] = [];
  for (;;) {
    const killAfterMs = kills < total ? random.below(longestMs) : undefined;
    const { code, isKilled, ms } = await run(copy, data, killAfterMs);
    if (!isKilled) {
      if (code !== 0) throw new Error(`The copy has ended with ${code}`);
      break;
    }
    kills++;
    moments.push((ms / MS_PER_SECOND).toFixed(1));
  }
  const digest = await digestOf(data);
  if (digest !== expected) differing++;
  const outcome = digest === expected ? 'the same' : `${digest}, which differs`;
  console.log(`Copy ${copies}, killed after ${moments.join(', ') || 'no'} s, ends with ${outcome}.`);
  // One that differs is kept, to be looked at.
  if (digest === expected) rmSync(data, { recursive: true });
}
process.exitCode = differing > 0 ? 1 : 0;
