import type { RowSource } from '../../api/row-source.ts';
import type { Selection } from './use-selection.ts';

/** The ids of the rows of a list that are loaded. */
export function loadedIds<Row>(rows: RowSource<Row>, idOf: (row: Row) => string): readonly string[] {
  return idsBetween(rows, idOf, 0, rows.count - 1);
}

/** The ids of the rows that are loaded from one to another, in either direction. */
export function idsBetween<Row>(
  rows: Pick<RowSource<Row>, 'at'>,
  idOf: (row: Row) => string,
  from: number,
  to: number,
): readonly string[] {
  const ids: string[] = [];
  for (let index = Math.min(from, to); index <= Math.max(from, to); index++) {
    const row = rows.at(index);
    if (row !== undefined) ids.push(idOf(row));
  }
  return ids;
}

/** How much of a list is selected: `all` only if every row that matches is, whether it is loaded or not. */
export function selectedShare<Row>(
  rows: Pick<RowSource<Row>, 'list' | 'count' | 'at' | 'total'>,
  idOf: (row: Row) => string,
  { size, whole, has }: Pick<Selection, 'size' | 'whole' | 'has'>,
): 'none' | 'some' | 'all' {
  if (size === 0) return 'none';
  // A row may have been added since.
  if (whole !== undefined && whole.list === rows.list && whole.count >= (rows.total ?? 0)) return 'all';
  if (rows.count === 0 || rows.count > size) return 'some';
  for (let index = 0; index < rows.count; index++) {
    const row = rows.at(index);
    if (row === undefined || !has(idOf(row))) return 'some';
  }
  return 'all';
}
