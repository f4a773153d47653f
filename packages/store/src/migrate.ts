import type { Clock } from '@steward/kernel';
import { type Doc, declareCollection } from './port/declaration.ts';
import { Conflict, Unavailable } from './port/errors.ts';
import type { Store } from './port/store.ts';

/** How long a process may take for one migration before others assume that it has crashed, in ms. */
const LEASE_MS = 10 * 60_000;
/** How often a process polls while another one runs the migrations, in ms. */
const POLL_MS = 500;

/** One step from one format of the data to the next. */
export interface Migration {
  /** Counts from 1, without gaps; released ones never change. */
  readonly number: number;
  readonly name: string;
  /**
   * Must be idempotent, because it runs again after an interruption.
   *
   * @param onDone receives how many documents have been looked at
   */
  run(store: Store, onDone?: (done: number) => void): Promise<void>;
}

/** How far a migration is, in documents. */
export interface MigrationProgress {
  readonly service: string;
  /** The name of the migration. */
  readonly name: string;
  readonly done: number;
}

/** The dependencies and settings of `migrate`. */
export interface MigrationOptions {
  /** The service whose data are migrated; its migrations are recorded in `<service>.migrations`. */
  readonly service: string;
  /** Identifies this process. */
  readonly owner: string;
  readonly clock: Clock;
  /** The deadline for waiting for another process: a time of `clock`, in milliseconds since the Unix epoch. */
  readonly deadlineMs: number;
  /** Called before a migration looks at documents, with 0, and while it does. */
  readonly onProgress?: ((progress: MigrationProgress) => void) | undefined;
  /** Waits for a number of milliseconds; uses timers by default. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** The only document of the collection. */
interface MigrationRecord extends Doc {
  /** The number of the last migration that has been completed. */
  readonly applied: number;
  readonly owner: string;
  /** When the lease ends, in milliseconds since the Unix epoch. */
  readonly until: number;
}

const RECORD_ID = 'migrations';

/**
 * Runs the migrations that have not been run yet, each once and in order, one process at a time.
 *
 * @throws Unavailable when another process does not finish before the deadline
 * @throws RangeError when the data are from a later release
 */
export async function migrate(
  store: Store,
  migrations: readonly Migration[],
  options: MigrationOptions,
): Promise<void> {
  for (const [i, { number, name }] of migrations.entries()) {
    if (number !== i + 1) throw new TypeError(`Migration ${name} should have the number ${i + 1}`);
  }
  const { service, owner, clock, onProgress = () => {} } = options;
  const records = await store.collection(
    declareCollection<MigrationRecord>({ name: `${service}.migrations`, indexes: [], shardKey: null }),
  );
  // The lease that a sole writer finds was left by a crash.
  const free = () => (store.capabilities.soleWriter ? {} : { until: { $lte: clock.now() } });
  const claim = () =>
    records.findOneAndUpdate(
      { _id: RECORD_ID, ...free() },
      { $set: { owner, until: clock.now() + LEASE_MS } },
      { returnDocument: 'after' },
    );
  const keep = async (set: Partial<Omit<MigrationRecord, '_id'>>) => {
    const { matchedCount } = await records.updateOne({ _id: RECORD_ID, owner }, { $set: set });
    if (matchedCount === 0)
      throw new Unavailable(`Another process has taken over the migrations of ${service}`);
  };

  try {
    await records.insertOne({ _id: RECORD_ID, applied: 0, owner: '', until: 0 });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
  const { wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) } = options;
  let record = await claim();
  // When all migrations have run, the lease does not matter; its owner may have crashed.
  const nothingLeft = async () => (await records.findOne({ _id: RECORD_ID }))?.applied === migrations.length;
  while (!record) {
    if (await nothingLeft()) return;
    if (clock.now() >= options.deadlineMs)
      throw new Unavailable(`Another process is migrating the data of ${service}`);
    await wait(POLL_MS);
    record = await claim();
  }
  try {
    if (record.applied > migrations.length) {
      throw new RangeError(
        `The data of ${service} are from a later release: migration ${record.applied} has run, and this release has ${migrations.length}`,
      );
    }
    for (const migration of migrations.slice(record.applied)) {
      const { name } = migration;
      onProgress({ service, name, done: 0 });
      await migration.run(store, (done) => onProgress({ service, name, done }));
      await keep({ applied: migration.number, until: clock.now() + LEASE_MS });
    }
  } finally {
    await keep({ until: 0 });
  }
}
