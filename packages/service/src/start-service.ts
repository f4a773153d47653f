import { type Bus, type Outbox, openOutbox, type Relay, type Report, startRelay } from '@steward/events';
import { type Clock, closeAll, type Random, repeat, type Tracing } from '@steward/kernel';
import type { MigrationProgress, Store } from '@steward/store';
import { type TaskCollections, type TaskKind, Tasks, type TasksOptions } from '@steward/tasks';
import type { Meters } from '@steward/telemetry';
import type { Consumer } from './consumer.ts';

/** The default interval of the sweeps for effects that crashed processes left, in milliseconds. */
const SWEEP_INTERVAL_MS = 30_000;

/** The infrastructure that every service needs. */
export interface ServiceEngines<B = Bus> {
  readonly store: Store;
  readonly bus: B;
  readonly clock: Clock;
  readonly random: Random;
  /** Receives failures of background work, which is retried. */
  readonly report: Report;
  readonly meters: Meters;
  /** Receives how far migrations of stored data are. */
  readonly onMigration?: ((progress: MigrationProgress) => void) | undefined;
  /** Records work whose requests are recorded; absent where nothing is. */
  readonly tracing?: Tracing | undefined;
}

/** The parts with which a service publishes facts. */
export interface Publisher {
  readonly outbox: Outbox;
  /** The relay of the outbox, which the shell starts after the consumers. */
  readonly relay: Pick<Relay, 'notify' | 'delivered'>;
}

/** Opens the parts of a service that the shell runs, each at most once. */
export interface ServiceParts {
  /** Opens the outbox; the shell starts its relay. */
  openPublisher(): Promise<Publisher>;
  /** Opens the tasks; the shell starts them with `taskKinds`. With an authority, those who ordered them must be entitled to them still. */
  openTasks(collections: TaskCollections, authority?: TasksOptions['authority']): Promise<Tasks>;
}

/** Work that a service repeats in the background, such as the sweep of an aggregate. */
export interface Sweep {
  readonly run: () => Promise<unknown>;
  /** The log message of its failure. */
  readonly failure: string;
  /** Whether `whenIdle` runs it, because the service is not idle before the work that it finishes. */
  readonly untilIdle?: boolean;
}

/** The definition of a service. */
export interface ServiceOptions<D, B extends Pick<Bus, 'subscribe'> = Bus> extends ServiceEngines<B> {
  /** The first part of the names of its collections and consumers. */
  readonly name: string;
  /** Creates the dependencies of the service's functions. */
  readonly deps: (parts: ServiceParts) => Promise<D>;
  /** The consumers of facts. `closing` aborts their handlers; an aborted fact is delivered again later. */
  readonly consumers?: (deps: D, closing: AbortSignal) => readonly Consumer[];
  readonly taskKinds?: (deps: D) => readonly TaskKind[];
  /** Runs at the start and then every `sweepIntervalMs`, in this order; failures are reported. */
  readonly sweeps?: (deps: D) => readonly Sweep[];
  /** In milliseconds; 30,000 by default. */
  readonly sweepIntervalMs?: number;
  /** Waits for work that the shell does not know; `whenIdle` calls it first. */
  readonly whenIdle?: (deps: D) => Promise<unknown>;
  /** Answers long polls, and accepts no new ones. */
  readonly drain?: (deps: D) => void;
  /** The service's own close functions, called in this order, after its consumers and sweeps and before its relay. */
  readonly close?: (deps: D) => readonly (() => unknown)[];
}

/** A running service, without its routes. */
export interface ServiceShell<D> {
  readonly deps: D;
  /** Resolves when no effect is pending, no task is runnable and no fact waits to be published. For tests. */
  whenIdle(): Promise<void>;
  /** Answers long polls, and accepts no new ones, before the process ends. */
  drain(): void;
  /**
   * Closes in order: accepts no further facts and tasks, waits for those in progress, then closes the rest. When a part
   * fails to close, the others are closed nevertheless.
   *
   * @throws the errors, after all parts were closed
   */
  close(): Promise<void>;
}

/**
 * Starts the parts of a service: consumers, the relay of its outbox, tasks and sweeps. On a store that is open for loading none of
 * them runs, because they read by indexes that it does not have; they go on where the next server starts on the data.
 */
export async function startService<D, B extends Pick<Bus, 'subscribe'> & Partial<Bus> = Bus>(
  options: ServiceOptions<D, B>,
): Promise<ServiceShell<D>> {
  const { name, store, clock, random, report, meters, tracing } = options;
  const { sweepIntervalMs = SWEEP_INTERVAL_MS } = options;
  // Only a service that publishes or has tasks needs more of a bus than `subscribe`.
  const bus = options.bus as unknown as Bus;
  const relay = Promise.withResolvers<Relay>();
  let startedRelay: Relay | undefined;
  let publisher: Publisher | undefined;
  let tasks: Tasks | undefined;
  const closing = new AbortController();
  const subscriptions: { close(): Promise<void> }[] = [];
  let sweeping: { close(): Promise<void> } | undefined;
  let ownSteps: readonly (() => unknown)[] = [];

  const closeSubscriptions = async () => {
    closing.abort();
    const outcomes = await Promise.allSettled(subscriptions.map((subscription) => subscription.close()));
    await closeAll(
      outcomes.map((outcome) => () => {
        if (outcome.status === 'rejected') throw outcome.reason;
      }),
    );
  };
  const close = () =>
    closeAll([
      closeSubscriptions,
      () => tasks?.close(),
      () => sweeping?.close(),
      ...ownSteps,
      () => startedRelay?.close(),
    ]);

  const parts: ServiceParts = {
    async openPublisher() {
      publisher ??= {
        outbox: await openOutbox(store, name),
        relay: {
          // Has no effect before the relay runs, because the relay scans the outbox at its start.
          notify: () => startedRelay?.notify(),
          delivered: async (aggregate, timeoutMs) =>
            !store.capabilities.loading &&
            (startedRelay ?? (await relay.promise)).delivered(aggregate, timeoutMs),
        },
      };
      return publisher;
    },
    async openTasks(collections, authority) {
      const itsPublisher = await parts.openPublisher();
      tasks ??= await Tasks.open({
        store,
        collections,
        bus,
        publisher: itsPublisher,
        clock,
        random,
        report,
        meters,
        tracing,
        authority,
      });
      return tasks;
    },
  };

  const startBackground = async (deps: D, sweeps: readonly Sweep[]) => {
    for (const each of options.consumers?.(deps, closing.signal) ?? [])
      subscriptions.push(await each.subscribe(bus, name));
    if (publisher) {
      startedRelay = await startRelay({ store, service: name, bus, clock, random, report, meters });
      relay.resolve(startedRelay);
    }
    tasks?.start(options.taskKinds?.(deps) ?? []);
    const sweepOnce = async () => {
      for (const { run, failure } of sweeps)
        await run().catch((error: unknown) => report(failure, { error }));
      startedRelay?.notify();
    };
    if (sweeps.length > 0) {
      const onFault = (error: unknown) => report('a sweep failed', { error });
      sweeping = repeat(sweepOnce, { intervalMs: sweepIntervalMs, onFault });
    }
  };

  try {
    const deps = await options.deps(parts);
    ownSteps = options.close?.(deps) ?? [];
    const sweeps = options.sweeps?.(deps) ?? [];
    if (!store.capabilities.loading) await startBackground(deps, sweeps);
    return {
      deps,
      async whenIdle() {
        await options.whenIdle?.(deps);
        await tasks?.whenIdle();
        for (const { run, untilIdle } of sweeps) if (untilIdle) await run();
        await startedRelay?.whenIdle();
      },
      drain() {
        options.drain?.(deps);
        tasks?.drain();
      },
      close,
    };
  } catch (error) {
    // Failures to close are only reported, because the caller needs the error that prevented the start.
    await close().catch((closeError: unknown) => report('a service was not closed', { error: closeError }));
    throw error;
  }
}
