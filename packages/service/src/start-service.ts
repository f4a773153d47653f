import { type Bus, type Outbox, openOutbox, type Relay, type Report, startRelay } from '@steward/events';
import { type Clock, closeAll, type Random, repeat } from '@steward/kernel';
import type { Store } from '@steward/store';
import { type TaskCollections, type TaskKind, Tasks } from '@steward/tasks';
import type { Consumer } from './consumer.ts';

/** How often sweeps look for what crashed processes left, in milliseconds, unless the service says otherwise. */
const SWEEP_INTERVAL_MS = 30_000;

/** What every service stands on. */
export interface ServiceEngines<B = Bus> {
  readonly store: Store;
  readonly bus: B;
  readonly clock: Clock;
  readonly random: Random;
  /** Told of work that failed in the background; it will be tried again. */
  readonly report: Report;
}

/** What a service publishes facts with. */
export interface Publisher {
  readonly outbox: Outbox;
  /** The relay of the outbox, which the shell starts after the consumers. */
  readonly relay: Pick<Relay, 'notify' | 'delivered'>;
}

/** Opens the parts of a service that the shell runs. Each is opened once at most. */
export interface ServiceParts {
  /** Opens the outbox; the shell starts its relay. */
  openPublisher(): Promise<Publisher>;
  /** Opens the tasks; the shell starts them with `taskKinds`. */
  openTasks(collections: TaskCollections): Promise<Tasks>;
}

/** Work that a service repeats in the background, such as the sweep of an aggregate. */
export interface Sweep {
  readonly run: () => Promise<unknown>;
  /** What the log says when it fails. */
  readonly failure: string;
  /** Whether `whenIdle` runs it, because the work that it finishes counts as the service's. */
  readonly untilIdle?: boolean;
}

/** What a service is made of. */
export interface ServiceOptions<D, B extends Pick<Bus, 'subscribe'> = Bus> extends ServiceEngines<B> {
  /** The first part of the names of its collections and consumers. */
  readonly name: string;
  /** Makes the dependencies that the service's functions work with. */
  readonly deps: (parts: ServiceParts) => Promise<D>;
  /** What the service does about facts. `closing` asks handlers to stop; what they were at is done again later. */
  readonly consumers?: (deps: D, closing: AbortSignal) => readonly Consumer[];
  readonly taskKinds?: (deps: D) => readonly TaskKind[];
  /** What is done at once and then every `sweepIntervalMs`, in this order; one that fails is reported. */
  readonly sweeps?: (deps: D) => readonly Sweep[];
  /** In milliseconds; 30,000 unless given. */
  readonly sweepIntervalMs?: number;
  /** Waits for work that only the service knows of; `whenIdle` does so first. */
  readonly whenIdle?: (deps: D) => Promise<unknown>;
  /** Answers callers who wait for something to happen, and lets no further ones wait. */
  readonly drain?: (deps: D) => void;
  /** What the service closes itself, in this order, after its consumers and sweeps and before its relay. */
  readonly close?: (deps: D) => readonly (() => unknown)[];
}

/** A running service, without its routes. */
export interface ServiceShell<D> {
  readonly deps: D;
  /** Resolves when no effect is pending, no task is runnable and no fact waits to be published. For tests. */
  whenIdle(): Promise<void>;
  /** Answers callers who wait for something to happen, and lets no further ones wait: the process is about to end. */
  drain(): void;
  /**
   * Ends in an orderly way: takes no further facts and tasks, lets those in progress end, then closes the rest. A
   * part that fails to close does not keep the others open.
   *
   * @throws what went wrong, after everything was closed
   */
  close(): Promise<void>;
}

/** Runs what every service has: consumers, the relay of its outbox, tasks and sweeps. */
export async function startService<D, B extends Pick<Bus, 'subscribe'> & Partial<Bus> = Bus>(
  options: ServiceOptions<D, B>,
): Promise<ServiceShell<D>> {
  const { name, store, clock, random, report, sweepIntervalMs = SWEEP_INTERVAL_MS } = options;
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
          // A relay looks through the outbox when it starts.
          notify: () => startedRelay?.notify(),
          delivered: async (aggregate, timeoutMs) =>
            (startedRelay ?? (await relay.promise)).delivered(aggregate, timeoutMs),
        },
      };
      return publisher;
    },
    async openTasks(collections) {
      tasks ??= await Tasks.open({ store, collections, bus, clock, random, report });
      return tasks;
    },
  };

  try {
    const deps = await options.deps(parts);
    ownSteps = options.close?.(deps) ?? [];
    for (const each of options.consumers?.(deps, closing.signal) ?? [])
      subscriptions.push(await each.subscribe(bus, name));
    if (publisher) {
      startedRelay = await startRelay({ store, service: name, bus, clock, random, report });
      relay.resolve(startedRelay);
    }
    tasks?.start(options.taskKinds?.(deps) ?? []);
    const sweeps = options.sweeps?.(deps) ?? [];
    const sweepOnce = async () => {
      for (const { run, failure } of sweeps)
        await run().catch((error: unknown) => report(failure, { error }));
      startedRelay?.notify();
    };
    if (sweeps.length > 0) {
      const onFault = (error: unknown) => report('a sweep failed', { error });
      sweeping = repeat(sweepOnce, { intervalMs: sweepIntervalMs, onFault });
    }
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
    // What keeps the service from starting is what the caller has to know.
    await close().catch((closeError: unknown) => report('a service was not closed', { error: closeError }));
    throw error;
  }
}
