import type { Bus, Report } from '@steward/events';
import type { Clock, Random, Tracing } from '@steward/kernel';
import { type Collection, Conflict, type Store } from '@steward/store';
import { type Meters, noMeters } from '@steward/telemetry';
import type { TaskCollections } from './model/collections.ts';
import { ENDED_STATES, type Task } from './model/task.ts';
import { TaskAnnouncer, type TaskPublisher } from './work/announcer.ts';
import { TaskCanceller } from './work/canceller.ts';
import type { TaskContext } from './work/context.ts';
import { meterTasks } from './work/meter-tasks.ts';
import { startPruner } from './work/pruner.ts';
import { readBacklog, type TaskBacklog } from './work/read-backlog.ts';
import { type NewTask, TaskRepository } from './work/repository.ts';
import { TaskScheduler } from './work/scheduler.ts';
import type { TaskCursor, TaskSelection } from './work/task-filter.ts';
import type { TaskKind } from './work/task-kind.ts';
import { TaskWaiter } from './work/waiter.ts';

/** The dependencies of `Tasks`. */
export interface TasksOptions {
  readonly store: Store;
  readonly collections: TaskCollections;
  readonly bus: Pick<Bus, 'notify' | 'onNotification'>;
  /** Publishes the events of the feed about the tasks. */
  readonly publisher: TaskPublisher;
  readonly clock: Clock;
  readonly random: Random;
  /** Receives failed attempts that will be repeated. */
  readonly report: Report;
  readonly meters?: Meters;
  /** Records attempts at tasks whose requests are recorded. */
  readonly tracing?: Tracing | undefined;
  /** Knows what those who ordered tasks are entitled to now. */
  readonly authority?: TaskContext['authority'];
}

/** The tasks of a service, which all its instances share, and the work of this instance on them. */
export class Tasks {
  readonly #context: TaskContext;
  readonly #kinds: Map<string, TaskKind>;
  readonly #repository: TaskRepository;
  readonly #scheduler: TaskScheduler;
  readonly #canceller: TaskCanceller;
  readonly #waiter: TaskWaiter;
  #pruner: { close(): Promise<void> } | undefined;

  private constructor(context: TaskContext, kinds: Map<string, TaskKind>) {
    this.#context = context;
    this.#kinds = kinds;
    this.#repository = new TaskRepository(context);
    this.#scheduler = new TaskScheduler(context);
    this.#canceller = new TaskCanceller(context, this.#repository);
    this.#waiter = new TaskWaiter(context, this.#repository);
  }

  /** Opens the tasks of a service. No task runs before `start`. */
  static async open(options: TasksOptions): Promise<Tasks> {
    const {
      store,
      collections,
      bus,
      publisher,
      clock,
      random,
      report,
      meters = noMeters,
      tracing,
      authority,
    } = options;
    const tasks = await store.collection(collections.tasks);
    // The leases that a sole writer finds were left by a crash.
    if (store.capabilities.soleWriter) await breakLeases(tasks, clock.now());
    const kinds = new Map<string, TaskKind>();
    const context = {
      tasks,
      parts: await store.collection(collections.parts),
      heads: await store.collection(collections.heads),
      kinds,
      bus,
      topic: collections.tasks.name,
      clock,
      random,
      report,
      announcer: new TaskAnnouncer({ tasks, publisher, report }),
      tracing,
      authority,
      ended: meters.counter('steward_tasks_ended_total'),
      attemptsFailed: meters.counter('steward_tasks_attempts_failed_total'),
    };
    const [service = ''] = collections.tasks.name.split('.');
    meterTasks(service, context, meters);
    return new Tasks(context, kinds);
  }

  /** Starts to run tasks of these kinds. Tasks of other kinds wait for instances that know them. */
  start(kinds: readonly TaskKind[]): void {
    for (const kind of kinds) {
      this.#kinds.set(kind.name, kind);
      this.#startCounts(kind.name);
    }
    this.#scheduler.start();
    this.#pruner = startPruner(this.#context);
  }

  /**
   * Creates a task, which runs at once if no task of its key is before it.
   *
   * @returns its id
   * @throws Conflict when a task has the id
   */
  async create(task: NewTask): Promise<string> {
    const id = await this.#repository.create(task);
    const { bus, topic } = this.#context;
    bus.notify(topic);
    return id;
  }

  /** Creates a task as `create` does, unless one has its id; returns the id. */
  async createOnce(task: NewTask): Promise<string> {
    try {
      return await this.create(task);
    } catch (error) {
      if (error instanceof Conflict && task.id !== undefined) {
        if (task.input) await this.#repository.store(task.id, task.input);
        return task.id;
      }
      throw error;
    }
  }

  /** A task; `undefined` when there is none, or it ended too long ago. */
  find(id: string): Promise<Task | undefined> {
    return this.#repository.find(id);
  }

  /** The tasks of a kind with a key, oldest first. */
  list(key: string, kind: string): Promise<readonly Task[]> {
    return this.#repository.list(key, kind);
  }

  /** A page of tasks, newest first. */
  page(selection: TaskSelection, limit: number, after?: TaskCursor): Promise<readonly Task[]> {
    return this.#repository.page(selection, limit, after);
  }

  /** Whether a task of a kind with a key has not ended. */
  isAnyOpen(key: string, kind: string): Promise<boolean> {
    return this.#repository.isAnyOpen(key, kind);
  }

  /** The pieces of the result of a task, in the order of their numbers, from one of them on; the caller knows their type. */
  parts<V>(id: string, from?: number): AsyncGenerator<V> {
    return this.#repository.parts(id, from);
  }

  /** Whether a task has come so far that it cannot be cancelled. */
  isCommitted({ kind, step }: Pick<Task, 'kind' | 'step'>): boolean {
    return this.#kinds.get(kind)?.committedSteps?.includes(step) ?? false;
  }

  /** The result of a task so far as administrators see it, as JSON; `undefined` for none. */
  resultOf({ kind, result }: Task): unknown {
    return this.#kinds.get(kind)?.renderResult?.(JSON.parse(result));
  }

  /**
   * Cancels a task. One that is not running ends at once, or after it has compensated for what it began; a running one
   * stops at its next checkpoint, if it has one before its end. What was done stays done. Can be repeated.
   *
   * @param by the id of the user who cancels it
   * @returns the task as it is now; `undefined` when there is none
   * @throws NotCancellable when it has ended otherwise, or has reached a committed step
   */
  cancel(id: string, by: string): Promise<Task | undefined> {
    return this.#canceller.cancel(id, by);
  }

  /**
   * Waits for the end of a task.
   *
   * @returns the ended task; `undefined` when there is none, or after `drain`
   * @throws the reason of `signal` when that is aborted before
   */
  ended(id: string, signal: AbortSignal): Promise<Task | undefined> {
    return this.#waiter.ended(id, signal);
  }

  /** Waits for the end of a task for some milliseconds, as `ended` does; `undefined` also when it goes on after them. */
  async endedWithin(id: string, ms: number, signal?: AbortSignal): Promise<Task | undefined> {
    const time = AbortSignal.timeout(ms);
    try {
      return await this.ended(id, signal ? AbortSignal.any([signal, time]) : time);
    } catch (error) {
      if (time.aborted) return undefined;
      throw error;
    }
  }

  /**
   * Reads how many tasks have not ended.
   *
   * @throws Unavailable
   */
  backlog(): Promise<TaskBacklog> {
    return readBacklog(this.#context);
  }

  /** Resolves when no task is left that this instance could run now. */
  whenIdle(): Promise<void> {
    return this.#scheduler.whenIdle();
  }

  /** Answers all waiters, and lets none wait from now on: the process is about to end. */
  drain(): void {
    this.#waiter.drain();
  }

  /** The series of a kind begin at 0, so that a rate includes their first increase: that a task failed. */
  #startCounts(kind: string): void {
    const { ended, attemptsFailed } = this.#context;
    for (const state of ENDED_STATES) ended.add({ kind, state }, 0);
    attemptsFailed.add({ kind }, 0);
  }

  /** Begins no more tasks, and stops the running ones, which another instance can then lease at once. */
  async close(): Promise<void> {
    this.#scheduler.beginClosing();
    await this.#pruner?.close();
    await this.#scheduler.close();
  }
}

/** Frees the tasks of crashed processes. Their number of attempts stays, because a task can be what crashes the process. */
async function breakLeases(tasks: Collection<Task>, now: number): Promise<void> {
  await tasks.updateMany(
    { due: { $exists: true }, state: 'active' },
    { $set: { state: 'scheduled', due: now }, $inc: { token: 1 } },
  );
}
