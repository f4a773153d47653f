import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** The least width, in pixels. */
  readonly width: number;
  /** The share of the remaining width; 1 when unset. */
  readonly grow?: number;
  /** The value of `order_by` that sorts by this column; without it the column is not sorted by. */
  readonly sortKey?: string;
  /** Whether the column is hidden until the user chooses it. The first column is always shown. */
  readonly hidden?: boolean;
  /** The value in exports; without it the column is not exported. */
  readonly csv?: (row: Row) => string | number | boolean | null | undefined;
}
