import type { Matcher } from './matcher.ts';
import type { RowChange, View } from './view.ts';

/** The memory that a count takes: mostly its key and the closures of its matcher. */
const BYTES = 1_000;

/** The exact number of documents that match a query. */
export class CountView implements View {
  readonly #matches: Matcher;
  #total: number;
  readonly bytes = BYTES;

  constructor(matches: Matcher, total: number) {
    this.#matches = matches;
    this.#total = total;
  }

  get columns(): ReadonlySet<number> {
    return this.#matches.columns;
  }

  get total(): number {
    return this.#total;
  }

  follow({ before, after }: RowChange): void {
    if (before && this.#matches(before)) this.#total--;
    if (after && this.#matches(after)) this.#total++;
  }
}
