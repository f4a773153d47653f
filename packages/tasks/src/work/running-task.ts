import { type Collection, NOT_FLUSHED, type Update, type WriteOptions } from '@steward/store';
import { LeaseLost, TaskCancelled } from '../model/errors.ts';
import { inputNumber, type Task, type TaskPart } from '../model/task.ts';

/** The progress of a task; a field that is left out keeps its value. */
export interface Checkpoint<C = unknown> {
  readonly step?: string;
  /** JSON; null for none. */
  readonly cursor?: C | null;
  /** JSON. */
  readonly result?: unknown;
  readonly done?: number;
  readonly total?: number;
}

/** A task that this instance runs under a lease. `P` is the type of its parameters, `C` that of its cursor. */
export class RunningTask<P = unknown, C = unknown> {
  readonly id: string;
  readonly key: string;
  readonly requestedBy: string;
  /** Aborted when the work must stop. */
  readonly signal: AbortSignal;
  readonly #collections: { readonly tasks: Collection<Task>; readonly parts: Collection<TaskPart> };
  readonly #stop: AbortController;
  readonly #progressed: (done: number, total: number) => Promise<void>;
  #task: Task;

  constructor(
    task: Task,
    collections: { readonly tasks: Collection<Task>; readonly parts: Collection<TaskPart> },
    stop: AbortController,
    progressed: (done: number, total: number) => Promise<void>,
  ) {
    this.id = task._id;
    this.key = task.key;
    this.requestedBy = task.requested_by;
    this.signal = stop.signal;
    this.#task = task;
    this.#collections = collections;
    this.#stop = stop;
    this.#progressed = progressed;
  }

  /** The parameters of the task. */
  params<Known extends P = P>(): Known {
    return JSON.parse(this.#task.params) as Known;
  }

  /** The step that it has reached; empty at first. */
  get step(): string {
    return this.#task.step;
  }

  /** The position within the step; `undefined` at first. */
  cursor<Known extends C = C>(): Known | undefined {
    return (JSON.parse(this.#task.cursor) ?? undefined) as Known | undefined;
  }

  /** The result so far; `undefined` at first. */
  result<R>(): R | undefined {
    return (JSON.parse(this.#task.result) ?? undefined) as R | undefined;
  }

  /** A piece of its input; `undefined` after the last one, and for one that was not stored. */
  async input<V>(index: number): Promise<V | undefined> {
    return this.part(inputNumber(index));
  }

  /** A piece of its result; `undefined` for one that was not added. */
  async part<V>(number: number): Promise<V | undefined> {
    const found = await this.#collections.parts.findOne({ _id: `${this.id} ${number}` });
    return found ? (JSON.parse(found.value) as V) : undefined;
  }

  /** The number of things that are done. */
  get done(): number {
    return this.#task.done;
  }

  /**
   * Saves a checkpoint. When the store keeps any later change through a power failure, it keeps this one, too.
   *
   * @throws LeaseLost, TaskCancelled when the work must stop
   */
  async save({ step, cursor, result, done, total }: Checkpoint<C>): Promise<void> {
    this.signal.throwIfAborted();
    const changes = {
      attempt: 0,
      ...(step === undefined ? {} : { step }),
      ...(cursor === undefined ? {} : { cursor: JSON.stringify(cursor) }),
      ...(result === undefined ? {} : { result: JSON.stringify(result) }),
      ...(done === undefined ? {} : { done }),
      ...(total === undefined ? {} : { total }),
    };
    await this.hold({ $set: changes }, NOT_FLUSHED);
    this.#task = { ...this.#task, ...changes };
    await this.#progressed(this.#task.done, this.#task.total);
  }

  /**
   * Adds a piece of the result. A piece that has the number already stays as it is.
   *
   * @param value JSON
   */
  async addPart(number: number, value: unknown): Promise<void> {
    this.signal.throwIfAborted();
    await this.#collections.parts.updateOne(
      { _id: `${this.id} ${number}` },
      { $setOnInsert: { task: this.id, number, value: JSON.stringify(value) } },
      { upsert: true, ...NOT_FLUSHED },
    );
  }

  /**
   * Changes the task, if its lease is still this one and no user has cancelled it.
   *
   * @throws LeaseLost, TaskCancelled
   */
  async hold(update: Update<Task>, options?: WriteOptions): Promise<void> {
    const uncancelled = { ...this.#held, cancel: null };
    const { matchedCount } = await this.#collections.tasks.updateOne(uncancelled, update, options);
    if (matchedCount > 0) return;
    const mine = await this.#collections.tasks.findOne(this.#held, { projection: { cancel: 1 } });
    this.#end(mine?.cancel === undefined ? this.#lost() : new TaskCancelled(mine.cancel));
  }

  /**
   * Changes the task, if its lease is still this one.
   *
   * @returns the changed task
   * @throws LeaseLost
   */
  async write(update: Update<Task>): Promise<Task> {
    const options = { returnDocument: 'after' } as const;
    return (
      (await this.#collections.tasks.findOneAndUpdate(this.#held, update, options)) ?? this.#end(this.#lost())
    );
  }

  get #held() {
    return { _id: this.id, token: this.#task.token, state: 'active' } as const;
  }

  #lost(): LeaseLost {
    return new LeaseLost(`Task ${this.id} no longer belongs to this instance`);
  }

  #end(reason: Error): never {
    this.#stop.abort(reason);
    throw reason;
  }
}
