import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startTopology, type Topology } from '@steward/topology';
import { CLASSES, type RequestClass } from './classes/classes.ts';
import { type Scale, scaleOf } from './classes/scale.ts';
import { writeRecords } from './classes/write-scale.ts';
import { type Load, load } from './load.ts';
import { processCpuMs, register, SECRET, startSteward } from './servers.ts';

const CREDENTIAL = 'internal-credential';

/** The classes that are compared, and the most processor time of one answer, as a multiple of that in one process. */
const AIMS: Readonly<Record<string, number>> = {
  'user by id': 3,
  'user list': 2,
  'room details': 3,
  'members of a room of 1,000': 2,
  whois: 3,
  devices: 3,
  'change of a display name': 3,
};

/** How long each class runs before it is measured, in seconds. */
const WARM_UP_S = 1;

/** The processes of which processor time is shown. */
const PROCESSES = ['gateway', 'user', 'room', 'media', 'moderation'] as const;

/** A server whose processor time is measured. */
interface Measured {
  readonly url: string;
  readonly admin: string;
  /** The processor time so far, in milliseconds, by process. */
  cpuMs(): readonly number[];
}

/** The most processor time of one answer of a whole server on MongoDB and NATS, as a multiple of that in one process. */
const WHOLE_AIM = 2.5;

/**
 * Compares the processor time per answer of the server as several processes on MongoDB and NATS, and of a whole server there, without
 * that of the database and the broker, with that of the server in one process, by class of requests.
 */
export async function processes(options: {
  readonly directory: string;
  readonly mongo: string;
  readonly nats: string;
  readonly users: number;
  readonly seconds: number;
  /** Part of the names of the classes to measure; all of them if absent. */
  readonly name?: string;
}): Promise<void> {
  const scale = scaleOf(options.users);
  const database = `bench_${randomBytes(4).toString('hex')}`;
  const store = new URL(options.mongo);
  store.pathname = `/${database}`;
  const env = {
    ...process.env,
    STEWARD_STORE: store.href,
    STEWARD_INTERNAL_CREDENTIAL: CREDENTIAL,
    STEWARD_NATS_URL: options.nats,
    STEWARD_REGISTRATION_SHARED_SECRET: SECRET,
    STEWARD_RATE_LIMIT: 'off',
    // The topology prints the lines of its processes, among the figures.
    STEWARD_LOG_LEVEL: 'error',
    STEWARD_CONFIG_OVERRIDES: JSON.stringify({ bus: { namespace: database } }),
  };
  const topology = await startTopology({ env });
  const data = join(options.directory, 'data');
  const rates = await writeRecords(join(options.directory, 'records'), scale, {
    STEWARD_INTERNAL_CREDENTIAL: CREDENTIAL,
    ...urlsOf(topology),
  });
  for (const [kind, rate] of Object.entries(rates)) console.log(`import of ${kind}: ${rate}/s`);
  await writeRecords(join(options.directory, 'records'), scale, { STEWARD_DATA: data });
  const one = await startSteward(data);
  // On the same data as the several processes.
  const shared = await startTopology({ env, whole: 1 });
  try {
    const children = PROCESSES.map((name) => (name === 'gateway' ? topology.gateways : topology[name]));
    const split: Measured = {
      url: topology.url,
      admin: await register(topology.url, 'bench', true),
      cpuMs: () => children.map((each) => each.reduce((sum, { pid }) => sum + processCpuMs(pid), 0)),
    };
    const whole: Measured = {
      url: shared.url,
      admin: split.admin,
      cpuMs: () => shared.gateways.map(({ pid }) => processCpuMs(pid)),
    };
    const alone: Measured = {
      url: one.url,
      admin: await register(one.url, 'bench', true),
      cpuMs: () => [one.cpuMs()],
    };
    console.log('\nprocessor time of an answer, in milliseconds');
    const columns = [
      ...PROCESSES,
      ...['sum', 'whole', 'one process', 'ratio (aim)', 'whole (aim)', 'p50 ms', '/s', 'failed'],
    ];
    console.log('class'.padEnd(NAME_WIDTH), ...columns.map((column) => column.padStart(WIDTH)));
    const selected = CLASSES.filter(({ name }) => name in AIMS && name.includes(options.name ?? ''));
    for (const each of selected) {
      const ours = await measure(split, each, scale, options.seconds);
      const wholes = await measure(whole, each, scale, options.seconds);
      const theirs = await measure(alone, each, scale, options.seconds);
      const [sum, wholeMs, floor] = [ours, wholes, theirs].map(({ cpuMs }) => total(cpuMs)) as [
        number,
        number,
        number,
      ];
      console.log(
        each.name.padEnd(NAME_WIDTH),
        ...[
          ...ours.cpuMs.map((ms) => ms.toFixed(3)),
          ...[sum, wholeMs, floor].map((ms) => ms.toFixed(3)),
          `${(sum / floor).toFixed(1)} (${AIMS[each.name]})`,
          `${(wholeMs / floor).toFixed(1)} (${WHOLE_AIM})`,
          ours.p50Ms.toFixed(0),
          ours.perSecond.toFixed(0),
          String(ours.failed + wholes.failed + theirs.failed),
        ].map((figure) => figure.padStart(WIDTH)),
      );
    }
  } finally {
    await shared.close();
    await topology.close();
    await one.stop();
  }
}

const NAME_WIDTH = 28;
const WIDTH = 11;

async function measure(
  server: Measured,
  each: RequestClass,
  scale: Scale,
  seconds: number,
): Promise<Load & { readonly cpuMs: readonly number[] }> {
  let sent = 0;
  const setupRequest = (request: object) => {
    const { token, ...next } = each.request(sent++, scale, { admin: server.admin, senders: [] });
    return { ...request, ...next, headers: { authorization: `Bearer ${token}` } };
  };
  const repeat = (duration: number) => load({ url: server.url, duration, requests: [{ setupRequest }] });
  await repeat(WARM_UP_S);
  const before = server.cpuMs();
  const result = await repeat(seconds);
  const cpuMs = server
    .cpuMs()
    .map((ms, process) => (ms - (before[process] ?? 0)) / Math.max(1, result.answers));
  return { ...result, cpuMs };
}

/** Where the import reaches the services. */
function urlsOf(topology: Topology): Readonly<Record<string, string>> {
  const services = PROCESSES.filter((name) => name !== 'gateway');
  return Object.fromEntries(
    services.map((name) => [
      `STEWARD_${name.toUpperCase()}_URLS`,
      topology[name].map(({ url }) => url).join(','),
    ]),
  );
}

function total(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0);
}
