import { requireEngine, type Setup } from '@steward/testing';
import { inject } from 'vitest';
import { oneProcess } from './one-process.ts';
import { processes, wholeServers } from './processes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The set-up that the project runs the chapters on; see vitest.config.ts. */
    readonly setup: 'one' | 'processes' | 'whole';
  }
}

/** A way to run the server, and whether this machine supports it. */
export interface OfferedSetup {
  readonly setup: Setup;
  /** For the titles of tests: the set-up, and the missing engines. */
  readonly title: string;
  readonly missing: boolean;
  /** Whether its start is so expensive that the chapters of a worker share one. */
  readonly expensive: boolean;
  /** The paths that decide how the processes of this set-up work together; for the set-up of one process, none. */
  readonly guards: readonly string[];
  /** Whether each service has processes of its own. */
  readonly isSplit: boolean;
  /** Whether it is the set-up of one process, which also runs the cases that do not depend on the set-up. */
  readonly isOneProcess: boolean;
}

const one: OfferedSetup = {
  setup: oneProcess,
  title: oneProcess.name,
  missing: false,
  expensive: false,
  guards: [],
  isSplit: false,
  isOneProcess: true,
};

/** How many whole servers share the requests. */
const WHOLE = 2;

const mongo = requireEngine('mongo');
const nats = requireEngine('nats');

const engines = { mongo: mongo.url ?? '', nats: nats.url ?? '' };

/** What only several processes have. */
const GUARDS = [
  'conformance/chapter.ts',
  'conformance/processes.ts',
  'packages/events/src/jetstream/',
  'packages/rpc/src/channel/',
  'packages/rpc/src/link/',
  'packages/store/src/mongo/',
  'services/topology/src/',
];

const offer = {
  one: () => one,
  processes: (instances: number) => offerProcesses(processes(engines, instances), GUARDS),
  // All that they have in common with other set-ups is proven there.
  whole: () => offerProcesses(wholeServers(engines, WHOLE), []),
}[inject('setup')];

/** The set-up of this project. */
export const offered = offer(1);

/** As `offered`, with two processes of each service on several processes; the two must return consistent results. */
export const offeredPair = offer(2);

function offerProcesses(setup: Setup, guards: readonly string[]): OfferedSetup {
  const missing = mongo.url === undefined || nats.url === undefined;
  const title = missing ? `${setup.name}: ${mongo.title}, ${nats.title}` : setup.name;
  return {
    setup,
    title,
    missing,
    expensive: true,
    guards,
    isSplit: inject('setup') === 'processes',
    isOneProcess: false,
  };
}
