import { parseArgs } from 'node:util';
import { attacks } from './attacks.ts';
import { carryOut, type Report, registerAdministrator } from './carry-out.ts';
import { openOneProcess, openSeveralProcesses, type Site } from './site.ts';

/**
 * Attacks a server with usual settings while an administrator works, and prints a line for each attack: whether the
 * server held, how long the administrator waited, and the memory of the processes. At the end all attacks that wear
 * the server down run at once, from one address.
 */
const { values } = parseArgs({
  options: {
    /** `one` process, `several`, or `both`. */
    setup: { type: 'string', default: process.env.MONGODB_URL === undefined ? 'one' : 'both' },
    /** The name of one attack, or `all-at-once`. */
    only: { type: 'string' },
    /** How long each attack continues. */
    seconds: { type: 'string', default: '15' },
    /** A data directory, of which the server in one process gets a copy; without it, the server starts on no data. */
    data: { type: 'string' },
    /** The name of the server whose data it is. */
    'server-name': { type: 'string', default: 'localhost' },
  },
});

const ALL_AT_ONCE = 'all-at-once';
const MS_PER_S = 1_000;

const SETUPS = {
  one() {
    const { data: directory, 'server-name': serverName } = values;
    return openOneProcess(directory === undefined ? undefined : { directory, serverName });
  },
  several() {
    const { MONGODB_URL: mongo, NATS_URL: nats } = process.env;
    if (mongo === undefined || nats === undefined) {
      throw new Error('Set MONGODB_URL and NATS_URL, or choose --setup one.');
    }
    return openSeveralProcesses({ mongo, nats });
  },
};

const chosen = Object.entries(SETUPS).filter(([name]) => [name, 'both'].includes(values.setup));
if (chosen.length === 0) throw new Error('--setup is one, several or both.');
const { only } = values;
const names = [...attacks.map(({ name }) => name), ALL_AT_ONCE];
if (only !== undefined && !names.includes(only)) throw new Error(`--only is one of ${names.join(', ')}.`);
const durationMs = Number(values.seconds) * MS_PER_S;
if (!(durationMs > 0)) throw new Error('--seconds is a number above 0.');

// A regular exit ends the started processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

for (const [name, open] of chosen) {
  console.log(`\n${name === 'one' ? 'one process' : 'several processes'}`);
  const site = await open();
  try {
    await attackSite(site);
  } finally {
    await site.close();
  }
}

async function attackSite(site: Site): Promise<void> {
  const admin = await registerAdministrator(site);
  const possible = attacks.filter(({ onServices }) => !onServices || site.services.length > 0);
  for (const attack of possible) {
    if (only !== undefined && only !== attack.name) continue;
    print(attack.title, await carryOut([attack], site, { admin, durationMs, label: 'alone' }));
  }
  if (only !== undefined && only !== ALL_AT_ONCE) return;
  const starving = possible.filter(({ starves }) => starves);
  print(
    'all that wear the server down at once',
    await carryOut(starving, site, { admin, durationMs, label: 'all' }),
  );
}

function print(title: string, { broken, waits, memory, figures }: Report): void {
  const ms = (wait: number) => `${Math.round(wait)} ms`;
  const used = [...memory].map(([name, mb]) => `${name} ${mb}`).join(', ');
  console.log(
    `${broken.length === 0 ? 'held  ' : 'BROKEN'}  ${title}: the administrator waited ${ms(waits.p50)}, ` +
      `p99 ${ms(waits.p99)}, at most ${ms(waits.longest)}; MB: ${used}; ${figures.join('; ')}`,
  );
  for (const promise of broken) console.log(`        ${promise}`);
  if (broken.length > 0) process.exitCode = 1;
}
