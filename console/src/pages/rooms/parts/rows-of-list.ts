import type { RowSource } from '../../../api/row-source.ts';

/** The rows of a list that is loaded as a whole. */
export function rowsOfList<Row>(list: readonly Row[]): RowSource<Row> {
  return {
    count: list.length,
    total: list.length,
    at: (index) => list[index],
    show: nothing,
    loading: false,
    error: null,
    retry: nothing,
  };
}

function nothing(): void {
  // All rows are there.
}
