/** The rows of a list of any length, of which those are loaded that are shown. */
export interface RowSource<Row> {
  /** What is listed, in what order: another list is shown from its beginning. */
  readonly list?: string | undefined;
  /** How many rows the table has: as far as known, those that match. */
  readonly count: number;
  /** How many rows match in all, if the server says so. */
  readonly total: number | undefined;
  /** A row; undefined while it is loaded. */
  readonly at: (index: number) => Row | undefined;
  /** Loads the rows from `first` to `last`, inclusive. */
  readonly show: (first: number, last: number) => void;
  /** Reads all rows that match, page by page; absent where all are loaded. */
  readonly readAll?: ((signal: AbortSignal) => AsyncIterable<readonly Row[]>) | undefined;
  /** Whether nothing is known yet. */
  readonly loading: boolean;
  /** Why rows could not be loaded. */
  readonly error: Error | null;
  readonly retry: () => void;
}
