import { jsonPath } from '../engine/sql.ts';
import { type IndexLayout, type Layout, valueAt } from '../layout/layout.ts';
import { type Derived, trigger } from './derived.ts';

const keyList = (index: IndexLayout) =>
  index.keys.map(({ column, descending }) => `${column}${descending ? ' DESC' : ''}`).join(', ');

/** An index over the table of a collection. */
export function plainIndex(index: IndexLayout): Derived[] {
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
 * The statement that adds the elements of documents to the side table of an index, which holds none of them yet.
 *
 * @param condition selects the documents, as rows `d`; all unless given
 */
export function elementsOf(layout: Layout, index: IndexLayout, condition = '1'): string {
  return elementRows(layout, index, 'd', `${layout.table} d,`, ` AND ${condition}`);
}

/** The statement that adds the elements of a row to a side table. */
function elementRows(layout: Layout, index: IndexLayout, row: string, from = '', condition = ''): string {
  const columns = index.keys.map(({ column }) => column).join(', ');
  return `INSERT INTO ${index.table} (n, ordinal, ${columns}) ${elementsOfRow(layout, index, row, from, condition)}`;
}

/** The query for the elements of a row, as a side table has them. */
export function elementsOfRow(
  layout: Layout,
  index: IndexLayout,
  row: string,
  from = '',
  condition = '',
): string {
  const { keys, array = '' } = index;
  const values = keys.map(({ path, perElement }) => {
    if (!perElement) return `${row}.${valueAt(layout, path)}`;
    if (path === array) return 'e.atom';
    const inside = jsonPath(path.slice(array.length + 1).split('.'));
    return `CASE e.type WHEN 'object' THEN e.value ->> ${inside} END`;
  });
  const perElement = values.filter((_, i) => keys[i]?.perElement);
  return (
    `SELECT ${row}.n, min(e.key), ${values.join(', ')} ` +
    `FROM ${from} json_each(${row}.doc, ${jsonPath(array.split('.'))}) e ` +
    `WHERE ${perElement[0]} IS NOT NULL${condition} GROUP BY ${row}.n, ${perElement.join(', ')}`
  );
}

/**
 * A side table with one row per distinct element, and the index over it. Triggers update it when documents are changed
 * or deleted. The insertion of a document adds its elements itself (`elementsOf`): with a trigger SQLite would copy every
 * page that an insertion changes, even for a document without elements.
 */
export function elementIndex(layout: Layout, index: IndexLayout): Derived[] {
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
