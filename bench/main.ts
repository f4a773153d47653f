import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { auditing } from './audit.ts';
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
 * The benches: steward against a floor that does the same store work, alternating in one run, and
 * steward at many accounts against itself at few. Compare numbers of one run only.
 */
const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '100000' },
    few: { type: 'string', default: '1000' },
    rooms: { type: 'string', default: '10000' },
    media: { type: 'string', default: '1000000' },
    /** Events of the large rooms on which durable work is measured. */
    events: { type: 'string', default: '100000' },
    entries: { type: 'string', default: '1000000' },
    reports: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});

/** Benches that can be run alone. */
const BENCHES = ['durable', 'sessions', 'rooms', 'media', 'audit', 'paired', 'growth', 'processes'];

const { only } = values;
if (only !== undefined && !BENCHES.includes(only)) throw new Error(`--only is one of ${BENCHES.join(', ')}.`);
// Processes are measured only on request: they need engines.
const wants = (...benches: readonly string[]) => only === undefined || benches.includes(only);

const { MONGODB_URL: mongo, NATS_URL: nats } = process.env;
const engines = mongo === undefined || nats === undefined ? undefined : { mongo, nats };
if (only === 'processes' && engines === undefined) throw new Error('Set MONGODB_URL and NATS_URL.');

const [users, few, events] = [Number(values.users), Number(values.few), Number(values.events)];
const timing = { seconds: Number(values.seconds), rounds: Number(values.rounds) };
const directory = await mkdtemp(join(tmpdir(), 'steward-bench-'));
try {
  if (only === 'processes' && engines) {
    await processes({ directory: join(directory, 'few'), ...engines, users: few, ...timing });
  }
  if (wants('durable')) {
    await durableWork({ directory: join(directory, 'durable'), events, engines });
  }
  if (wants('sessions')) {
    await lastSeen({ directory, ...timing });
    await logins({ data: join(directory, 'empty'), ...timing });
  }
  if (wants('rooms')) {
    await rooms({ directory, rooms: Number(values.rooms), seconds: timing.seconds });
  }
  if (wants('media')) {
    await media({ directory, few, users, media: Number(values.media), ...timing });
  }
  if (wants('audit')) {
    const entries = Number(values.entries);
    await auditing({ directory, entries, reports: Number(values.reports), ...timing });
  }
  if (wants('paired', 'growth')) {
    const many = join(directory, 'many');
    const { perSecond } = await loadData(many, users);
    console.log(`import: ${users} accounts, ${perSecond} a second\n`);
    if (wants('paired')) {
      const copy = join(directory, 'floor');
      await cp(many, copy, { recursive: true });
      await paired({ steward: many, floor: copy, ...timing });
    }
    if (wants('growth')) {
      const fewData = join(directory, 'few');
      await loadData(fewData, few);
      await growth({ few: fewData, many, users });
    }
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
