import { randomId } from '@steward/kernel';
import { Conflict } from '@steward/store';
import { isOpen, OPEN_STATES, type Task } from '../model/task.ts';
import type { TaskContext } from './context.ts';
import { LEASE_MS, TaskRunner } from './runner.ts';

/** How often to poll for runnable tasks that no notification announced, e.g. those of a crashed instance. */
const POLL_INTERVAL_MS = 2_000;
/** The most tasks that an instance runs at a time. */
const CONCURRENCY = 4;

/** Leases runnable tasks for this instance, and runs them. */
export class TaskScheduler {
  readonly #context: TaskContext;
  readonly #runner: TaskRunner;
  readonly #owner: string;
  readonly #running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>();
  #polling: Promise<void> | undefined;
  #pollAgain = false;
  #closing = false;
  #stopPolling = () => {};

  constructor(context: TaskContext) {
    this.#context = context;
    this.#runner = new TaskRunner(context);
    this.#owner = randomId(context.random);
  }

  /** Polls for runnable tasks: now, at each notification, and at an interval. */
  start(): void {
    const { bus, topic } = this.#context;
    const unsubscribe = bus.onNotification(topic, () => void this.#poll());
    const timer = setInterval(() => void this.#poll(), POLL_INTERVAL_MS);
    timer.unref();
    this.#stopPolling = () => {
      clearInterval(timer);
      unsubscribe();
    };
    void this.#poll();
  }

  /** Resolves when no task is left that this instance could run now. */
  async whenIdle(): Promise<void> {
    for (;;) {
      await this.#poll();
      if (this.#running.size === 0) return;
      await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    }
  }

  /** Begins no more tasks. */
  beginClosing(): void {
    this.#closing = true;
    this.#runner.beginClosing();
    this.#stopPolling();
  }

  /** Stops the running tasks, which another instance can then lease at once. To be called after `beginClosing`. */
  async close(): Promise<void> {
    await this.#polling;
    for (const { stop } of this.#running.values()) stop.abort(new Error('The process is about to end'));
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /** Polls for runnable tasks. A call during a poll leads to one more poll after it. */
  async #poll(): Promise<void> {
    if (this.#polling) {
      this.#pollAgain = true;
      return this.#polling;
    }
    const poll = async () => {
      do {
        this.#pollAgain = false;
        await this.#leaseDue();
      } while (this.#pollAgain && !this.#closing);
    };
    this.#polling = poll()
      .catch((error) => this.#context.report('the poll for runnable tasks failed', { error }))
      .finally(() => {
        this.#polling = undefined;
      });
    return this.#polling;
  }

  async #leaseDue(): Promise<void> {
    const { tasks, clock } = this.#context;
    const seen = new Set<string>();
    const due = tasks.find({ due: { $lte: clock.now() } }, { sort: { due: 1 }, projection: { key: 1 } });
    for await (const { key } of due) {
      if (this.#closing || this.#running.size >= CONCURRENCY) return;
      if (seen.has(key)) continue;
      seen.add(key);
      await this.#leaseNext(key);
    }
  }

  /** Leases and runs the first task of a queue, unless another instance holds its lease. */
  async #leaseNext(key: string): Promise<void> {
    const { tasks, kinds, clock, announcer } = this.#context;
    const now = clock.now();
    const next = await this.#headOf(key);
    if (!next || (next.due ?? 0) > now || this.#running.has(next._id) || !kinds.has(next.kind)) return;
    const { _id, token } = next;
    const leased = await tasks.findOneAndUpdate(
      { _id, token, state: { $in: OPEN_STATES }, due: { $lte: now } },
      {
        $set: {
          state: 'active',
          owner: this.#owner,
          due: now + LEASE_MS,
          started_ts: next.started_ts ?? now,
        },
        $inc: { token: 1, attempt: 1 },
        ...(next.started_ts === undefined ? { $push: { unannounced: { milestone: 'started' } } } : {}),
      },
      { returnDocument: 'after' },
    );
    if (!leased) return;
    await announcer.announce(leased);
    const stop = new AbortController();
    const ended = this.#runner.run(leased, stop).finally(() => {
      this.#running.delete(_id);
      // Runs the next task of the queue, or one that waited for concurrency.
      if (!this.#closing) void this.#poll();
    });
    this.#running.set(_id, { stop, ended });
  }

  /** The first task of a queue: the one at its head; if there is none, the oldest, which becomes the head. */
  async #headOf(key: string): Promise<Task | undefined> {
    const { tasks, heads } = this.#context;
    const head = await heads.findOne({ _id: key });
    const holder = head && (await tasks.findOne({ _id: head.task }));
    if (holder && isOpen(holder)) return holder;
    if (head) await heads.deleteOne({ _id: key, task: head.task });
    const [oldest] = await tasks
      .find({ key, state: { $in: OPEN_STATES } }, { sort: { order: 1 }, limit: 1 })
      .toArray();
    if (!oldest) return undefined;
    try {
      await heads.insertOne({ _id: key, task: oldest._id });
      return oldest;
    } catch (error) {
      if (error instanceof Conflict) return undefined;
      throw error;
    }
  }
}
