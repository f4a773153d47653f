import { Conflict } from '../../port/errors.ts';
import { asUnavailable } from '../engine/as-unavailable.ts';
import type { Layout } from '../layout/layout.ts';

/** SQLITE_CONSTRAINT_UNIQUE. */
const UNIQUE_VIOLATED = 2067;
/** Primary codes of errors that the statement did not cause: busy, locked, no memory, read-only, I/O, corrupt, full, cannot open. */
const ENGINE_TROUBLE = new Set([5, 6, 7, 8, 10, 11, 13, 14]);

const codeOf = (error: unknown): number => {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code : 0;
};

/** The error of the port for an error of SQLite; any other error is returned as it is. */
export function translateError(layout: Layout, error: unknown): unknown {
  const code = codeOf(error);
  if (code === UNIQUE_VIOLATED) return new Conflict(violatedIndex(layout, String(error)), { cause: error });
  return ENGINE_TROUBLE.has(code & 0xff) || isClosed(error) ? asUnavailable(error) : error;
}

/** Runs work, and throws the error of the port where SQLite throws one of its own. */
export async function translatingErrors<R>(layout: Layout, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw translateError(layout, error);
  }
}

const isClosed = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';

/** SQLite names the columns: "UNIQUE constraint failed: table.column, table.column". */
function violatedIndex(layout: Layout, message: string): string {
  const unquoted = (name: string) => name.replace(/^"|"$/g, '');
  const found = layout.indexes.find(({ unique, table, keys }) => {
    const columns = keys.map(({ column }) => `${unquoted(table)}.${unquoted(column)}`);
    return unique && message.endsWith(`failed: ${columns.join(', ')}`);
  });
  return found?.name ?? 'unknown';
}
