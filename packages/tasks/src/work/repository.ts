import { randomId } from '@steward/kernel';
import { inputNumber, OPEN_STATES, type Task } from '../model/task.ts';
import type { TaskContext } from './context.ts';
import { filterOf, type TaskCursor, type TaskSelection } from './task-filter.ts';

/** Tasks that one instance can create within a millisecond without losing their order. */
const TASKS_PER_MS = 1_024;

/** A task to be created. */
export interface NewTask {
  /** Random unless given. */
  readonly id?: string;
  readonly kind: string;
  readonly key: string;
  /** JSON. */
  readonly params: unknown;
  readonly requestedBy: string;
  /**
   * What is too large for the parameters: pieces of JSON, which the task reads with `RunningTask.input`. They are stored after the task, which
   * begins when all are; one whose creation was interrupted begins later, without them.
   */
  readonly input?: readonly unknown[];
}

/** How long the input of a task may take to be stored, in milliseconds. */
const STORING_MS = 30_000;

/** Creates and reads tasks. An ended task is read until it is `KEPT_MS` old. */
export class TaskRepository {
  readonly #context: TaskContext;
  #lastOrder = 0;

  constructor(context: TaskContext) {
    this.#context = context;
  }

  /**
   * Stores a task.
   *
   * @returns its id
   * @throws Conflict when a task has the id
   */
  async create({ id, kind, key, params, requestedBy, input = [] }: NewTask): Promise<string> {
    const { clock, random, tasks, tracing, announcer } = this.#context;
    const traceparent = tracing?.current()?.traceparent;
    const now = clock.now();
    this.#lastOrder = Math.max(this.#lastOrder + 1, now * TASKS_PER_MS);
    const _id = id ?? randomId(random);
    const task: Task = {
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
      due: input.length > 0 ? now + STORING_MS : now,
      created_ts: now,
      order: this.#lastOrder,
      unannounced: [{ milestone: 'created' }],
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    await tasks.insertOne(task);
    if (input.length > 0) await this.store(_id, input);
    await announcer.announce(task);
    return _id;
  }

  /** Stores the input of a task, of which the pieces that are there stay, and lets the task begin. */
  async store(task: string, input: readonly unknown[]): Promise<void> {
    const { parts, tasks, clock } = this.#context;
    for (const [index, piece] of input.entries()) {
      const number = inputNumber(index);
      await parts.updateOne(
        { _id: `${task} ${number}` },
        { $setOnInsert: { task, number, value: JSON.stringify(piece) } },
        { upsert: true },
      );
    }
    await tasks.updateOne({ _id: task, state: 'scheduled', token: 0 }, { $set: { due: clock.now() } });
  }

  async find(id: string): Promise<Task | undefined> {
    const task = await this.#context.tasks.findOne({ _id: id });
    return task && this.#isKept(task) ? task : undefined;
  }

  /** The tasks of a kind with a key, oldest first. */
  async list(key: string, kind: string): Promise<readonly Task[]> {
    const tasks = await this.#context.tasks.find({ key, kind }, { sort: { order: 1 } }).toArray();
    return tasks.filter((task) => this.#isKept(task));
  }

  /** A page of tasks, newest first. */
  async page(selection: TaskSelection, limit: number, after?: TaskCursor): Promise<readonly Task[]> {
    if (limit === 0) return [];
    const { tasks, clock } = this.#context;
    const sort = { created_ts: -1, _id: -1 } as const;
    return tasks.find(filterOf(selection, clock.now(), after), { sort, limit }).toArray();
  }

  /** Whether a task of a kind with a key has not ended. */
  async isAnyOpen(key: string, kind: string): Promise<boolean> {
    const open = { key, kind, state: { $in: OPEN_STATES } };
    return (await this.#context.tasks.findOne(open, { projection: { _id: 1 } })) !== null;
  }

  /** The pieces of the result of a task, in the order of their numbers, from one of them on; the caller knows their type. */
  async *parts<V>(id: string, from = 0): AsyncGenerator<V> {
    const found = { task: id, number: { $gte: from } };
    for await (const { value } of this.#context.parts.find(found, { sort: { number: 1 } })) {
      yield JSON.parse(value) as V;
    }
  }

  #isKept({ keep_until: keepUntil }: Task): boolean {
    return keepUntil === undefined || keepUntil > this.#context.clock.now();
  }
}
