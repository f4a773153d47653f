import { hash } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Positions } from '@steward/migrate';

/** How many ids are read at a time. */
const PAGE = 1_000;

/** The run of what was removed, until the copy is complete. */
const REMOVED = -1;

/** How many bytes stand for the key of a row: that two of them are equal is improbable, and harmless. */
const KEY_BYTES = 8;

/** A record as the ledger knows it. */
export interface Entry {
  /** What names its row. */
  readonly key: string;
  /** The id of its document. */
  readonly id: string;
  /** What the record was made of. */
  readonly digest: Uint8Array;
}

/** What an earlier copy has loaded; `taken` is what this one has. */
export type Known = 'new' | 'same' | 'changed' | 'taken';

/**
 * What copies have loaded, record by record, so that a later one brings what has changed. An entry is on the disk before its record
 * is loaded: so no record exists that the ledger does not know.
 */
export class Ledger {
  readonly #database: DatabaseSync;
  readonly #find: StatementSync;
  readonly #note: StatementSync;
  readonly #run: number;
  /** The last copy that was completed. */
  readonly #completed: number;
  /** Whether the copy before was completed: else what it has noted may not have been loaded. */
  readonly isTrusted: boolean;

  private constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      CREATE TABLE IF NOT EXISTS entries (kind TEXT, id TEXT, digest BLOB, run INTEGER, replaces INTEGER, row BLOB, PRIMARY KEY (kind, id)) WITHOUT ROWID;
      CREATE TEMP TABLE kept (kind TEXT, row BLOB, PRIMARY KEY (kind, row)) WITHOUT ROWID;
      DROP INDEX IF EXISTS entries_row;
      CREATE TABLE IF NOT EXISTS runs (run INTEGER PRIMARY KEY, completed INTEGER, lowest INTEGER, highest INTEGER);
    `);
    const last = database.prepare('SELECT run, completed FROM runs ORDER BY run DESC LIMIT 1').get();
    this.isTrusted = last === undefined || last.completed === 1;
    this.#run = Number(last?.run ?? 0) + 1;
    const completed = database.prepare('SELECT MAX(run) AS run FROM runs WHERE completed = 1').get();
    this.#completed = Number(completed?.run ?? 0);
    this.#find = database.prepare('SELECT digest, run, replaces FROM entries WHERE kind = ? AND id = ?');
    this.#note = database.prepare(
      'INSERT OR REPLACE INTO entries (kind, id, digest, run, replaces, row) VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  /** Opens the ledger of a file, which is created if it is missing. */
  static open(path: string): Ledger {
    return new Ledger(new DatabaseSync(path));
  }

  /** The positions of the events that the last completed copy has loaded; undefined before the first one. */
  positions(): Positions | undefined {
    const row = this.#database
      .prepare('SELECT lowest, highest FROM runs WHERE completed = 1 ORDER BY run DESC LIMIT 1')
      .get();
    return row && { lowest: Number(row.lowest), highest: Number(row.highest) };
  }

  /** The lowest position of the first copy, whether or not it was completed. */
  firstPosition(): number | undefined {
    const row = this.#database.prepare('SELECT lowest FROM runs ORDER BY run LIMIT 1').get();
    return row && Number(row.lowest);
  }

  /** Begins a copy, whose events begin at a position. */
  begin(lowest: number): void {
    this.#database
      .prepare('INSERT INTO runs (run, completed, lowest, highest) VALUES (?, 0, ?, ?)')
      .run(this.#run, lowest, lowest);
  }

  /** Says what is known of a record. */
  look(kind: string, { id, digest }: Entry): Known {
    const row = this.#find.get(kind, id);
    if (!row) return 'new';
    if (row.run === this.#run) return 'taken';
    // What an interrupted copy has put in place of an earlier record may not have reached the disk.
    if (row.replaces === 1 && Number(row.run) > this.#completed) return 'changed';
    return Buffer.compare(row.digest as Uint8Array, digest) === 0 ? 'same' : 'changed';
  }

  /**
   * Notes records that are there, or will be.
   *
   * @param replaces whether they are put in place of earlier ones
   */
  note(kind: string, entries: readonly Entry[], replaces = false): void {
    if (entries.length === 0) return;
    this.#together(() => {
      for (const { key, id, digest } of entries)
        this.#note.run(kind, id, digest, this.#run, replaces ? 1 : 0, digestOfKey(key));
    });
  }

  /** Notes that the earlier record of a row stays, because the later one is refused. */
  keep(kind: string, key: string): void {
    this.#database
      .prepare('INSERT OR IGNORE INTO kept (kind, row) VALUES (?, ?)')
      .run(kind, digestOfKey(key));
  }

  /** Notes that records were removed. */
  remove(kind: string, ids: readonly string[]): void {
    const note = this.#database.prepare('UPDATE entries SET run = ? WHERE kind = ? AND id = ?');
    this.#together(() => {
      for (const id of ids) note.run(REMOVED, kind, id);
    });
  }

  /** Forgets records that are not there. */
  forget(kind: string, ids: readonly string[]): void {
    const remove = this.#database.prepare('DELETE FROM entries WHERE kind = ? AND id = ?');
    this.#together(() => {
      for (const id of ids) remove.run(kind, id);
    });
  }

  /** The ids of a kind that this copy has neither noted nor kept, a page at a time. */
  *gone(kind: string): Generator<readonly string[]> {
    const find = this.#database.prepare(
      'SELECT id FROM entries WHERE kind = ? AND run < ? AND id > ? AND NOT EXISTS (SELECT 1 FROM kept WHERE kept.kind = entries.kind AND kept.row = entries.row) ORDER BY id LIMIT ?',
    );
    for (let after = ''; ; ) {
      const page = find.all(kind, this.#run, after, PAGE).map(({ id }) => String(id));
      if (page.length === 0) return;
      after = page.at(-1) ?? '';
      yield page;
    }
  }

  /** Notes that everything was loaded and is on the disk. */
  complete(highest: number): void {
    this.#together(() => {
      this.#database.prepare('DELETE FROM entries WHERE run = ?').run(REMOVED);
      this.#database
        .prepare('UPDATE runs SET completed = 1, highest = ? WHERE run = ?')
        .run(highest, this.#run);
    });
  }

  close(): void {
    this.#database.close();
  }

  #together(work: () => void): void {
    this.#database.exec('BEGIN');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      // An error such as a full disk ends the transaction.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

function digestOfKey(key: string): Uint8Array {
  return hash('sha256', key, 'buffer').subarray(0, KEY_BYTES);
}
