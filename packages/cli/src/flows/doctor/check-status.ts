import type { GetServerStatusResponse } from '@steward/sdk';
import { type Finding, fail, ok, warn } from './finding.ts';

const LATE_MS = 60_000;
const TASKS_LATE_MS = 600_000;
const MANY_PENDING = 1_000;
const MS_PER_S = 1_000;

const SEE = 'see docs/observability.md#server-status';
/** What to do about what the server names as degraded, where a check has no better advice. */
const REMEDIES: Readonly<Record<string, string>> = {
  process_lost: 'look at the log of the process that ended; a supervisor starts it again',
  event_loop_late: 'give the process more processor time, or add a process',
  disk_missing: 'free space on the disk of the data directory',
  notices_account_missing:
    'server notices are not sent, because the server did not make the account named notices.localpart; set another name or ' +
    'notices.adopt_account, see docs/server-notices.md',
};

/** What the state of the server tells. */
export function* checkStatus(status: GetServerStatusResponse, release: string): Generator<Finding> {
  yield* checkReleases(status, release);
  yield* checkProcesses(status);
  const { store, store_version: version, broker, degraded, dead_letters: letters } = status;
  yield version === null || degraded.includes('store_missing')
    ? fail('store', `${store} does not answer to every process`, 'start the database, and look at its log')
    : ok('store', `${store} ${version}, schema ${status.schema}`);
  yield degraded.includes('broker_missing')
    ? fail(
        'broker',
        `${broker} does not answer to every process`,
        'start the broker; requests go on, what follows them waits',
      )
    : ok('broker', broker === 'none' ? 'none is needed in one process' : broker);
  yield* checkQueues(status);
  if (letters === null) yield warn('dead letters', 'not known while the broker does not answer', SEE);
  else if (letters > 0)
    yield warn(
      'dead letters',
      `${letters} facts were given up`,
      'stewardctl dead-letters list; correct the cause, then stewardctl dead-letters replay <id>',
    );
  else yield ok('dead letters', 'none');
  const others = degraded.filter((code) => !CHECKED.test(code));
  for (const code of others) yield warn('degraded', code, REMEDIES[code] ?? SEE);
}

/** What the server names as degraded and a check is about. */
const CHECKED =
  /^(?:store_missing|broker_missing|\w+_late|dead_letters|releases_differ|process_lost|(?:gateway|user|room|media|moderation)_missing)$/;

function* checkReleases(
  { release: server, processes }: GetServerStatusResponse,
  release: string,
): Generator<Finding> {
  const releases = [...new Set(processes.map((each) => each.release))];
  if (releases.length > 1)
    yield warn(
      'versions',
      `processes are of the releases ${releases.join(', ')}`,
      'bring all processes to one release',
    );
  else if (server !== release)
    yield warn(
      'versions',
      `the server is ${server}, stewardctl ${release}`,
      `npm install --global @steward/cli@${server}`,
    );
  else yield ok('versions', `server and stewardctl are ${server}`);
}

function* checkProcesses({ processes, degraded }: GetServerStatusResponse): Generator<Finding> {
  const bad = processes.filter(({ state, missing }) => state !== 'ready' || missing.length > 0);
  for (const { kind, host, pid, state, missing } of bad) {
    const what = missing.length > 0 ? `${state}, without ${missing.join(', ')}` : state;
    const detail = `${kind} on ${host}, process ${pid}: ${what}`;
    // Those that start or end in order are as they should be.
    if (state === 'starting' || state === 'draining') yield ok('process', detail);
    else if (state === 'unready') yield fail('process', detail, `look at its log; ${SEE}`);
    else yield warn('process', detail, `look at its log; ${SEE}`);
  }
  const lost = degraded.filter((code) => /^(?:gateway|user|room|media|moderation)_missing$/.test(code));
  for (const code of lost)
    yield fail(
      'process',
      `no ${code.replace('_missing', '')} process serves all others`,
      'start it, and look at its log',
    );
  if (bad.length + lost.length === 0) yield ok('processes', `${processes.length} ready`);
}

function* checkQueues({ processes }: GetServerStatusResponse): Generator<Finding> {
  const late = (ms: number) => `${Math.round(ms / MS_PER_S)} s`;
  // All processes of a service report the same queues.
  const outboxes = new Map(
    processes.flatMap(({ outboxes: each }) => each.map((one) => [one.service, one] as const)),
  );
  const consumers = new Map(
    processes.flatMap(({ consumers: each }) => each.map((one) => [one.consumer, one] as const)),
  );
  const tasks = processes.flatMap(({ tasks: each }) => (each === undefined ? [] : [each]));
  const waiting = [...outboxes.values()].filter(({ oldest_ms: oldest }) => oldest > LATE_MS);
  for (const { service, entries, oldest_ms: oldest } of waiting)
    yield warn(
      'outbox',
      `${entries} facts of ${service} wait for the broker, the oldest for ${late(oldest)}`,
      'is the broker there, and has it space?',
    );
  const behind = [...consumers.values()].filter(({ pending }) => pending > MANY_PENDING);
  for (const { consumer, pending } of behind)
    yield warn(
      'consumer',
      `${consumer} has ${pending} facts to handle`,
      'wait, or add a process of its service; its log names what fails',
    );
  if (waiting.length + behind.length === 0)
    yield ok('queues', `${outboxes.size} outboxes and ${consumers.size} consumers keep up`);
  const oldest = Math.max(0, ...tasks.map(({ oldest_waiting_ms: each }) => each));
  const active = Math.max(0, ...tasks.map((each) => each.active));
  yield oldest > TASKS_LATE_MS
    ? warn(
        'tasks',
        `a task has waited for ${late(oldest)}`,
        'stewardctl tasks list --state scheduled --state active',
      )
    : ok('tasks', `${active} run, none waits for long`);
}
