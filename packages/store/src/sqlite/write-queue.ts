import type { WriteOptions } from '../collection.ts';
import { Unavailable } from '../errors.ts';
import type { Connection } from './connection.ts';
import type { Disk } from './log-disk.ts';
import { asUnavailable } from './translate-error.ts';

/** Writes that share a transaction at most, so that the thread is not held for more than about 10 ms. */
const MAX_WRITES_PER_TRANSACTION = 100;

interface Write {
  readonly work: () => unknown;
  readonly durable: boolean;
  readonly resolve: (outcome: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Tells who waits for a write what became of it. */
interface Settlement {
  readonly durable: boolean;
  readonly settle: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes, one at a time and in order. What arrives in one tick of the event loop shares a
 * transaction, and the transactions that are made while the disk is waited for share the next wait. A write
 * that throws does not touch the others, as long as each statement leaves the documents whole.
 */
export class WriteQueue {
  readonly #connection: Connection;
  readonly #disk: Disk;
  readonly #afterCommit: () => void;
  #waiting: Write[] = [];
  #scheduled = false;
  /** What is done when the disk has it. */
  #unsynced: Settlement[] = [];
  #syncing: Promise<void> | undefined;
  /** Why no writes are taken any more. */
  #ended: Unavailable | undefined;

  constructor(connection: Connection, disk: Disk, afterCommit: () => void) {
    this.#connection = connection;
    this.#disk = disk;
    this.#afterCommit = afterCommit;
  }

  /** Whether the disk has refused to keep what was written: what is on it from then on cannot be told. */
  get failed(): boolean {
    return this.#ended?.cause !== undefined;
  }

  /**
   * Runs `work`, which is synchronous, inside a transaction.
   *
   * @returns what `work` returned, once it is durable, or seen by everybody if it is not to be
   * @throws what `work` threw; Unavailable when the transaction could not be completed
   */
  run<R>(work: () => R, { durable = true }: WriteOptions = {}): Promise<R> {
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise<R>((resolve, reject) => {
      this.#waiting.push({ work, durable, resolve: resolve as (outcome: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** Completes the writes that wait, and takes no more. */
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
    const settlements: Settlement[] = [];
    try {
      this.#connection.exec('BEGIN IMMEDIATE');
      for (const { work, durable, resolve, reject } of writes) {
        try {
          const outcome = work();
          settlements.push({ durable, settle: () => resolve(outcome), reject });
        } catch (error) {
          // A full disk, for one, ends the transaction and with it the writes before.
          if (!this.#connection.inTransaction) throw error;
          settlements.push({ durable: false, settle: () => reject(error), reject });
        }
      }
      this.#connection.exec('COMMIT');
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
      const unavailable = asUnavailable(error);
      for (const { reject } of writes) reject(unavailable);
      return;
    }
    for (const settlement of settlements) {
      if (settlement.durable) this.#unsynced.push(settlement);
      else settlement.settle();
    }
    if (this.#unsynced.length > 0) this.#syncing ??= this.#sync();
    this.#afterCommit();
  }

  /** Waits for the disk until it has everything that is to be durable. */
  async #sync(): Promise<void> {
    while (this.#unsynced.length > 0) {
      const settlements = this.#unsynced.splice(0);
      try {
        await this.#disk.sync();
        for (const { settle } of settlements) settle();
      } catch (error) {
        this.#ended = asUnavailable(error);
        // Also what has not begun: it would come behind what the log may lack, and a later sync may well succeed.
        const lost = [...settlements, ...this.#unsynced.splice(0), ...this.#waiting.splice(0)];
        for (const { reject } of lost) reject(this.#ended);
      }
    }
    this.#syncing = undefined;
  }
}
