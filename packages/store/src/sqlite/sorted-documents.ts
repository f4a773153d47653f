import { DatabaseSync } from 'node:sqlite';
import type { Doc } from '../port/declaration.ts';
import { Unavailable } from '../port/errors.ts';
import type { StoredDocument } from '../port/snapshot.ts';
import { collectionsIn } from './collections-in.ts';
import { identifier, jsonPath } from './engine/sql.ts';

/** How long the first read waits for the lock of a process that is opening or closing the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/** The documents of one transaction. */
const DOCUMENTS_PER_COMMIT = 1_000;

/** The documents in a file as they are at one moment, in any order. */
export interface SortedDocuments {
  readonly collections: readonly string[];
  /**
   * The documents of a collection in ascending order of top-level fields, then of their ids; none if the file does not
   * have the collection. Sorts in temporary files.
   */
  sorted(collection: string, by: readonly string[]): Iterable<Doc>;
  find(collection: string, id: string): Doc | undefined;
  close(): void;
}

/**
 * Opens a file of the embedded engine, beside the server that may be writing to it, or one of `spoolDocuments`.
 *
 * @throws Unavailable when it cannot be opened
 */
export function openSortedDocuments(path: string): SortedDocuments {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  } catch (cause) {
    throw new Unavailable(`The file ${path} cannot be opened: ${(cause as Error).message}`, { cause });
  }
  // The first read begins the transaction that all others are part of.
  database.exec('BEGIN');
  const collections = collectionsIn(database);
  const finds = new Map(
    collections.map((name) => [
      name,
      database.prepare(`SELECT json(doc) AS text FROM ${identifier(name)} WHERE id = ?`),
    ]),
  );
  return {
    collections,
    *sorted(collection, by) {
      if (!collections.includes(collection)) return;
      const order = [...by.map((field) => `doc ->> ${jsonPath([field])}`), 'id'].join(', ');
      const rows = database.prepare(
        `SELECT json(doc) AS text FROM ${identifier(collection)} ORDER BY ${order}`,
      );
      for (const { text } of rows.iterate()) yield JSON.parse(String(text));
    },
    find(collection, id) {
      const row = finds.get(collection)?.get(id);
      return row && JSON.parse(String(row.text));
    },
    close: () => database.close(),
  };
}

/**
 * Writes documents into a new file for `openSortedDocuments`. After a crash the file is of no use.
 *
 * @param path a file that does not exist
 */
export async function spoolDocuments(documents: AsyncIterable<StoredDocument>, path: string): Promise<void> {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
    const inserts = new Map<string, ReturnType<DatabaseSync['prepare']>>();
    let written = 0;
    for await (const { collection, document } of documents) {
      let insert = inserts.get(collection);
      if (!insert) {
        const table = identifier(collection);
        database.exec(
          `CREATE TABLE ${table} (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, doc BLOB NOT NULL)`,
        );
        insert = database.prepare(`INSERT INTO ${table} (id, doc) VALUES (?, jsonb(?))`);
        inserts.set(collection, insert);
      }
      insert.run(document._id, JSON.stringify(document));
      if (++written % DOCUMENTS_PER_COMMIT === 0) database.exec('COMMIT; BEGIN');
    }
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}
