import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { auditing } from './audit.ts';
import { away } from './away.ts';
import { classesBench } from './classes/classes-bench.ts';
import { mixBench } from './classes/mix.ts';
import { durableWork } from './durable-work.ts';
import { findUsers } from './find-users.ts';
import { importAll } from './import.ts';
import { lastSeen } from './last-seen.ts';
import { lists } from './lists.ts';
import { logins } from './logins.ts';
import { media } from './media.ts';
import { processes } from './processes.ts';
import { rooms } from './rooms.ts';
import { talk } from './talk.ts';

/**
 * The benches measure the server at several sizes of its data, most of them against a floor or a baseline in the same run.
 * Only the numbers of one run are comparable.
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
  'import',
  'classes',
  'mix',
  'durable',
  'sessions',
  'rooms',
  'talk',
  'away',
  'media',
  'audit',
  'find',
  'lists',
  'processes',
];

const { only } = values;
if (only !== undefined && !BENCHES.includes(only)) throw new Error(`--only is one of ${BENCHES.join(', ')}.`);
// The bench of processes runs only when it is selected, because it needs engines; those of filters and lists, because they take long.
const isSelected = (bench: string) => only === undefined || only === bench;

const { MONGODB_URL: mongo, NATS_URL: nats } = process.env;
const engines = mongo === undefined || nats === undefined ? undefined : { mongo, nats };
if (only === 'processes' && engines === undefined) throw new Error('Set MONGODB_URL and NATS_URL.');

const [users, few, events] = [Number(values.users), Number(values.few), Number(values.events)];
const timing = { seconds: Number(values.seconds), rounds: Number(values.rounds) };
const directory = await mkdtemp(join(tmpdir(), 'steward-bench-'));
try {
  const directoryOfScales = values.data ?? join(directory, 'classes');
  const scales = values.scales.split(',').map(Number);
  if (isSelected('import')) await importAll({ directory: join(directory, 'import'), users });
  if (isSelected('classes')) {
    const name = values.class === undefined ? {} : { name: values.class };
    const { baseline } = values;
    const { seconds } = timing;
    await classesBench({ directory: directoryOfScales, users: scales, seconds, baseline, ...name });
  }
  if (isSelected('mix')) {
    await mixBench({ directory: directoryOfScales, users: scales, seconds: timing.seconds });
  }
  if (only === 'find') {
    const name = values.class === undefined ? {} : { name: values.class };
    await findUsers({ directory: values.data ?? join(directory, 'find'), users, ...name });
  }
  if (only === 'lists') {
    const name = values.class === undefined ? {} : { name: values.class };
    await lists({ directory: values.data ?? join(directory, 'lists'), users, ...name });
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
  if (isSelected('talk')) await talk({ directory, seconds: timing.seconds });
  if (isSelected('away')) await away({ directory });
  if (isSelected('media')) {
    await media({ directory, few, users, media: Number(values.media), ...timing });
  }
  if (isSelected('audit')) {
    const entries = Number(values.entries);
    await auditing({ directory, entries, reports: Number(values.reports), ...timing });
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
