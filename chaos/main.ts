import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { findNatsServer } from '@steward/topology/testing';
import { openOneProcess } from './one-process.ts';
import { type Report, run } from './run.ts';
import { openSeveralProcesses } from './several-processes.ts';

/**
 * Kills the server repeatedly under load and compares its state with what it acknowledged. The same seed repeats the
 * same requests and kills.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    /** `one` process, `several`, `whole` servers, or `both` of the first two. */
    setup: { type: 'string', default: 'both' },
    /** Processes of each service, or whole servers. */
    instances: { type: 'string', default: '1' },
    /** Whether to kill the broker and the database as well. */
    engines: { type: 'boolean', default: false },
  },
});

const { MONGODB_URL: mongo, NATS_URL: nats, STEWARD_CHAOS_DATABASE: database } = process.env;

const NO_ENGINES = 'Set MONGODB_URL and NATS_URL, or choose --setup one.';

const SETUPS = {
  one: openOneProcess,
  several: () => openSeveralProcesses(severalOptions()),
  whole: () => openSeveralProcesses({ ...severalOptions(), whole: Number(values.instances) }),
};

function severalOptions() {
  if (mongo === undefined || nats === undefined) throw new Error(NO_ENGINES);
  const { engines } = values;
  const natsServer = findNatsServer(process.env);
  return { mongo, nats, engines, natsServer, database, instances: Number(values.instances) };
}

const names = values.setup === 'both' ? ['one', 'several'] : [values.setup];
const chosen = Object.entries(SETUPS).filter(([name]) => names.includes(name));
if (chosen.length === 0) throw new Error('--setup is one, several, whole or both.');
if (!(Number(values.kills) > 0 && Number(values.instances) > 0)) {
  throw new Error('--kills and --instances are numbers above 0.');
}
// Checked before the first run, which may take an hour.
if (values.setup !== 'one' && (mongo === undefined || nats === undefined)) throw new Error(NO_ENGINES);

// A regular exit ends the started processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

for (const [name, open] of chosen) {
  console.log(`\n${name}: --kills ${values.kills} --seed ${values.seed}`);
  const site = await open();
  try {
    const onRound = ({ killed, checks, faults }: Report) =>
      console.log(`so far:    ${sum(killed)} kills, ${checks} checks, of which failed ${faults.length}`);
    print(await run({ site, kills: Number(values.kills), seed: values.seed, onRound }));
  } finally {
    await site.close();
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, times) => total + times, 0);
}

function print({ killed, answers, accepted, checks, longestRecoveryS, faults }: Report): void {
  const list = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([what, times]) => `${times} ${what}`).join(', ');
  console.log(`killed:    ${list(killed)}`);
  console.log(`accepted:  ${list(accepted)}, with ${answers} answers`);
  console.log(`recovered: in at most ${longestRecoveryS.toFixed(1)} s`);
  console.log(`checks:    ${checks}, of which failed ${faults.length}`);
  for (const fault of faults) console.log(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
