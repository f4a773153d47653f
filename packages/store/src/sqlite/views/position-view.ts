import type { Totals } from '../../port/collection.ts';
import type { SortKey } from '../plan/access.ts';
import type { Matcher } from './matcher.ts';
import { compareScalars, type Scalars } from './scalars.ts';
import type { RowChange, View } from './view.ts';

/** How many times the intended number of entries a part may hold before the view is built again. */
const UNEVEN = 16;
/** The memory of a mark besides the characters of its key, in bytes. */
const MARK_BYTES = 100;

/** What a view of positions is built from. */
export interface PositionSource {
  readonly matches: Matcher;
  /** A total order. */
  readonly sort: readonly SortKey[];
  /** The position of each key of the sort among the scalars of a document. */
  readonly columns: readonly number[];
  /** The intended number of entries between two marks. */
  readonly gap: number;
  /** The values of the sort of every `gap`-th entry, the first one included. */
  readonly marks: readonly Scalars[];
  readonly total: number;
  /** A number that is summed up: its position among the scalars of a document, and its sum over each part. */
  readonly summed?: { readonly column: number; readonly sums: readonly number[] } | undefined;
}

/** Where a result stands. */
export interface Place {
  /** The values of the sort at which its part begins; `undefined` for the beginning of all entries. */
  readonly from: Scalars | undefined;
  /** The entries of the part that precede the result. */
  readonly skip: number;
}

/**
 * The positions of the results of a query in their order: marks, which are values of the sort, divide the entries into
 * parts, and the exact number of entries of each part is known.
 */
export class PositionView implements View {
  readonly #source: Omit<PositionSource, 'marks' | 'total'>;
  /** The value at which each part begins. That of the first one does not matter: it begins before all values. */
  readonly #marks: Scalars[];
  readonly #counts: number[];
  readonly #sums: number[];
  readonly #summed: number | undefined;
  readonly bytes: number;
  readonly columns: ReadonlySet<number>;
  #isUneven = false;

  constructor({ marks, total, summed, ...source }: PositionSource) {
    const { gap } = source;
    this.#source = source;
    this.columns = source.matches.columns.union(
      new Set(summed ? [...source.columns, summed.column] : source.columns),
    );
    this.#marks = marks.length > 0 ? [...marks] : [[]];
    this.#counts = this.#marks.map((_, i) => Math.min(gap, total - i * gap));
    this.#summed = summed?.column;
    this.#sums = this.#marks.map((_, i) => summed?.sums[i] ?? 0);
    this.bytes = this.#marks.reduce((sum, mark) => sum + MARK_BYTES + 2 * mark.join('').length, MARK_BYTES);
  }

  /** Whether writes have made a part so large that a new view pays. */
  get isUneven(): boolean {
    return this.#isUneven;
  }

  /** The place of the result that so many others precede; `undefined` behind the last one. */
  placeOf(position: number): Place | undefined {
    let skip = position;
    for (let part = 0; part < this.#counts.length; part++) {
      const count = this.#counts[part] ?? 0;
      if (skip < count) return { from: part === 0 ? undefined : this.#marks[part], skip };
      skip -= count;
    }
    return undefined;
  }

  /** The number of results, and the sum of the number that is summed up. */
  get totals(): Totals {
    return { count: sumOf(this.#counts), sum: sumOf(this.#sums) };
  }

  /**
   * The part in which values would stand: where it begins, and the totals of the results before it.
   *
   * @param values of each key of the sort; they need not be those of a result
   */
  before(values: Scalars): Totals & { readonly from: Scalars | undefined } {
    const part = this.#partOf(values);
    return {
      from: part === 0 ? undefined : this.#marks[part],
      count: sumOf(this.#counts, part),
      sum: sumOf(this.#sums, part),
    };
  }

  follow({ before, after }: RowChange): void {
    const { matches } = this.#source;
    const left = before && matches(before) ? this.#valuesOf(before) : undefined;
    const entered = after && matches(after) ? this.#valuesOf(after) : undefined;
    const [less, more] = [this.#amountOf(before), this.#amountOf(after)];
    if (left && entered && less === more && this.#compare(left, entered) === 0) return;
    if (left) this.#add(left, -1, -less);
    if (entered) this.#add(entered, 1, more);
  }

  #amountOf(scalars: Scalars | undefined): number {
    const amount = this.#summed === undefined ? undefined : scalars?.[this.#summed];
    return typeof amount === 'number' ? amount : 0;
  }

  #add(values: Scalars, change: 1 | -1, amount: number): void {
    const part = this.#partOf(values);
    const count = (this.#counts[part] ?? 0) + change;
    this.#counts[part] = count;
    this.#sums[part] = (this.#sums[part] ?? 0) + amount;
    if (count > UNEVEN * this.#source.gap) this.#isUneven = true;
    if (count === 0 && this.#counts.length > 1) {
      this.#counts.splice(part, 1);
      this.#sums.splice(part, 1);
      this.#marks.splice(part, 1);
    }
  }

  /** The last part that begins at or before values. */
  #partOf(values: Scalars): number {
    let low = 0;
    let high = this.#marks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#compare(this.#marks[middle] ?? [], values) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #compare(a: Scalars, b: Scalars): number {
    const { sort } = this.#source;
    for (let i = 0; i < sort.length; i++) {
      const order = compareScalars(a[i] ?? null, b[i] ?? null);
      if (order !== 0) return sort[i]?.descending ? -order : order;
    }
    return 0;
  }

  #valuesOf(scalars: Scalars): Scalars {
    return this.#source.columns.map((column) => scalars[column] ?? null);
  }
}

/** The sum of the first numbers; of all of them unless told how many. */
function sumOf(numbers: readonly number[], count = numbers.length): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += numbers[i] ?? 0;
  return sum;
}
