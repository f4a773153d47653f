import type { WriteOptions } from '../../port/collection.ts';
import { Unavailable } from '../../port/errors.ts';
import { asUnavailable } from './as-unavailable.ts';
import type { Connection } from './connection.ts';
import type { Disk } from './log-disk.ts';

/** The most writes that share a transaction, so that it blocks the thread for 10 ms at most. */
const MAX_WRITES_PER_TRANSACTION = 100;

interface Write {
  readonly work: () => unknown;
  readonly durable: boolean;
  readonly resolve: (outcome: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The outcome of a write, not yet reported to its caller. */
interface Outcome {
  readonly durable: boolean;
  readonly report: () => void;
  readonly reject: (error: unknown) => void;
}

/** Is notified of the transactions of a queue. */
export interface TransactionListener {
  /** Directly before a commit. */
  commits(): void;
  /** Before any outcome is reported. Without a commit, if it failed earlier. */
  ends(outcome: { readonly committed: boolean }): void;
}

/**
 * Runs writes one at a time and in order. The writes that arrive in one tick of the event loop share a transaction, and
 * the transactions that commit during one wait for the disk share the next wait. A write that throws does not affect the
 * others, because each of its statements leaves the documents consistent.
 */
export class WriteQueue {
  readonly #connection: Connection;
  readonly #disk: Disk;
  readonly #listener: TransactionListener;
  #waiting: Write[] = [];
  #scheduled = false;
  /** The outcomes to report when the disk has the writes. */
  #unsynced: Outcome[] = [];
  #syncing: Promise<void> | undefined;
  /** How many outcomes the running wait for the disk is for. */
  #syncingWrites = 0;
  /** Why the queue accepts no more writes. */
  #ended: Unavailable | undefined;

  constructor(connection: Connection, disk: Disk, listener: TransactionListener) {
    this.#connection = connection;
    this.#disk = disk;
    this.#listener = listener;
  }

  /** How many writes wait for their transaction. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** How many writes wait for the disk. */
  get unsynced(): number {
    return this.#unsynced.length + this.#syncingWrites;
  }

  /** Whether the disk failed. From then on it is not known which commits are on it. */
  get failed(): boolean {
    return this.#ended?.cause !== undefined;
  }

  /**
   * Runs `work`, which is synchronous, inside a transaction.
   *
   * @returns the result of `work`, once the transaction is durable, or only committed if `durable` is false
   * @throws the error of `work`; Unavailable when the transaction could not be completed
   */
  run<R>(work: () => R, { durable = true }: WriteOptions = {}): Promise<R> {
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise<R>((resolve, reject) => {
      this.#waiting.push({ work, durable, resolve: resolve as (outcome: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** Completes the waiting writes, and accepts no more. */
  async close(): Promise<void> {
    while (this.#waiting.length > 0) this.#flush();
    this.#ended ??= new Unavailable('The store is closed');
    await this.#syncing;
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
      this.#schedule();
    });
  }

  #flush(): void {
    const writes = this.#waiting.splice(0, MAX_WRITES_PER_TRANSACTION);
    if (writes.length === 0) return;
    const outcomes: Outcome[] = [];
    try {
      this.#connection.exec('BEGIN IMMEDIATE');
      for (const { work, durable, resolve, reject } of writes) {
        try {
          const result = work();
          outcomes.push({ durable, report: () => resolve(result), reject });
        } catch (error) {
          // An error such as a full disk ends the transaction, and with it the earlier writes.
          if (!this.#connection.inTransaction) throw error;
          outcomes.push({ durable: false, report: () => reject(error), reject });
        }
      }
      this.#listener.commits();
      this.#connection.exec('COMMIT');
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
      this.#listener.ends({ committed: false });
      const unavailable = asUnavailable(error);
      for (const { reject } of writes) reject(unavailable);
      return;
    }
    this.#listener.ends({ committed: true });
    for (const outcome of outcomes) {
      if (outcome.durable) this.#unsynced.push(outcome);
      else outcome.report();
    }
    if (this.#unsynced.length > 0) this.#syncing ??= this.#sync();
  }

  /** Waits for the disk until no durable write is missing on it. */
  async #sync(): Promise<void> {
    while (this.#unsynced.length > 0) {
      const outcomes = this.#unsynced.splice(0);
      this.#syncingWrites = outcomes.length;
      try {
        await this.#disk.sync();
        for (const { report } of outcomes) report();
      } catch (error) {
        this.#ended = asUnavailable(error);
        // Waiting writes fail, too: the log can lack what precedes them, even if a later sync succeeds.
        const lost = [...outcomes, ...this.#unsynced.splice(0), ...this.#waiting.splice(0)];
        for (const { reject } of lost) reject(this.#ended);
      }
    }
    this.#syncingWrites = 0;
    this.#syncing = undefined;
  }
}
