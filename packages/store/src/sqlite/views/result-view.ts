import type { Matcher } from './matcher.ts';
import type { RowChange, View } from './view.ts';

/** The memory of a view besides its rows, and of a row, in bytes. */
const BYTES = 1_000;
const ROW_BYTES = 8;

/** What a view of results is built from. */
export interface ResultSource {
  readonly matches: Matcher;
  /** The position of each key of the sort among the scalars of a document. */
  readonly columns: readonly number[];
  /** The rows of the first results, in order. */
  readonly rows: readonly number[];
  /** Whether these are all results. */
  readonly isComplete: boolean;
}

/** The rows of the first results of a query, in order, until a write changes which they are. */
export class ResultView implements View {
  readonly #source: ResultSource;
  readonly bytes: number;
  readonly columns: ReadonlySet<number>;
  #isStale = false;

  constructor(source: ResultSource) {
    this.#source = source;
    this.columns = source.matches.columns.union(new Set(source.columns));
    this.bytes = BYTES + ROW_BYTES * source.rows.length;
  }

  /** The rows of a page; `undefined` when they are not known, or no longer. */
  page(skip: number, limit: number): readonly number[] | undefined {
    const { rows, isComplete } = this.#source;
    if (this.#isStale || (!isComplete && skip + limit > rows.length)) return undefined;
    return rows.slice(skip, skip + limit);
  }

  follow({ before, after }: RowChange): void {
    if (this.#isStale) return;
    const { matches, columns } = this.#source;
    const left = before && matches(before) ? before : undefined;
    const entered = after && matches(after) ? after : undefined;
    if (!left && !entered) return;
    const staysInPlace = left && entered && columns.every((column) => left[column] === entered[column]);
    this.#isStale = !staysInPlace;
  }
}
