import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { type Sql, sql } from './sql.ts';

/** Statements kept prepared per connection: all shapes of a busy server, without growing for odd ones. */
const PREPARED_STATEMENTS = 500;
/** Memory for pages read by this connection, in KiB. */
const CACHE_KIB = 32 * 1024;
/** The write-ahead log's size, in pages, from which the checkpointer moves it into the file. */
const CHECKPOINT_LOG_PAGES = 1_000;
/** The size, in pages, at which a commit does so itself, should the checkpointer not keep up: 64 MiB. */
const MAX_LOG_PAGES = 16_384;
/** How long a statement waits for another connection's lock, in ms; only a backup ever holds one. */
const BUSY_TIMEOUT_MS = 2_000;

/** A row as the list of its columns. */
export type Row = readonly SQLOutputValue[];

/** A connection with its prepared statements. Everything is synchronous. */
export class Connection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, options: { readOnly: boolean }) {
    this.#database = new DatabaseSync(path, { readOnly: options.readOnly, timeout: BUSY_TIMEOUT_MS });
    if (!options.readOnly) {
      // A commit does not wait for the disk: `LogDisk` does, and keeps nobody else waiting.
      this.exec(
        `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${MAX_LOG_PAGES}`,
      );
    }
    this.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA temp_store = MEMORY`);
  }

  /** Whether a transaction is open; an error such as a full disk may have ended it. */
  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(text: string): void {
    this.#database.exec(text);
  }

  all({ text, params }: Sql): Row[] {
    return this.#prepare(text).all(...params) as unknown as Row[];
  }

  get({ text, params }: Sql): Row | undefined {
    return this.#prepare(text).get(...params) as unknown as Row | undefined;
  }

  /** @returns the number of rows that were changed directly, without those of triggers */
  run({ text, params }: Sql): number {
    return Number(this.#prepare(text).run(...(params as SQLInputValue[])).changes);
  }

  /** @returns the row that an INSERT has made */
  insert({ text, params }: Sql): number {
    return Number(this.#prepare(text).run(...(params as SQLInputValue[])).lastInsertRowid);
  }

  /** Whether the write-ahead log is worth a checkpoint. */
  logIsLong(): boolean {
    const [, logged, moved] = this.get(sql('PRAGMA wal_checkpoint(NOOP)')) ?? [];
    return Number(logged) - Number(moved) > CHECKPOINT_LOG_PAGES;
  }

  /** Moves the write-ahead log into the file, as far as nobody is reading it. Waits for the disk, but for no one else. */
  checkpoint(): void {
    this.get(sql('PRAGMA wal_checkpoint(PASSIVE)'));
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known) {
      // The map's order is the order of use: the first one is the one to forget.
      this.#statements.delete(text);
      this.#statements.set(text, known);
      return known;
    }
    const statement = this.#database.prepare(text, { returnArrays: true });
    this.#statements.set(text, statement);
    if (this.#statements.size > PREPARED_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    return statement;
  }
}
