import { type Bus, BusRefused, createJetStreamBus, type Report, traceBus } from '@steward/events';
import { type Clock, closeAll, type Random, systemClock, systemRandom, type Tracing } from '@steward/kernel';
import { type MigrationProgress, type Store, traceStore } from '@steward/store';
import type { Logger, Meters } from '@steward/telemetry';
import { brokerAccess } from './engine-access.ts';
import { openDatabase } from './open-store.ts';
import type { ProcessContext } from './run-process.ts';
import { sayMigrations } from './say-progress.ts';

/** The dependencies of a service process. */
export interface Engines {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: Report;
  readonly meters: Meters;
  readonly tracing: Tracing | undefined;
  readonly onMigration: (progress: MigrationProgress) => void;
  close(): Promise<void>;
}

/**
 * Opens the engines that the processes of a server share. The broker knows the process by its name.
 *
 * @throws Error with a message of one line when processes cannot share the engines of the settings
 */
export async function openEngines({
  name,
  config,
  logger,
  metrics: meters,
  tracing,
}: Pick<ProcessContext, 'name' | 'config' | 'logger' | 'metrics'> & {
  readonly tracing?: Tracing | undefined;
}): Promise<Engines> {
  if (config.store.url === 'sqlite') {
    throw new Error(
      'Several processes cannot share the embedded store: set STEWARD_STORE to a mongodb:// URL.',
    );
  }
  const broker = brokerAccess(config);
  if (broker === undefined) {
    throw new Error('Several processes need a broker: set STEWARD_NATS_URL.');
  }
  const report = reportTo(logger);
  const store = await openDatabase(config, logger, { meters });
  try {
    const bus = await createJetStreamBus({
      broker,
      client: name,
      namespace: config.bus.namespace,
      clock: systemClock,
      random: systemRandom,
      report,
      meters,
    });
    return {
      store: tracing ? traceStore(store, 'mongodb', tracing) : store,
      bus: tracing ? traceBus(bus, 'nats', tracing) : bus,
      clock: systemClock,
      random: systemRandom,
      report,
      meters,
      tracing,
      onMigration: sayMigrations((line) => logger.info(line)),
      close: () => closeAll([() => bus.close(), () => store.close()]),
    };
  } catch (error) {
    await store.close();
    if (error instanceof BusRefused) throw new Error(`STEWARD_NATS_URL: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Reports failures of background work to the log. */
export function reportTo(logger: Logger): Report {
  return (message, { error, ...details }) => logger.error({ err: error, ...details }, message);
}
