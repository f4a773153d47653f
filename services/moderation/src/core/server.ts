import { type Config, usesEmbeddedStore } from '@steward/config';
import type { Bus } from '@steward/events';
import { type Processes, RELEASE, SCHEMA } from '@steward/runtime';
import { isMongoStore, type Store } from '@steward/store';
import { remembered } from '@steward/telemetry';

/** For how long the version of the store is remembered, in milliseconds. */
const VERSION_KEPT_MS = 3_600_000;

/** For how long a number of dead letters is remembered, in milliseconds. */
const LETTERS_KEPT_MS = 1_000;

/** What the status of the server contains. Each question is answered, or fails, within two seconds. */
export interface Server {
  readonly release: string;
  readonly schema: number;
  readonly store: 'sqlite' | 'mongodb';
  readonly broker: 'none' | 'nats';
  readonly processes: Processes;
  readonly storeVersion: () => Promise<string | undefined>;
  readonly deadLetters: () => Promise<number>;
}

/** Collects what is known about a server. */
export function describeServer(
  config: Config,
  {
    store,
    bus,
    processes,
  }: { readonly store: Store; readonly bus: Pick<Bus, 'deadLetters'>; readonly processes: Processes },
): Server {
  const isEmbedded = usesEmbeddedStore(config);
  return {
    release: RELEASE,
    schema: SCHEMA,
    store: isEmbedded ? 'sqlite' : 'mongodb',
    broker: isEmbedded ? 'none' : 'nats',
    processes,
    storeVersion: remembered(() => versionOf(store), { keptMs: VERSION_KEPT_MS }),
    deadLetters: remembered(() => bus.deadLetters.count(), { keptMs: LETTERS_KEPT_MS }),
  };
}

async function versionOf(store: Store): Promise<string | undefined> {
  if (!isMongoStore(store)) return process.versions.sqlite;
  const { version } = await store.database.command({ buildInfo: 1 });
  return String(version);
}
