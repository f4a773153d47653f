import type { Connection } from '../engine/connection.ts';
import { sql } from '../engine/sql.ts';
import { type IndexLayout, type Layout, scalarOf } from '../layout/layout.ts';
import { elementsOfRow } from '../schema/index-structures.ts';

/** Finds those of some ids whose row is missing, or has copies for indexes that differ from its document. */
export function findMisfiled(
  connection: Connection,
  layout: Layout,
  ids: readonly string[],
): readonly string[] {
  const columns = [...layout.columns].map(([path, column]) => `d.${column} IS ${scalarOf('d.doc', path)}`);
  const elements = layout.indexes.flatMap((index) =>
    index.array === undefined ? [] : elementsAreEqual(layout, index),
  );
  const filed = connection.all(
    sql(
      `SELECT d.id FROM json_each(?) i CROSS JOIN ${layout.table} d ON d.id = i.value WHERE ${[...columns, ...elements].join(' AND ')}`,
      JSON.stringify(ids),
    ),
  );
  const found = new Set(filed.map(([id]) => id));
  return ids.filter((id) => !found.has(id));
}

/** SQL that compares the rows of a side table with the elements of a document. */
function elementsAreEqual(layout: Layout, index: IndexLayout): readonly string[] {
  const kept = `SELECT n, ordinal, ${index.keys.map(({ column }) => column).join(', ')} FROM ${index.table} WHERE n = d.n`;
  const due = elementsOfRow(layout, index, 'd');
  return [`NOT EXISTS (${kept} EXCEPT ${due})`, `NOT EXISTS (${due} EXCEPT ${kept})`];
}
