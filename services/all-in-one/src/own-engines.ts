import type { Config } from '@steward/config';
import { createLocalBus, traceBus } from '@steward/events';
import { type Clock, closeAll, type Random, systemClock, type Tracing } from '@steward/kernel';
import { type Engines, openEmbeddedStore, reportTo, sayMigrations } from '@steward/runtime';
import { type Store, traceStore } from '@steward/store';
import type { Logger, Metrics } from '@steward/telemetry';

/** What the engines of one process are opened with. */
interface OwnEnginesOptions {
  readonly config: Config;
  readonly clock?: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | undefined;
  /** Keeps all data in memory. */
  readonly inMemory?: boolean;
  /** Wraps the store. */
  readonly aroundStore?: (store: Store) => Store;
  /** Resolves when all consumers are subscribed. */
  readonly subscribed: Promise<void>;
}

/** Opens the embedded store, and a bus within this process, which no other process shares. */
export async function openOwnEngines(options: OwnEnginesOptions): Promise<Engines> {
  const { config, clock = systemClock, random, logger, metrics: meters, tracing, subscribed } = options;
  const say = (line: string) => logger.info(line);
  const database = await openEmbeddedStore(config, { inMemory: options.inMemory ?? false, meters, say });
  try {
    const traced = tracing ? traceStore(database, 'sqlite', tracing) : database;
    const store = options.aroundStore?.(traced) ?? traced;
    const engines = { store, clock, random, report: reportTo(logger), meters, tracing };
    const bus = await createLocalBus({ ...engines, subscribed });
    return {
      ...engines,
      bus: tracing ? traceBus(bus, 'in_process', tracing) : bus,
      onMigration: sayMigrations(say),
      close: () => closeAll([() => bus.close(), () => database.close()]),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
