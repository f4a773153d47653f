import { existsSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { type Row, type SourceDatabase, unreadable } from './database.ts';

/** How many rows are read before others of the process have a turn. */
const TURN = 500;

/** How long a lock of the homeserver is waited for, in milliseconds. */
const LOCKED_MS = 10_000;

/** How many pages of a database in use are copied at a time. */
const PAGES = 4_096;

/**
 * Opens a database file for reading, at one moment. One that is in use is copied first, because a reader of the file would keep
 * its homeserver from writing.
 *
 * @param copy the path of the copy of one that is in use; undefined for one whose homeserver is stopped
 * @throws Error with a message of one line when it cannot be read
 */
export async function openSqlite(path: string, copy: string | undefined): Promise<SourceDatabase> {
  if (!existsSync(path)) throw new Error(`The database ${path} does not exist.`);
  const tables = new Map<string, ReadonlySet<string>>();
  try {
    if (copy !== undefined) await copyDatabase(path, copy);
    const database = openQuietly(copy ?? path);
    for (const { name } of database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()) {
      const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(String(name));
      tables.set(String(name), new Set(columns.map((column) => String(column.name))));
    }
    return sourceOf(database, path, tables, () => {
      database.close();
      if (copy !== undefined) rmSync(copy, { force: true });
    });
  } catch (error) {
    if (copy !== undefined) rmSync(copy, { force: true });
    throw new Error(`The database ${path} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

async function copyDatabase(path: string, copy: string): Promise<void> {
  rmSync(copy, { force: true });
  const database = new DatabaseSync(path, { readOnly: true, timeout: LOCKED_MS });
  try {
    await backup(database, copy, { rate: PAGES });
  } finally {
    database.close();
  }
}

function openQuietly(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: LOCKED_MS });
  database.exec('PRAGMA query_only = 1; PRAGMA temp_store = FILE; BEGIN');
  return database;
}

function sourceOf(
  database: DatabaseSync,
  path: string,
  tables: ReadonlyMap<string, ReadonlySet<string>>,
  close: () => void,
): SourceDatabase {
  return {
    tables,
    no: '0',
    inOrder: (column) => column,
    async *rows(sql) {
      let read = 0;
      for (const row of stepped(database, sql, path)) {
        yield numbered(row);
        if (++read % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    },
    users: async () => undefined,
    async bytes() {
      const { n } =
        database
          .prepare('SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size')
          .get() ?? {};
      return Number(n);
    },
    close: async () => close(),
  };
}

/** The rows of a query as they are stored. */
function* stepped(database: DatabaseSync, sql: string, path: string): Generator<Row> {
  let rows: Iterator<Row>;
  try {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    rows = statement.iterate();
  } catch (error) {
    throw unreadable(path, sql, error as Error);
  }
  for (;;) {
    let next: IteratorResult<Row>;
    try {
      next = rows.next();
    } catch (error) {
      throw unreadable(path, sql, error as Error);
    }
    if (next.done) return;
    yield next.value;
  }
}

/** A row whose whole numbers are numbers where they are safe. */
function numbered(row: Row): Row {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    const isSafe = typeof value === 'bigint' && Number.isSafeInteger(Number(value));
    values[name] = isSafe ? Number(value) : value;
  }
  return values;
}
