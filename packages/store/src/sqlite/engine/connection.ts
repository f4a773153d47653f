import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { type Sql, sql } from './sql.ts';

/** The most prepared statements that a connection keeps: enough for all shapes of a busy server. */
const PREPARED_STATEMENTS = 500;
/** Size of the page cache, in KiB, and the size while documents are loaded, whose random ids touch many pages. */
const CACHE_KIB = 32 * 1024;
const LOADING_CACHE_KIB = 64 * 1024;
/** Size of the write-ahead log, in pages, at which the checkpointer moves it into the file. */
const CHECKPOINT_LOG_PAGES = 1_000;
/** Size at which a commit checkpoints the log itself, when the checkpointer does not keep up, in pages: 64 MiB. */
const MAX_LOG_PAGES = 16_384;
/** How long a statement waits for the lock of another connection, in milliseconds; only a backup holds one. */
const BUSY_TIMEOUT_MS = 2_000;

/** A row as the list of its column values. */
export type Row = readonly SQLOutputValue[];

/** A connection with its prepared statements. All methods are synchronous. */
export class Connection {
  readonly #database: DatabaseSync;
  readonly #statements = new LRUCache<string, StatementSync>({ max: PREPARED_STATEMENTS });

  /** @param options `loading` for a connection that loads many documents */
  constructor(path: string, options: { readonly readOnly: boolean; readonly loading?: boolean }) {
    this.#database = new DatabaseSync(path, { readOnly: options.readOnly, timeout: BUSY_TIMEOUT_MS });
    if (!options.readOnly) {
      // `LogDisk` waits for the disk in place of the commit, without blocking the serving thread.
      this.exec(
        `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${MAX_LOG_PAGES}`,
      );
    }
    const cacheKib = options.loading ? LOADING_CACHE_KIB : CACHE_KIB;
    this.exec(`PRAGMA cache_size = -${cacheKib}; PRAGMA temp_store = MEMORY`);
  }

  /** Runs `work`, outside a transaction, with sorts in temporary files: the entries of a large index do not fit into memory. */
  sortingInFiles(work: () => void): void {
    this.exec('PRAGMA temp_store = FILE');
    try {
      work();
    } finally {
      this.exec('PRAGMA temp_store = MEMORY');
    }
  }

  /** Whether a transaction is open. An error such as a full disk ends one. */
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

  /** @returns the number of rows that the statement changed, without those that triggers changed */
  run({ text, params }: Sql): number {
    return Number(this.#prepare(text).run(...(params as SQLInputValue[])).changes);
  }

  /** @returns the row that an INSERT added */
  insert({ text, params }: Sql): number {
    return Number(this.#prepare(text).run(...(params as SQLInputValue[])).lastInsertRowid);
  }

  /** Whether the write-ahead log is long enough for a checkpoint. */
  logIsLong(): boolean {
    const [, logged, moved] = this.get(sql('PRAGMA wal_checkpoint(NOOP)')) ?? [];
    return Number(logged) - Number(moved) > CHECKPOINT_LOG_PAGES;
  }

  /** Moves the write-ahead log into the file, except what other connections are reading. Waits for the disk, but not for them. */
  checkpoint(): void {
    this.get(sql('PRAGMA wal_checkpoint(PASSIVE)'));
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known) return known;
    const statement = this.#database.prepare(text, { returnArrays: true });
    this.#statements.set(text, statement);
    return statement;
  }
}
