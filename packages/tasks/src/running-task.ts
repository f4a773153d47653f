import type { Collection, Update, WriteOptions } from '@steward/store';
import { LeaseLost, TaskCancelled } from './errors.ts';
import type { Task, TaskPart } from './task.ts';

/** How far a task has come; what is left out stays as it is. */
export interface Checkpoint {
  readonly step?: string;
  /** JSON. */
  readonly cursor?: unknown;
  /** JSON. */
  readonly result?: unknown;
  readonly done?: number;
  readonly total?: number;
}

/** Something that tasks do. */
export interface TaskKind {
  /** The same for ever: tasks that were asked for bear it. */
  readonly name: string;
  /**
   * The steps from which on it cannot be cancelled, because what it has begun must not stay half done. In
   * all others it may stop at any checkpoint for good.
   */
  readonly committedSteps?: readonly string[];
  /**
   * Puts in order what it has begun, before it ends otherwise than complete. It may have been cut off
   * anywhere, this may be done twice, and no checkpoint is saved any more.
   */
  readonly leave?: (task: RunningTask) => Promise<void>;
  /** What people are told of the result so far, as JSON; nothing unless given. */
  readonly tell?: (result: unknown) => unknown;
  /**
   * Does it, from where the task has come to. It may be cut off anywhere, and is then run again, also on
   * another machine, which in bad luck begins before this one has noticed: all that it does must be safe to
   * be done twice.
   *
   * @throws TaskFailed to give up; after any other error it is tried again later
   */
  run(task: RunningTask): Promise<void>;
}

/**
 * How checkpoints are written, and what is safe to be done again from the one before: it is on the disk as soon as
 * anything is that was done after it, and the end of the task is.
 */
export const WITH_WHAT_FOLLOWS: WriteOptions = { durable: false };

/** A task that is worked on here. */
export class RunningTask {
  readonly id: string;
  readonly key: string;
  readonly requestedBy: string;
  /** Raised when the work is to stop. */
  readonly signal: AbortSignal;
  readonly #collections: { readonly tasks: Collection<Task>; readonly parts: Collection<TaskPart> };
  readonly #stop: AbortController;
  #task: Task;

  constructor(
    task: Task,
    collections: { readonly tasks: Collection<Task>; readonly parts: Collection<TaskPart> },
    stop: AbortController,
  ) {
    this.id = task._id;
    this.key = task.key;
    this.requestedBy = task.requested_by;
    this.signal = stop.signal;
    this.#task = task;
    this.#collections = collections;
    this.#stop = stop;
  }

  /** What was asked for; the caller knows its type. */
  params<P>(): P {
    return JSON.parse(this.#task.params) as P;
  }

  /** Where it has come to; empty at first. */
  get step(): string {
    return this.#task.step;
  }

  /** The place within the step; `undefined` at first. */
  cursor<C>(): C | undefined {
    return (JSON.parse(this.#task.cursor) ?? undefined) as C | undefined;
  }

  /** What has come of it so far; `undefined` at first. */
  result<R>(): R | undefined {
    return (JSON.parse(this.#task.result) ?? undefined) as R | undefined;
  }

  /** How many things have been done. */
  get done(): number {
    return this.#task.done;
  }

  /**
   * Notes how far it has come, if it is still this instance's and is to go on. What the store keeps of later
   * changes, it keeps of none without this.
   *
   * @throws LeaseLost, TaskCancelled when it is not
   */
  async save({ step, cursor, result, done, total }: Checkpoint): Promise<void> {
    this.signal.throwIfAborted();
    const changes = {
      attempt: 0,
      ...(step === undefined ? {} : { step }),
      ...(cursor === undefined ? {} : { cursor: JSON.stringify(cursor) }),
      ...(result === undefined ? {} : { result: JSON.stringify(result) }),
      ...(done === undefined ? {} : { done }),
      ...(total === undefined ? {} : { total }),
    };
    await this.hold({ $set: changes }, WITH_WHAT_FOLLOWS);
    this.#task = { ...this.#task, ...changes };
  }

  /**
   * Adds a piece of what has come of it. One that was added under the number before stays.
   *
   * @param value JSON
   */
  async addPart(number: number, value: unknown): Promise<void> {
    this.signal.throwIfAborted();
    await this.#collections.parts.updateOne(
      { _id: `${this.id} ${number}` },
      { $setOnInsert: { task: this.id, number, value: JSON.stringify(value) } },
      { upsert: true, ...WITH_WHAT_FOLLOWS },
    );
  }

  /**
   * Changes the task, on the condition that the lease is still this one, and that nobody wants it to stop.
   *
   * @throws LeaseLost, TaskCancelled
   */
  async hold(update: Update<Task>, options?: WriteOptions): Promise<void> {
    const holding = { ...this.#held, cancel: null };
    const { matchedCount } = await this.#collections.tasks.updateOne(holding, update, options);
    if (matchedCount > 0) return;
    const mine = await this.#collections.tasks.findOne(this.#held, { projection: { cancel: 1 } });
    this.#end(mine?.cancel === undefined ? this.#lost() : new TaskCancelled(mine.cancel));
  }

  /**
   * Changes the task, on the condition that the lease is still this one.
   *
   * @throws LeaseLost
   */
  async write(update: Update<Task>): Promise<void> {
    const { matchedCount } = await this.#collections.tasks.updateOne(this.#held, update);
    if (matchedCount === 0) this.#end(this.#lost());
  }

  get #held() {
    return { _id: this.id, token: this.#task.token, state: 'active' } as const;
  }

  #lost(): LeaseLost {
    return new LeaseLost(`Task ${this.id} is no longer worked on here`);
  }

  #end(reason: Error): never {
    this.#stop.abort(reason);
    throw reason;
  }
}
