import type { Bus, Report } from '@steward/events';
import { type Clock, type Random, randomId, repeat } from '@steward/kernel';
import { type Collection, Conflict, type Filter, type Store, type Update } from '@steward/store';
import type { TaskCollections } from './collections.ts';
import { NotCancellable, TaskCancelled, TaskFailed } from './errors.ts';
import { RunningTask, type TaskKind } from './running-task.ts';
import { isOpen, OPEN_STATES, type Task, type TaskPart, type TaskState, type TaskTurn } from './task.ts';

/** How long a task belongs to an instance that is not heard of: some renewals may get lost before it ends. */
export const LEASE_MS = 12_000;
/** How often an instance says that it is still there. */
export const RENEWAL_INTERVAL_MS = 3_000;
/** How often tasks are looked for that nobody has called this instance for, such as those of a dead one. */
const POLL_INTERVAL_MS = 2_000;
/** How often tasks long ended are looked for. */
const PRUNE_INTERVAL_MS = 60_000;
/** How often whoever waits for the end of a task looks for it, should the call have been lost. */
const WAIT_POLL_MS = 1_000;
/** Tasks that an instance works on at a time. */
const CONCURRENCY = 4;
/** How often a task that comes no further is begun before it is given up. */
const MAX_ATTEMPTS = 20;
/** The wait after the first failed attempt, which doubles with each one, and the longest. */
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 60_000;
/** How long a task that has ended is remembered. */
export const KEPT_MS = 24 * 60 * 60_000;
/** Documents of tasks long ended that are deleted at once. */
const PRUNE_BATCH = 200;
/** Tasks that can be created within a millisecond and still be put in order. */
const TASKS_PER_MS = 1_024;

/** What tasks stand on. */
export interface TasksOptions {
  readonly store: Store;
  readonly collections: TaskCollections;
  readonly bus: Pick<Bus, 'wake' | 'onWake'>;
  readonly clock: Clock;
  readonly random: Random;
  /** In place of the store's capability `soleWriter`, for callers that do not state it by their store yet. */
  readonly alone?: boolean;
  /** Told of attempts that failed and will be made again. */
  readonly report: Report;
}

/** A task that is to be. */
export interface NewTask {
  /** A random one unless given. */
  readonly id?: string;
  readonly kind: string;
  readonly key: string;
  /** JSON. */
  readonly params: unknown;
  readonly requestedBy: string;
}

/** Which tasks are wanted: all conditions that are given must hold. */
export interface TaskSelection {
  /** Any of these, where there are some. */
  readonly kinds: readonly string[];
  readonly states: readonly TaskState[];
  readonly key?: string | undefined;
  readonly requestedBy?: string | undefined;
  /** The earliest and the latest time of their creation, in milliseconds since the Unix epoch. */
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** A place between the tasks: that after one of them, when the newest are first. */
export interface TaskPlace {
  readonly createdMs: number;
  readonly id: string;
}

/** The tasks of a service: those of all its instances, and what this instance does about them. */
export class Tasks {
  readonly #tasks: Collection<Task>;
  readonly #parts: Collection<TaskPart>;
  readonly #turns: Collection<TaskTurn>;
  readonly #options: TasksOptions;
  /** Wakes the instances when there is something to do. */
  readonly #topic: string;
  readonly #owner: string;
  readonly #kinds = new Map<string, TaskKind>();
  readonly #running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>();
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #closing = false;
  #released = false;
  readonly #waiting = new Set<() => void>();
  #end = async () => {};
  #lastOrder = 0;

  private constructor(
    options: TasksOptions,
    stored: {
      readonly tasks: Collection<Task>;
      readonly parts: Collection<TaskPart>;
      readonly turns: Collection<TaskTurn>;
    },
  ) {
    this.#options = options;
    this.#tasks = stored.tasks;
    this.#parts = stored.parts;
    this.#turns = stored.turns;
    this.#topic = options.collections.tasks.name;
    this.#owner = randomId(options.random);
  }

  /** Opens the tasks of a service; nothing is worked on before `start`. */
  static async open(options: TasksOptions): Promise<Tasks> {
    const { store, collections, clock } = options;
    const tasks = await store.collection(collections.tasks);
    // The leases that a sole writer finds were left by a crash.
    if (options.alone ?? store.capabilities.soleWriter) await breakLeases(tasks, clock.now());
    return new Tasks(options, {
      tasks,
      parts: await store.collection(collections.parts),
      turns: await store.collection(collections.turns),
    });
  }

  /** Begins to work on tasks. Those of other kinds are left to instances that know them. */
  start(kinds: readonly TaskKind[]): void {
    for (const kind of kinds) this.#kinds.set(kind.name, kind);
    const endWake = this.#options.bus.onWake(this.#topic, () => void this.#look());
    const polls = setInterval(() => void this.#look(), POLL_INTERVAL_MS);
    polls.unref();
    const prunes = repeat(() => this.#prune(), {
      intervalMs: PRUNE_INTERVAL_MS,
      onFault: (error) => this.#options.report('tasks long ended were not forgotten', { error }),
    });
    this.#end = async () => {
      clearInterval(polls);
      endWake();
      await prunes.close();
    };
    void this.#look();
  }

  /**
   * Creates a task, which is then begun at once if nothing is before it.
   *
   * @returns its id
   * @throws Conflict when there is one with the id
   */
  async create({ id, kind, key, params, requestedBy }: NewTask): Promise<string> {
    const now = this.#options.clock.now();
    this.#lastOrder = Math.max(this.#lastOrder + 1, now * TASKS_PER_MS);
    const _id = id ?? randomId(this.#options.random);
    await this.#tasks.insertOne({
      _id,
      kind,
      key,
      params: JSON.stringify(params),
      requested_by: requestedBy,
      state: 'scheduled',
      step: '',
      cursor: 'null',
      done: 0,
      total: 0,
      result: 'null',
      attempt: 0,
      owner: '',
      token: 0,
      due: now,
      created_ts: now,
      order: this.#lastOrder,
    });
    this.#options.bus.wake(this.#topic);
    return _id;
  }

  /** A task that is remembered. */
  async find(id: string): Promise<Task | undefined> {
    const task = await this.#tasks.findOne({ _id: id });
    return task && this.#isRemembered(task) ? task : undefined;
  }

  /** The tasks of a kind with a key that are remembered, oldest first. */
  async list(key: string, kind: string): Promise<readonly Task[]> {
    const tasks = await this.#tasks.find({ key, kind }, { sort: { order: 1 } }).toArray();
    return tasks.filter((task) => this.#isRemembered(task));
  }

  /** A page of the tasks that are remembered, the newest first. */
  async page(selection: TaskSelection, limit: number, after?: TaskPlace): Promise<readonly Task[]> {
    if (limit === 0) return [];
    const sort = { created_ts: -1, _id: -1 } as const;
    return this.#tasks.find(filterOf(selection, this.#options.clock.now(), after), { sort, limit }).toArray();
  }

  /** What people are told of the result of a task so far, as JSON; `undefined` for nothing. */
  resultOf({ kind, result }: Task): unknown {
    return this.#kinds.get(kind)?.tell?.(JSON.parse(result));
  }

  /**
   * Cancels a task: at once one that is not worked on, unless what it has begun is to be put in order first; whoever
   * works on one stops at the next checkpoint, if that comes before its end. What was done stays done. May be repeated.
   *
   * @param by a user id
   * @returns the task as it is now; `undefined` when it is not remembered
   * @throws NotCancellable when it has ended otherwise, or come too far
   */
  async cancel(id: string, by: string): Promise<Task | undefined> {
    for (;;) {
      const task = await this.find(id);
      if (!task || task.state === 'cancelled') return task;
      if (!isOpen(task)) throw new NotCancellable('The task has ended');
      if (task.cancel !== undefined) return task;
      const { state, step, token, kind, started_ts: startedTs } = task;
      const known = this.#kinds.get(kind);
      const isCommitted = known?.committedSteps?.includes(step) ?? false;
      if (isCommitted) throw new NotCancellable('The task has come too far to be cancelled');
      const isHeld = state === 'active';
      // What it has begun is to be put in order before.
      const isLeft = !isHeld && startedTs !== undefined && known?.leave !== undefined;
      const now = this.#options.clock.now();
      const cancelled = await this.#tasks.findOneAndUpdate(
        { _id: id, state, step, token },
        isHeld || isLeft
          ? { $set: { cancel: by, ...(isLeft ? { due: now } : {}) } }
          : {
              ...endedWith({ state: 'cancelled', error: new TaskCancelled(by).message }, now),
              $inc: { token: 1 },
            },
        { returnDocument: 'after' },
      );
      if (!cancelled) continue;
      if (isLeft) this.#options.bus.wake(this.#topic);
      else if (!isHeld) await this.#tellEnd(cancelled.key, id);
      return cancelled;
    }
  }

  /** Whether a task of a kind with a key is still to be worked on. */
  async isAnyOpen(key: string, kind: string): Promise<boolean> {
    const open = { key, kind, state: { $in: OPEN_STATES } };
    return (await this.#tasks.findOne(open, { projection: { _id: 1 } })) !== null;
  }

  /** The pieces of what has come of a task, in the order of their numbers; the caller knows their type. */
  async *parts<V>(id: string): AsyncGenerator<V> {
    for await (const { value } of this.#parts.find({ task: id }, { sort: { number: 1 } })) {
      yield JSON.parse(value) as V;
    }
  }

  /**
   * Waits until a task has ended.
   *
   * @returns how it ended; `undefined` for one that is not remembered, and when nobody is to wait any longer
   * @throws the reason of `signal` when that is raised before
   */
  async ended(id: string, signal: AbortSignal): Promise<Task | undefined> {
    for (;;) {
      signal.throwIfAborted();
      const woken = this.#woken(endTopic(id), signal);
      try {
        const task = await this.find(id);
        if (!task || !isOpen(task)) return task;
        if (this.#released) return undefined;
        await woken.promise;
      } finally {
        woken.cancel();
      }
    }
  }

  /** Resolves when nothing that this instance could work on now is left. */
  async settle(): Promise<void> {
    for (;;) {
      await this.#look();
      if (this.#running.size === 0) return;
      await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    }
  }

  /** Nobody waits any longer, nor will: the process is about to end. */
  release(): void {
    this.#released = true;
    for (const stop of [...this.#waiting]) stop();
  }

  /** Interrupts what is worked on, which another instance may then take at once, and begins nothing more. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#end();
    await this.#looking;
    for (const { stop } of this.#running.values()) stop.abort(new Error('The process is about to end'));
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  #isRemembered({ keep_until: keepUntil }: Task): boolean {
    return keepUntil === undefined || keepUntil > this.#options.clock.now();
  }

  /** A wait for a wake-up, which begins now. */
  #woken(topic: string, signal: AbortSignal): { readonly promise: Promise<void>; cancel(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = this.#options.bus.onWake(topic, resolve);
    const timer = setTimeout(resolve, WAIT_POLL_MS);
    const stop = () => resolve();
    signal.addEventListener('abort', stop);
    const waiting = this.#waiting.add(stop);
    return {
      promise,
      cancel() {
        end();
        waiting.delete(stop);
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      },
    };
  }

  /** Looks for work. Whoever asks while that goes on gets another look after it. */
  async #look(): Promise<void> {
    if (this.#looking) {
      this.#lookAgain = true;
      return this.#looking;
    }
    const look = async () => {
      do {
        this.#lookAgain = false;
        await this.#takeDue();
      } while (this.#lookAgain && !this.#closing);
    };
    this.#looking = look()
      .catch((error) => this.#options.report('tasks were not looked for', { error }))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #takeDue(): Promise<void> {
    const seen = new Set<string>();
    const due = this.#tasks.find(
      { due: { $lte: this.#options.clock.now() } },
      { sort: { due: 1 }, projection: { key: 1 } },
    );
    for await (const { key } of due) {
      if (this.#closing || this.#running.size >= CONCURRENCY) return;
      if (seen.has(key)) continue;
      seen.add(key);
      await this.#takeNext(key);
    }
  }

  /** Takes the task whose turn it is, if nobody works on it. */
  async #takeNext(key: string): Promise<void> {
    const now = this.#options.clock.now();
    const next = await this.#nextOf(key);
    if (!next || (next.due ?? 0) > now || this.#running.has(next._id) || !this.#kinds.has(next.kind)) return;
    const { _id, token } = next;
    const taken = await this.#tasks.findOneAndUpdate(
      { _id, token, state: { $in: OPEN_STATES }, due: { $lte: now } },
      {
        $set: {
          state: 'active',
          owner: this.#owner,
          due: now + LEASE_MS,
          started_ts: next.started_ts ?? now,
        },
        $inc: { token: 1, attempt: 1 },
      },
      { returnDocument: 'after' },
    );
    if (!taken) return;
    const stop = new AbortController();
    const ended = this.#work(taken, stop).finally(() => {
      this.#running.delete(_id);
      // What waited for it, or for a free hand.
      if (!this.#closing) void this.#look();
    });
    this.#running.set(_id, { stop, ended });
  }

  /** The task whose turn it is: the one that has it, else the oldest, which gets it. */
  async #nextOf(key: string): Promise<Task | undefined> {
    const held = await this.#turns.findOne({ _id: key });
    const holder = held && (await this.#tasks.findOne({ _id: held.task }));
    if (holder && isOpen(holder)) return holder;
    if (held) await this.#turns.deleteOne({ _id: key, task: held.task });
    const [oldest] = await this.#tasks
      .find({ key, state: { $in: OPEN_STATES } }, { sort: { order: 1 }, limit: 1 })
      .toArray();
    if (!oldest) return undefined;
    try {
      await this.#turns.insertOne({ _id: key, task: oldest._id });
      return oldest;
    } catch (error) {
      if (error instanceof Conflict) return undefined;
      throw error;
    }
  }

  async #work(task: Task, stop: AbortController): Promise<void> {
    const running = new RunningTask(task, { tasks: this.#tasks, parts: this.#parts }, stop);
    const { clock, report } = this.#options;
    const renew = () => running.hold({ $set: { due: clock.now() + LEASE_MS } });
    const renewal = setInterval(() => {
      renew().catch((error) => {
        if (!(error instanceof TaskCancelled)) report('a task was not held on to', { error });
      });
    }, RENEWAL_INTERVAL_MS);
    try {
      await this.#finish(running, await this.#attempt(running, task));
    } catch (error) {
      if (this.#closing && stop.signal.aborted) await this.#giveBack(running).catch(() => {});
      else if (!stop.signal.aborted) {
        report('a task was interrupted and will go on later', { error });
        await this.#postpone(running, task).catch((fault) =>
          report('a task waits for the end of its lease', { error: fault }),
        );
      }
    } finally {
      clearInterval(renewal);
    }
  }

  /** Runs a task; returns how it ended for good. */
  async #attempt(running: RunningTask, { kind, attempt, cancel }: Task): Promise<Ending> {
    const known = this.#kinds.get(kind);
    try {
      if (cancel !== undefined) throw new TaskCancelled(cancel);
      if (attempt > MAX_ATTEMPTS) throw new TaskFailed('It was tried too often');
      await known?.run(running);
      return { state: 'complete' };
    } catch (error) {
      const ending = endingAfter(error, running.signal);
      if (!ending) throw error;
      await known?.leave?.(running);
      return ending;
    }
  }

  async #finish(running: RunningTask, ending: Ending): Promise<void> {
    await running.write(endedWith(ending, this.#options.clock.now()));
    await this.#tellEnd(running.key, running.id);
  }

  async #tellEnd(key: string, id: string): Promise<void> {
    // Should it not come to this, whoever wants the turn next takes it.
    await this.#turns.deleteOne({ _id: key, task: id });
    this.#options.bus.wake(endTopic(id));
    this.#options.bus.wake(this.#topic);
  }

  async #postpone(running: RunningTask, { kind, attempt }: Task): Promise<void> {
    const { clock, random } = this.#options;
    const ceilingMs = Math.min(FIRST_RETRY_MS * 2 ** attempt, LONGEST_RETRY_MS);
    const due = clock.now() + ceilingMs / 2 + random.below(ceilingMs / 2);
    try {
      await running.hold({ $set: { state: 'scheduled', due } });
    } catch (error) {
      if (!(error instanceof TaskCancelled)) throw error;
      await this.#kinds.get(kind)?.leave?.(running);
      await this.#finish(running, { state: 'cancelled', error: error.message });
    }
  }

  async #giveBack(running: RunningTask): Promise<void> {
    await running.write({ $set: { state: 'scheduled', due: this.#options.clock.now(), attempt: 0 } });
    this.#options.bus.wake(this.#topic);
  }

  /** Forgets what ended long ago. Safe to run on several machines at once. */
  async #prune(): Promise<void> {
    const over = { keep_until: { $lte: this.#options.clock.now() } };
    for (;;) {
      const found = await this.#tasks.find(over, { projection: { key: 1 }, limit: PRUNE_BATCH }).toArray();
      for (const { _id, key } of found) {
        await this.#pruneParts(_id);
        await this.#turns.deleteOne({ _id: key, task: _id });
        await this.#tasks.deleteOne({ _id });
      }
      if (found.length < PRUNE_BATCH) return;
    }
  }

  async #pruneParts(task: string): Promise<void> {
    for (;;) {
      const found = await this.#parts
        .find({ task }, { projection: { _id: 1 }, limit: PRUNE_BATCH })
        .toArray();
      if (found.length > 0) await this.#parts.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      if (found.length < PRUNE_BATCH) return;
    }
  }
}

/** How a task ended. */
type Ending =
  | { readonly state: 'complete' }
  | { readonly state: 'failed' | 'cancelled'; readonly error: string };

/** How a task ends for good that has thrown an error; `undefined` when it does not. */
function endingAfter(error: unknown, signal: AbortSignal): Ending | undefined {
  if (error instanceof TaskFailed) return { state: 'failed', error: error.message };
  // Whatever it tripped over, because it was told to stop.
  const reason: unknown = signal.aborted ? signal.reason : error;
  return reason instanceof TaskCancelled ? { state: 'cancelled', error: reason.message } : undefined;
}

function endedWith(ending: Ending, now: number): Update<Task> {
  return { $set: { ...ending, finished_ts: now, keep_until: now + KEPT_MS }, $unset: { due: true } };
}

function filterOf(
  { kinds, states, key, requestedBy, fromMs, untilMs }: TaskSelection,
  now: number,
  after: TaskPlace | undefined,
): Filter<Task> {
  const created = {
    ...(fromMs === undefined ? {} : { $gte: fromMs }),
    ...(untilMs === undefined ? {} : { $lte: untilMs }),
  };
  return {
    $nor: [{ keep_until: { $lte: now } }],
    ...(kinds.length > 0 ? { kind: { $in: kinds } } : {}),
    ...(states.length > 0 ? { state: { $in: states } } : {}),
    ...(key === undefined ? {} : { key }),
    ...(requestedBy === undefined ? {} : { requested_by: requestedBy }),
    ...(Object.keys(created).length > 0 ? { created_ts: created } : {}),
    ...(after ? { $and: [isAfter(after)] } : {}),
  };
}

function isAfter({ createdMs, id }: TaskPlace): Filter<Task> {
  return {
    $and: [
      { created_ts: { $lte: createdMs } },
      { $or: [{ created_ts: { $lt: createdMs } }, { _id: { $lt: id } }] },
    ],
  };
}

/** Frees what dead processes worked on. How often it was begun stays: what they died of may be the task. */
async function breakLeases(tasks: Collection<Task>, now: number): Promise<void> {
  await tasks.updateMany(
    { due: { $exists: true }, state: 'active' },
    { $set: { state: 'scheduled', due: now }, $inc: { token: 1 } },
  );
}

/** The topic that is woken when a task has ended. */
function endTopic(id: string): string {
  return `task ${id}`;
}
