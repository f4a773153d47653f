import { requireEngine, type Setup } from '@steward/testing';
import { inject } from 'vitest';
import { oneProcess } from './one-process.ts';
import { processes } from './processes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The set-up that the project runs the chapters on; see vitest.config.ts. */
    readonly setup: 'one' | 'processes';
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
  /** Whether it is the set-up of one process, which also runs the cases that do not depend on the set-up. */
  readonly isOneProcess: boolean;
}

const one: OfferedSetup = {
  setup: oneProcess,
  title: oneProcess.name,
  missing: false,
  expensive: false,
  isOneProcess: true,
};

const mongo = requireEngine('mongo');
const nats = requireEngine('nats');

/** The set-up of this project. */
export const offered = inject('setup') === 'one' ? one : offerProcesses(1);

/** As `offered`, with two processes of each service on several processes; the two must return consistent results. */
export const offeredPair = inject('setup') === 'one' ? one : offerProcesses(2);

function offerProcesses(instances: number): OfferedSetup {
  const setup = processes({ mongo: mongo.url ?? '', nats: nats.url ?? '' }, instances);
  const missing = mongo.url === undefined || nats.url === undefined;
  const title = missing ? `${setup.name}: ${mongo.title}, ${nats.title}` : setup.name;
  return { setup, title, missing, expensive: true, isOneProcess: false };
}
