import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { auditing } from './audit.ts';
import { classesBench } from './classes/classes-bench.ts';
import { loadData } from './data.ts';
import { durableWork } from './durable-work.ts';
import { growth } from './growth.ts';
import { lastSeen } from './last-seen.ts';
import { logins } from './logins.ts';
import { media } from './media.ts';
import { paired } from './paired.ts';
import { processes } from './processes.ts';
import { rooms } from './rooms.ts';

/**
 * The benches compare the server with a baseline that runs the same store operations, alternating in one run,
 * and the server with many accounts to itself with few. Only the numbers of one run are comparable.
 */
const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '100000' },
    few: { type: 'string', default: '1000' },
    rooms: { type: 'string', default: '10000' },
    media: { type: 'string', default: '1000000' },
    /** The number of events in the large rooms of the bench of durable work. */
    events: { type: 'string', default: '100000' },
    entries: { type: 'string', default: '1000000' },
    reports: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    /** The numbers of users at which classes are measured. */
    scales: { type: 'string', default: '1000,100000' },
    /** Where the data sets of the classes are kept; they are written to a temporary directory unless given. */
    data: { type: 'string' },
    /** Measures the classes whose names contain this. */
    class: { type: 'string' },
    /** Makes the figures of the classes the committed baseline. */
    baseline: { type: 'boolean', default: false },
  },
});

/** The benches that `--only` can select. */
const BENCHES = [
  'classes',
  'durable',
  'sessions',
  'rooms',
  'media',
  'audit',
  'paired',
  'growth',
  'processes',
];

const { only } = values;
if (only !== undefined && !BENCHES.includes(only)) throw new Error(`--only is one of ${BENCHES.join(', ')}.`);
// The bench of processes runs only when it is selected, because it needs engines.
const isSelected = (...benches: readonly string[]) => only === undefined || benches.includes(only);

const { MONGODB_URL: mongo, NATS_URL: nats } = process.env;
const engines = mongo === undefined || nats === undefined ? undefined : { mongo, nats };
if (only === 'processes' && engines === undefined) throw new Error('Set MONGODB_URL and NATS_URL.');

const [users, few, events] = [Number(values.users), Number(values.few), Number(values.events)];
const timing = { seconds: Number(values.seconds), rounds: Number(values.rounds) };
const directory = await mkdtemp(join(tmpdir(), 'steward-bench-'));
try {
  if (isSelected('classes')) {
    const scales = values.scales.split(',').map(Number);
    const name = values.class === undefined ? {} : { name: values.class };
    const kept = values.data ?? join(directory, 'classes');
    const { baseline } = values;
    await classesBench({ directory: kept, users: scales, seconds: timing.seconds, baseline, ...name });
  }
  if (only === 'processes' && engines) {
    const name = values.class === undefined ? {} : { name: values.class };
    await processes({
      directory: join(directory, 'processes'),
      ...engines,
      users: few,
      seconds: timing.seconds,
      ...name,
    });
  }
  if (isSelected('durable')) {
    await durableWork({ directory: join(directory, 'durable'), events, engines });
  }
  if (isSelected('sessions')) {
    await lastSeen({ directory, ...timing });
    await logins({ data: join(directory, 'empty'), ...timing });
  }
  if (isSelected('rooms')) {
    await rooms({ directory, rooms: Number(values.rooms), seconds: timing.seconds });
  }
  if (isSelected('media')) {
    await media({ directory, few, users, media: Number(values.media), ...timing });
  }
  if (isSelected('audit')) {
    const entries = Number(values.entries);
    await auditing({ directory, entries, reports: Number(values.reports), ...timing });
  }
  if (isSelected('paired', 'growth')) {
    const many = join(directory, 'many');
    const { perSecond } = await loadData(many, users);
    console.log(`import: ${users} accounts, ${perSecond} a second\n`);
    if (isSelected('paired')) {
      const copy = join(directory, 'floor');
      await cp(many, copy, { recursive: true });
      await paired({ steward: many, floor: copy, ...timing });
    }
    if (isSelected('growth')) {
      const fewData = join(directory, 'few');
      await loadData(fewData, few);
      await growth({ few: fewData, many, users });
    }
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
