import { DatabaseSync } from 'node:sqlite';
import { Unavailable } from '../port/errors.ts';
import type { Snapshot, StoredDocument } from '../port/snapshot.ts';
import { collectionsIn } from './collections-in.ts';
import { identifier } from './engine/sql.ts';

/** How long the first read waits for the lock of a process that is opening or closing the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens a file of the embedded engine, beside the server that may be writing to it, for reading its documents without
 * their declarations. The point in time is that of the first document.
 *
 * @throws Unavailable when the file cannot be opened
 */
export function openSqliteSnapshot(path: string): Snapshot {
  const open = () => new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  const opened: DatabaseSync[] = [];
  const connect = (): DatabaseSync => {
    try {
      const database = open();
      opened.push(database);
      return database;
    } catch (cause) {
      throw new Unavailable(`The file ${path} cannot be opened: ${(cause as Error).message}`, { cause });
    }
  };
  // Two connections, because every read of the one with the transaction is from the snapshot.
  const snapshot = connect();
  const now = connect();
  return {
    async *documents(only): AsyncGenerator<StoredDocument> {
      snapshot.exec('BEGIN');
      for (const collection of collectionsIn(snapshot)) {
        if (only && !only.includes(collection)) continue;
        const rows = snapshot
          .prepare(`SELECT json(doc) AS text FROM ${identifier(collection)} ORDER BY id`)
          .iterate();
        for (const { text } of rows) yield { collection, document: JSON.parse(String(text)) };
      }
      snapshot.exec('COMMIT');
    },
    async current(collection, id) {
      if (!collectionsIn(now).includes(collection)) return undefined;
      const row = now.prepare(`SELECT json(doc) AS text FROM ${identifier(collection)} WHERE id = ?`).get(id);
      return row && JSON.parse(String(row.text));
    },
    async close() {
      for (const database of opened) database.close();
    },
  };
}
