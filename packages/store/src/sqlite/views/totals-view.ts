import type { Totals } from '../../port/collection.ts';
import type { Matcher } from './matcher.ts';
import type { RowChange, View } from './view.ts';

/** The memory that totals take: mostly their key and the closures of their matcher. */
const BYTES = 1_000;

/** The exact number of documents that match a query, and the sum of a column of them. */
export class TotalsView implements View {
  readonly #matches: Matcher;
  readonly #column: number;
  #count: number;
  #sum: number;
  readonly columns: ReadonlySet<number>;
  readonly bytes = BYTES;

  constructor(matches: Matcher, column: number, { count, sum }: Totals) {
    this.#matches = matches;
    this.#column = column;
    this.#count = count;
    this.#sum = sum;
    this.columns = new Set([...matches.columns, column]);
  }

  get totals(): Totals {
    return { count: this.#count, sum: this.#sum };
  }

  follow({ before, after }: RowChange): void {
    if (before && this.#matches(before)) this.#add(before[this.#column], -1);
    if (after && this.#matches(after)) this.#add(after[this.#column], 1);
  }

  #add(value: unknown, sign: 1 | -1): void {
    this.#count += sign;
    if (typeof value === 'number') this.#sum += sign * value;
  }
}
