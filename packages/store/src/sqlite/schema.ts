import type { Connection } from './connection.ts';
import { type IndexLayout, type Layout, type SharedLayout, scalarOf, valueAt } from './layout.ts';
import { identifier, jsonPath, literal, sql } from './sql.ts';

/** The columns that every collection has. */
const OWN_COLUMNS = ['n', 'id', 'doc'].map(identifier);

/** A table, index or trigger that is derived from the documents. */
interface Derived {
  /** Quoted. */
  readonly name: string;
  readonly create: string;
  /** Fills a new table from the documents that exist. */
  readonly fill?: string;
}

/**
 * Brings the file to a layout: creates what is missing and fills it, replaces derived structures
 * whose definition has changed, and drops derived ones that are declared no more. Documents are
 * never dropped. One transaction.
 */
export function ensureSchema(connection: Connection, layout: Layout): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const present = connection
      .all(sql(`SELECT name FROM pragma_table_info(${literal(layout.name)})`))
      .map(([name]) => identifier(String(name)));
    const missing = [...layout.columns].filter(
      ([path, column]) => path !== '_id' && !present.includes(column),
    );
    if (present.length === 0) createTable(connection, layout, missing);
    else if (missing.length > 0) addColumns(connection, layout, missing);
    ensureDerived(connection, layout);
    // No write would keep them up to date.
    const kept = new Set([...OWN_COLUMNS, ...layout.columns.values()]);
    for (const column of present) {
      if (!kept.has(column)) connection.exec(`ALTER TABLE ${layout.table} DROP COLUMN ${column}`);
    }
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Values of documents, by their paths, and the columns that repeat them. */
type Columns = readonly (readonly [path: string, column: string])[];

/** All columns at once: for each one that is added later the engine reads its whole schema again. */
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

function ensureDerived(connection: Connection, layout: Layout): void {
  const existing = new Map<string, { readonly type: string; readonly create: string }>();
  // The tables that a full text index makes for itself continue its name; they come and go with it.
  const inner = `${layout.name}//search_`;
  const prefix = `${layout.name}/`;
  const ours = `substr(name, 1, length(${literal(prefix)})) = ${literal(prefix)}`;
  for (const [type, name, create] of connection.all(
    sql(`SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND ${ours}`),
  )) {
    if (String(name).startsWith(inner)) continue;
    existing.set(identifier(String(name)), { type: String(type), create: String(create) });
  }
  const drop = (name: string) => {
    const found = existing.get(name);
    if (found) connection.exec(`DROP ${found.type} IF EXISTS ${name}`);
  };
  const groups = derived(layout);
  const wanted = new Set(groups.flatMap((group) => group.map(({ name }) => name)));
  for (const name of existing.keys()) if (!wanted.has(name)) drop(name);
  for (const group of groups) {
    if (group.every(({ name, create }) => existing.get(name)?.create === create)) continue;
    for (const { name } of group) drop(name);
    for (const { create } of group) connection.exec(create);
    for (const { fill } of group) if (fill !== undefined) connection.exec(fill);
  }
}

/** Everything that is derived, in groups that are made together, each in the order in which it can be created. */
function derived(layout: Layout): Derived[][] {
  return [
    ...layout.indexes.map((index) =>
      index.array === undefined ? plainIndex(index) : elementIndex(layout, index),
    ),
    searchTables(layout),
    ...[...layout.shared.values()].map((shared) => sharedTable(layout, shared)),
    tallyTable(layout),
  ];
}

const keyList = (index: IndexLayout) =>
  index.keys.map(({ column, descending }) => `${column}${descending ? ' DESC' : ''}`).join(', ');

function plainIndex(index: IndexLayout): Derived[] {
  const unique = index.unique ? 'UNIQUE ' : '';
  const partial = index.sparse ? ` WHERE ${index.sparse.column} IS NOT NULL` : '';
  return [
    {
      name: index.sqlName,
      create: `CREATE ${unique}INDEX ${index.sqlName} ON ${index.table} (${keyList(index)})${partial}`,
    },
  ];
}

/**
 * The statement that gives the side table of an index the elements of documents that it has none of yet; of all
 * documents, unless a condition on a row `d` says of which.
 */
export function elementsOf(layout: Layout, index: IndexLayout, condition = '1'): string {
  return elementRows(layout, index, 'd', `${layout.table} d,`, ` AND ${condition}`);
}

/** The statement that gives a side table the elements of a row. */
function elementRows(layout: Layout, index: IndexLayout, row: string, from = '', condition = ''): string {
  const { table, keys, array = '' } = index;
  const values = keys.map(({ path, perElement }) => {
    if (!perElement) return `${row}.${valueAt(layout, path)}`;
    if (path === array) return 'e.atom';
    const inside = jsonPath(path.slice(array.length + 1).split('.'));
    return `CASE e.type WHEN 'object' THEN e.value ->> ${inside} END`;
  });
  const perElement = values.filter((_, i) => keys[i]?.perElement);
  return (
    `INSERT INTO ${table} (n, ordinal, ${keys.map(({ column }) => column).join(', ')}) ` +
    `SELECT ${row}.n, min(e.key), ${values.join(', ')} ` +
    `FROM ${from} json_each(${row}.doc, ${jsonPath(array.split('.'))}) e ` +
    `WHERE ${perElement[0]} IS NOT NULL${condition} GROUP BY ${row}.n, ${perElement.join(', ')}`
  );
}

/**
 * A side table with a row per different element, and the index over it. Triggers keep it when documents change or go;
 * whoever inserts one that has elements adds them (`elementsOf`): a trigger would have SQLite keep a copy of every page
 * that an insertion changes, also where there are none.
 */
function elementIndex(layout: Layout, index: IndexLayout): Derived[] {
  const { table, array = '' } = index;
  const arrayPath = jsonPath(array.split('.'));
  const columns = index.keys.map(({ column }) => column);
  const scalars = index.keys.filter(({ perElement, path }) => !perElement && path !== '_id');
  const changed = [
    `(old.doc -> ${arrayPath}) IS NOT (new.doc -> ${arrayPath})`,
    ...scalars.map(({ path }) => `old.${valueAt(layout, path)} IS NOT new.${valueAt(layout, path)}`),
  ].join(' OR ');
  return [
    {
      name: table,
      create: `CREATE TABLE ${table} (n INTEGER NOT NULL, ordinal INTEGER NOT NULL, ${columns.join(', ')}, PRIMARY KEY (n, ordinal)) WITHOUT ROWID`,
      fill: elementsOf(layout, index),
    },
    {
      name: index.sqlName,
      create: `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${index.sqlName} ON ${table} (${keyList(index)})`,
    },
    trigger(
      layout,
      `${index.name}/update`,
      `UPDATE OF doc ON ${layout.table} WHEN ${changed}`,
      `DELETE FROM ${table} WHERE n = old.n; ${elementRows(layout, index, 'new')}`,
    ),
    trigger(
      layout,
      `${index.name}/delete`,
      `DELETE ON ${layout.table}`,
      `DELETE FROM ${table} WHERE n = old.n`,
    ),
  ];
}

function searchTables(layout: Layout): Derived[] {
  if (!layout.search) return [];
  const { table, index, paths } = layout.search;
  const columns = paths.map((path) => valueAt(layout, path));
  // So that matches of some values of the tally are counted without a look at the documents.
  const told = layout.tally && !paths.includes(layout.tally.path) ? [valueAt(layout, layout.tally.path)] : [];
  const names = paths.map((_, i) => `c${i}`);
  const values = (row: string) => [`${row}.n`, ...columns.map((column) => `${row}.${column}`)].join(', ');
  const insert = `INSERT INTO ${table} (rowid, ${names.join(', ')})`;
  const changed = columns.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ');
  return [
    {
      name: table,
      // The fields are verified in the documents, so positions need not be kept.
      create:
        `CREATE VIRTUAL TABLE ${table} USING fts5(${names.join(', ')}, content='', contentless_delete=1, ` +
        `detail=none, tokenize='trigram case_sensitive 1')`,
      fill: `${insert} SELECT ${values('d')} FROM ${layout.table} d`,
    },
    { name: index, create: `CREATE INDEX ${index} ON ${layout.table} (${[...columns, ...told].join(', ')})` },
    trigger(layout, '/search/insert', `INSERT ON ${layout.table}`, `${insert} VALUES (${values('new')})`),
    trigger(
      layout,
      '/search/update',
      `UPDATE OF doc ON ${layout.table} WHEN ${changed}`,
      `DELETE FROM ${table} WHERE rowid = old.n; ${insert} VALUES (${values('new')})`,
    ),
    trigger(
      layout,
      '/search/delete',
      `DELETE ON ${layout.table}`,
      `DELETE FROM ${table} WHERE rowid = old.n`,
    ),
  ];
}

/** The values of a path with their counts, kept by triggers. */
function sharedTable(layout: Layout, { path, table }: SharedLayout): Derived[] {
  const value = valueAt(layout, path);
  // In place of null, which a unique index would not compare.
  const part = (row: string) =>
    layout.tally ? `ifnull(${row}.${valueAt(layout, layout.tally.path)}, x'')` : `x''`;
  const into = `INSERT INTO ${table} (value, part, total)`;
  const add =
    `${into} SELECT new.${value}, ${part('new')}, 1 WHERE new.${value} IS NOT NULL ` +
    'ON CONFLICT (value, part) DO UPDATE SET total = total + 1';
  const old = `value = old.${value} AND part = ${part('old')}`;
  const take = `UPDATE ${table} SET total = total - 1 WHERE ${old}; DELETE FROM ${table} WHERE ${old} AND total = 0`;
  const changed = `old.${value} IS NOT new.${value} OR ${part('old')} IS NOT ${part('new')}`;
  return [
    {
      name: table,
      create: `CREATE TABLE ${table} (n INTEGER PRIMARY KEY, value TEXT NOT NULL, part NOT NULL, total INTEGER NOT NULL, UNIQUE (value, part))`,
      fill: `${into} SELECT d.${value}, ${part('d')}, count(*) FROM ${layout.table} d WHERE d.${value} IS NOT NULL GROUP BY 1, 2`,
    },
    trigger(layout, `/values/${path}/insert`, `INSERT ON ${layout.table}`, add),
    trigger(
      layout,
      `/values/${path}/update`,
      `UPDATE OF doc ON ${layout.table} WHEN ${changed}`,
      `${take}; ${add}`,
    ),
    trigger(layout, `/values/${path}/delete`, `DELETE ON ${layout.table}`, take),
  ];
}

function tallyTable(layout: Layout): Derived[] {
  if (!layout.tally) return [];
  const { table, path } = layout.tally;
  const column = valueAt(layout, path);
  const add = `INSERT INTO ${table} VALUES (new.${column}, 1) ON CONFLICT DO UPDATE SET total = total + 1`;
  const take = `UPDATE ${table} SET total = total - 1 WHERE value = old.${column}`;
  const both = `UPDATE OF doc ON ${layout.table} WHEN old.${column} IS NOT new.${column}`;
  return [
    {
      name: table,
      create: `CREATE TABLE ${table} (value PRIMARY KEY NOT NULL, total INTEGER NOT NULL) WITHOUT ROWID`,
      fill: `INSERT INTO ${table} SELECT ${column}, count(*) FROM ${layout.table} WHERE ${column} IS NOT NULL GROUP BY 1`,
    },
    trigger(layout, '/tally/insert', `INSERT ON ${layout.table} WHEN new.${column} IS NOT NULL`, add),
    trigger(layout, '/tally/update from', `${both} AND old.${column} IS NOT NULL`, take),
    trigger(layout, '/tally/update to', `${both} AND new.${column} IS NOT NULL`, add),
    trigger(layout, '/tally/delete', `DELETE ON ${layout.table} WHEN old.${column} IS NOT NULL`, take),
  ];
}

function trigger(layout: Layout, name: string, when: string, body: string): Derived {
  const quoted = identifier(`${layout.name}/${name}`);
  return { name: quoted, create: `CREATE TRIGGER ${quoted} AFTER ${when} BEGIN ${body}; END` };
}
