import type { Connection } from '../engine/connection.ts';
import { identifier, literal, sql } from '../engine/sql.ts';
import { type Layout, scalarOf } from '../layout/layout.ts';
import { searchTables, sharedTable, tallyTable } from './count-structures.ts';
import type { Derived } from './derived.ts';
import { elementIndex, plainIndex } from './index-structures.ts';

/** The columns that every collection has. */
const OWN_COLUMNS = ['n', 'id', 'doc'].map(identifier);

/** How much of the structures of a collection has been built. */
export interface BuildProgress {
  readonly collection: string;
  readonly built: number;
  readonly of: number;
}

/**
 * Brings the file to a layout: creates and fills missing structures, replaces derived ones whose definition has changed,
 * and drops derived ones that are no longer declared. Documents are never dropped. A crash leaves structures missing, and
 * none that is wrong.
 *
 * @param onBuild called before the first missing structure is built, and after each
 */
export function ensureSchema(
  connection: Connection,
  layout: Layout,
  onBuild: (progress: BuildProgress) => void = () => {},
): void {
  inTransaction(connection, () => {
    const present = columnsIn(connection, layout);
    const missing = [...layout.columns].filter(
      ([path, column]) => path !== '_id' && !present.includes(column),
    );
    if (present.length === 0) createTable(connection, layout, missing);
    else if (missing.length > 0) addColumns(connection, layout, missing);
    dropDerived(connection, layout);
  });
  connection.sortingInFiles(() => {
    // One transaction each, so that the write-ahead log holds one of them at a time.
    const groups = missingGroups(connection, layout);
    const report = (built: number) => onBuild({ collection: layout.name, built, of: groups.length });
    if (groups.length > 0) report(0);
    for (const [built, group] of groups.entries()) {
      inTransaction(connection, () => {
        for (const { create } of group) connection.exec(create);
        for (const { fill } of group) if (fill !== undefined) connection.exec(fill);
      });
      report(built + 1);
    }
  });
  dropColumns(connection, layout);
}

/** Whether the file has all structures of a layout. */
export function isComplete(connection: Connection, layout: Layout): boolean {
  return missingGroups(connection, layout).length === 0;
}

function inTransaction(connection: Connection, work: () => void): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    work();
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Paths of documents, and the columns that repeat the values there. */
type Columns = readonly (readonly [path: string, column: string])[];

/** Creates all columns at once, because SQLite reads its whole schema again for each one that is added later. */
function createTable(connection: Connection, { table }: Layout, columns: Columns): void {
  const more = columns.map(([, column]) => `, ${column}`).join('');
  connection.exec(
    `CREATE TABLE ${table} (n INTEGER PRIMARY KEY, id TEXT NOT NULL, doc BLOB NOT NULL${more})`,
  );
}

function addColumns(connection: Connection, { table }: Layout, columns: Columns): void {
  for (const [, column] of columns) connection.exec(`ALTER TABLE ${table} ADD COLUMN ${column}`);
  const values = columns.map(([path, column]) => `${column} = ${scalarOf('doc', path)}`);
  connection.exec(`UPDATE ${table} SET ${values.join(', ')}`);
}

/** The columns of the collection's table in the file, quoted. */
function columnsIn(connection: Connection, { name }: Layout): readonly string[] {
  return connection
    .all(sql(`SELECT name FROM pragma_table_info(${literal(name)})`))
    .map(([column]) => identifier(String(column)));
}

/**
 * Drops the columns that are not declared, because no write would keep them up to date. Last, because SQLite refuses it while a
 * trigger names a table that is missing.
 */
function dropColumns(connection: Connection, layout: Layout): void {
  const kept = new Set([...OWN_COLUMNS, ...layout.columns.values()]);
  const dropped = columnsIn(connection, layout).filter((column) => !kept.has(column));
  if (dropped.length === 0) return;
  inTransaction(connection, () => {
    for (const column of dropped) connection.exec(`ALTER TABLE ${layout.table} DROP COLUMN ${column}`);
  });
}

/** The derived structures in the file, by name. */
function existingOf(
  connection: Connection,
  layout: Layout,
): ReadonlyMap<string, { readonly type: string; readonly create: string }> {
  const existing = new Map<string, { readonly type: string; readonly create: string }>();
  // A full-text index creates and drops tables of its own, whose names begin with its name.
  const inner = `${layout.name}//search_`;
  const prefix = `${layout.name}/`;
  const isDerived = `substr(name, 1, length(${literal(prefix)})) = ${literal(prefix)}`;
  for (const [type, name, create] of connection.all(
    sql(`SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND ${isDerived}`),
  )) {
    if (String(name).startsWith(inner)) continue;
    existing.set(identifier(String(name)), { type: String(type), create: String(create) });
  }
  return existing;
}

/** The groups that are not in the file as they are declared. */
function missingGroups(connection: Connection, layout: Layout): readonly Derived[][] {
  const existing = existingOf(connection, layout);
  return derived(layout).filter(
    (group) => !group.every(({ name, create }) => existing.get(name)?.create === create),
  );
}

/** Drops derived structures that are not declared, and what exists of groups that are not as they are declared. */
function dropDerived(connection: Connection, layout: Layout): void {
  const replaced = new Set(
    missingGroups(connection, layout).flatMap((group) => group.map(({ name }) => name)),
  );
  const declared = new Set(derived(layout).flatMap((group) => group.map(({ name }) => name)));
  for (const [name, { type }] of existingOf(connection, layout)) {
    if (!declared.has(name) || replaced.has(name)) connection.exec(`DROP ${type} IF EXISTS ${name}`);
  }
}

/** All derived structures, in groups that are replaced together, each in the order of creation. */
function derived(layout: Layout): Derived[][] {
  return [
    ...layout.indexes.map((index) =>
      index.array === undefined ? plainIndex(index) : elementIndex(layout, index),
    ),
    ...searchTables(layout),
    ...[...layout.shared.values()].map((shared) => sharedTable(layout, shared)),
    tallyTable(layout),
  ];
}
