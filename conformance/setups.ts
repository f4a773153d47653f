import { requireEngine, type Setup } from '@steward/testing';
import { oneProcess } from './one-process.ts';
import { processes } from './processes.ts';

/** A way to run the server, and whether it can be had here. */
export interface OfferedSetup {
  readonly setup: Setup;
  /** For the titles of tests: the set-up, and what it lacks. */
  readonly title: string;
  readonly missing: boolean;
  /** Whether starting it takes so long that chapters had better share one. */
  readonly dear: boolean;
}

const mongo = requireEngine('mongo');
const nats = requireEngine('nats');

/** The ways to run the server that must all behave as specified. */
export const setups: readonly OfferedSetup[] = [
  { setup: oneProcess, title: oneProcess.name, missing: false, dear: false },
  offerProcesses(1),
];

/** Two processes of each service, which must not contradict each other. */
export const pairs = offerProcesses(2);

function offerProcesses(instances: number): OfferedSetup {
  const setup = processes({ mongo: mongo.url ?? '', nats: nats.url ?? '' }, instances);
  const missing = mongo.url === undefined || nats.url === undefined;
  const title = missing ? `${setup.name}: ${mongo.title}, ${nats.title}` : setup.name;
  return { setup, title, missing, dear: true };
}
