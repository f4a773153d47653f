import { type Layout, type SharedLayout, valueAt } from '../layout/layout.ts';
import { type Derived, trigger } from './derived.ts';

/**
 * The rows that are changed before the full-text index is brought up to date with all of them: in one step, because it then
 * takes 0.03 ms for each, and 0.2 ms one by one.
 */
const UNSEARCHED_ROWS = 64;

/**
 * The structures of a search, in groups that are replaced on their own:
 *
 * - the full-text index over the searched columns, and a plain one that holds them for the verification of its matches;
 * - the rows that were changed since the full-text index was brought up to date, which searches look at one by one. A row that is
 *   lost from here would not be found any more, so this table stays the same while the others change;
 * - the triggers that keep both.
 */
export function searchTables(layout: Layout): Derived[][] {
  if (!layout.search) return [];
  const { table, index, unsearched, paths } = layout.search;
  const columns = paths.map((path) => valueAt(layout, path));
  // Lets matches be counted per value of the tally without reading documents.
  const tallied =
    layout.tally && !paths.includes(layout.tally.path) ? [valueAt(layout, layout.tally.path)] : [];
  const names = paths.map((_, i) => `c${i}`);
  const insert =
    `INSERT INTO ${table} (rowid, ${names.join(', ')}) ` +
    `SELECT d.n, ${columns.map((column) => `d.${column}`).join(', ')} FROM`;
  const changed = columns.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ');
  const note = (row: string) => `INSERT INTO ${unsearched} VALUES (${row}.n) ON CONFLICT DO NOTHING`;
  // In the order of rows: the full-text index writes out what it has whenever a row precedes the one before it.
  const update =
    `DELETE FROM ${table} WHERE rowid IN (SELECT n FROM ${unsearched}); ` +
    `${insert} ${unsearched} CROSS JOIN ${layout.table} d USING (n) ORDER BY d.n; DELETE FROM ${unsearched}`;
  const isFull = `(SELECT count(*) FROM ${unsearched}) >= ${UNSEARCHED_ROWS}`;
  return [
    [
      {
        name: table,
        // Matches are verified in the columns, so the index needs no positions; it tells apart which column has a trigram.
        create:
          `CREATE VIRTUAL TABLE ${table} USING fts5(${names.join(', ')}, content='', contentless_delete=1, ` +
          `detail=column, tokenize='trigram case_sensitive 1')`,
        fill: `${insert} ${layout.table} d`,
      },
      {
        name: index,
        create: `CREATE INDEX ${index} ON ${layout.table} (${[...columns, ...tallied].join(', ')})`,
      },
    ],
    [{ name: unsearched, create: `CREATE TABLE ${unsearched} (n INTEGER PRIMARY KEY)` }],
    [
      trigger(layout, '/search/insert', `INSERT ON ${layout.table}`, note('new')),
      trigger(layout, '/search/update', `UPDATE OF doc ON ${layout.table} WHEN ${changed}`, note('new')),
      trigger(layout, '/search/delete', `DELETE ON ${layout.table}`, note('old')),
      trigger(layout, '/search/full', `INSERT ON ${unsearched} WHEN ${isFull}`, update),
    ],
  ];
}

/** The distinct values of a path with their counts, kept by triggers. */
export function sharedTable(layout: Layout, { path, table }: SharedLayout): Derived[] {
  const value = valueAt(layout, path);
  // Takes the place of null, which a unique index does not compare.
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

/** The number of documents per value of the tally path, kept by triggers. */
export function tallyTable(layout: Layout): Derived[] {
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
