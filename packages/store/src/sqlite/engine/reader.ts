import { Worker } from 'node:worker_threads';
import { Unavailable } from '../../port/errors.ts';
import type { Connection, Row } from './connection.ts';
import type { Sql } from './sql.ts';
import { readClock, type TransactionClock } from './transaction-clock.ts';

/** The most long statements that wait; one takes about 0.1 s at 100,000 documents, so the last one waits some seconds. */
const MAX_WAITING = 64;

/** Runs statements that can take long. */
export interface Reader {
  /** How many requests for rows run or wait. */
  readonly waiting: number;
  /**
   * Returns all rows of a statement that only reads.
   *
   * @throws Unavailable when too many statements wait, or the reader is closed
   */
  all(statement: Sql): Promise<Row[]>;
  /**
   * Returns all rows of statements that only read, from one snapshot.
   *
   * @throws Unavailable as `all` does
   */
  snapshot(statements: readonly Sql[]): Promise<Snapshot>;
  /** Moves the write-ahead log into the file when no statement waits. Never throws. */
  checkpoint(): void;
  close(): Promise<void>;
}

/** What statements read in one snapshot. */
export interface Snapshot {
  /** The rows of each statement. */
  readonly rows: readonly Row[][];
  /** The transactions that the snapshot contains: those that were committed until the clock stood at this count. */
  readonly at: number;
}

/** A message to the thread: statements to run, or a checkpoint, which has no answer. */
export type Request = { readonly id: number; readonly statements: readonly Sql[] } | 'checkpoint';

/** A message from the thread, with the `id` of the request. */
export type Answer = { readonly id: number } & ({ readonly snapshot: Snapshot } | { readonly error: string });

/** What the thread is started with. */
export interface ReaderData {
  readonly path: string;
  readonly clock: TransactionClock;
}

interface Waiting {
  readonly resolve: (snapshot: Snapshot) => void;
  readonly reject: (error: Error) => void;
}

/** A reader on the thread of its caller, for a database in memory, which has only one connection. */
export function inlineReader(connection: Connection, clock: TransactionClock): Reader {
  return {
    waiting: 0,
    all: async (statement) => connection.all(statement),
    snapshot: async (statements) => ({
      rows: statements.map((statement) => connection.all(statement)),
      at: readClock(clock),
    }),
    checkpoint: () => {},
    close: async () => {},
  };
}

/** A reader on a thread of its own, with its own connection to the file. The thread starts with the first statement. */
export class ThreadReader implements Reader {
  readonly #data: ReaderData;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  #closed = false;

  constructor(data: ReaderData) {
    this.#data = data;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  async all(statement: Sql): Promise<Row[]> {
    const { rows } = await this.snapshot([statement]);
    return rows[0] ?? [];
  }

  snapshot(statements: readonly Sql[]): Promise<Snapshot> {
    if (this.#closed) return Promise.reject(new Unavailable('The store is closed'));
    if (this.#waiting.size >= MAX_WAITING) {
      return Promise.reject(new Unavailable(`${MAX_WAITING} long reads are waiting already`));
    }
    const worker = this.#start();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, statements } satisfies Request);
    });
  }

  checkpoint(): void {
    if (!this.#closed) this.#start().postMessage('checkpoint' satisfies Request);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
    this.#rejectAll(new Unavailable('The store is closed'));
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
      workerData: this.#data,
    });
    worker.on('message', (answer: Answer) => this.#receive(worker, answer));
    const lost = (cause: unknown) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#rejectAll(new Unavailable('The reading thread ended', { cause }));
    };
    worker.on('error', lost);
    worker.on('exit', lost);
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #receive(worker: Worker, answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    // An idle thread must not keep the process alive.
    if (this.#waiting.size === 0) worker.unref();
    if ('snapshot' in answer) waiting?.resolve(answer.snapshot);
    else waiting?.reject(new Unavailable(`A long read failed: ${answer.error}`));
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
