import { open } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { Unavailable } from '../port/errors.ts';
import { collectionsIn } from './collections-in.ts';
import { identifier } from './engine/sql.ts';

/** The pages of one step: between steps other work of this process runs. */
const PAGES_PER_STEP = 10_000;

/** How long the copy waits for the lock of a process that is opening or closing the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Copies the file of the embedded engine while a server may be writing to it. The copy is the state at one commit: a read
 * transaction stays open for the whole copy, so that later commits neither enter it nor start it again. The server goes
 * on; only its write-ahead log grows until the copy ends.
 *
 * @param to a file that does not exist; it is on the disk when the promise resolves
 * @param onPages called between the steps
 * @returns the number of documents in each collection
 * @throws Unavailable when the file cannot be read
 */
export async function copySqliteFile(
  from: string,
  to: string,
  onPages: (copied: number, of: number) => void = () => {},
): Promise<ReadonlyMap<string, number>> {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    database.exec('BEGIN');
    // Only a read begins the transaction.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    await backup(database, to, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => onPages(totalPages - remainingPages, totalPages),
    });
  } catch (cause) {
    throw new Unavailable(`The file ${from} cannot be copied: ${(cause as Error).message}`, { cause });
  } finally {
    database?.close();
  }
  const copied = new DatabaseSync(to);
  // A single file, which is readable where no log can be created beside it. The server that opens it turns the log on.
  copied.exec('PRAGMA journal_mode = DELETE');
  const counts = new Map(
    collectionsIn(copied).map((collection) => {
      const { count } = copied.prepare(`SELECT count(*) AS count FROM ${identifier(collection)}`).get() ?? {};
      return [collection, Number(count)];
    }),
  );
  copied.close();
  const file = await open(to, 'r+');
  await file.sync().finally(() => file.close());
  return counts;
}
