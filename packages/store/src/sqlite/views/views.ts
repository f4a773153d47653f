import { LRUCache } from 'lru-cache';
import type { Totals } from '../../port/collection.ts';
import { countOf, wholeCount } from '../compile/answer.ts';
import { totalsStatement } from '../compile/group-statement.ts';
import { allEntries, everyEntry, everySum } from '../compile/positions.ts';
import { predicate } from '../compile/predicate.ts';
import type { Reader } from '../engine/reader.ts';
import { SharedBound } from '../engine/shared-bound.ts';
import { isLater, readClock, type TransactionClock } from '../engine/transaction-clock.ts';
import type { Layout } from '../layout/layout.ts';
import type { Access } from '../plan/access.ts';
import { branchesOf } from '../plan/condition.ts';
import type { Query } from '../plan/query.ts';
import { CountView } from './count-view.ts';
import { matcherOf } from './matcher.ts';
import { PositionView } from './position-view.ts';
import { ResultView } from './result-view.ts';
import { differencesOf, isSame, type Scalars, scalarsOf } from './scalars.ts';
import { TotalsView } from './totals-view.ts';
import type { RowChange, View } from './view.ts';

/** About the most memory that the views of all collections take, in bytes. */
const MAX_BYTES = 24 * 1024 * 1024;
/** The memory of a character of the key of a view, in bytes: the key holds the filter, and so does the view. */
const KEY_BYTES = 4;
/** The most views of a collection: a write tests its document for each. */
const MAX_VIEWS = 64;
/** The most changes that wait for a view that is being built; with more of them the view is given up. */
const MAX_WAITING_CHANGES = 20_000;
/** How long a view is not built again after it could not be built. */
const RETRY_MS = 60_000;

/** The most filters of which it is known that they were counted before, and the length of their keys together. */
const MAX_COUNTED = 256;
const MAX_COUNTED_LENGTH = 256 * 1024;

/** The bound that the views of all collections of a store share. */
export const boundOfViews = (): SharedBound => new SharedBound(MAX_BYTES);

/** The rows that the reader found, and the count of the clock up to which it saw all changes. */
export interface Located {
  readonly rows: readonly number[];
  readonly at: number;
}

/** A view that is being built, and the changes that its snapshot may lack. */
interface Build {
  readonly changes: { readonly at: number; readonly change: RowChange }[];
  readonly done: Promise<void>;
}

/**
 * The views of a collection. They are exact because one process has the file open, and each of its writes passes through
 * here: it records what it changes, which is applied when its transaction commits.
 */
export class Views {
  readonly #reader: Reader;
  readonly #clock: TransactionClock;
  readonly #bound: SharedBound;
  readonly #views: LRUCache<string, View>;
  /** The keys of views that could not be built. */
  readonly #unusable = new LRUCache<string, true>({ max: MAX_VIEWS, ttl: RETRY_MS });
  readonly #builds = new Map<string, Build>();
  /** The filters that were counted. Some hold the time and are never counted again; a view of these would replace others. */
  readonly #counted = new LRUCache<string, true>({
    max: MAX_COUNTED,
    maxSize: MAX_COUNTED_LENGTH,
    sizeCalculation: (_, key) => key.length,
  });
  #columns: ReadonlyMap<string, number> = new Map();
  #paths: readonly (readonly string[])[] = [];
  /** The changes of the open transaction. */
  #changes: RowChange[] = [];

  constructor(reader: Reader, clock: TransactionClock, bound: SharedBound) {
    this.#reader = reader;
    this.#clock = clock;
    this.#bound = bound;
    this.#views = bound.cache({ max: MAX_VIEWS });
  }

  /** Takes the layout of the collection, which may have changed. */
  open(layout: Layout): void {
    this.clear();
    const paths = [...layout.columns.keys()];
    this.#columns = new Map(paths.map((path, i) => [path, i]));
    this.#paths = paths.map((path) => path.split('.'));
  }

  /** Whether writes must record what they change. */
  get recording(): boolean {
    return this.#views.size > 0 || this.#builds.size > 0;
  }

  /** What views know of a document. */
  scalarsOf(document: object): Scalars {
    return scalarsOf(document, this.#paths);
  }

  /** Records a change inside the open transaction. */
  record(change: RowChange): void {
    if (change.before && change.after && isSame(change.before, change.after)) return;
    this.#changes.push(change);
  }

  /** Applies the changes of the transaction that has ended, if it was committed. */
  end(committed: boolean): void {
    if (this.#changes.length === 0) return;
    const changes = this.#changes;
    this.#changes = [];
    if (!committed) return;
    const at = readClock(this.#clock);
    for (const change of changes) {
      const { before, after } = change;
      const changed = before && after && differencesOf(before, after);
      for (const view of this.#views.values()) {
        if (!changed || changed.some((column) => view.columns.has(column))) view.follow(change);
      }
    }
    for (const [key, build] of this.#builds) {
      for (const change of changes) build.changes.push({ at, change });
      if (build.changes.length > MAX_WAITING_CHANGES) this.#builds.delete(key);
    }
  }

  /** Removes all views, for example when a write changes what they cannot follow. */
  clear(): void {
    this.#views.clear();
    this.#unusable.clear();
    this.#builds.clear();
    this.#changes = [];
  }

  /** The number of documents that match a query, if a view has it. */
  count(query: Query): number | undefined {
    if (!this.#isCurrent) return undefined;
    const view = this.#views.get(countKey(query));
    return view instanceof CountView ? view.total : undefined;
  }

  /** Keeps a number of documents that was counted in this turn of the event loop. */
  keepCount(query: Query, total: number): void {
    const matches = this.#isCurrent && this.#recurs(query) && matcherOf(this.#columns, query.conditions);
    if (matches) this.#keep(countKey(query), new CountView(matches, total));
  }

  /** The number of documents that match a query, counted by the reader, however long that takes. */
  async countLong(query: Query): Promise<number> {
    const statement = wholeCount(query);
    const matches = this.#recurs(query) && matcherOf(this.#columns, query.conditions);
    if (matches) {
      await this.#build(countKey(query), async () => {
        const { rows, at } = await this.#reader.snapshot([statement]);
        return { view: new CountView(matches, Number(rows[0]?.[0]?.[0])), at };
      });
      const counted = this.count(query);
      if (counted !== undefined) return counted;
    }
    const [row] = await this.#reader.all(statement);
    return Number(row?.[0]);
  }

  /** The number of documents that match a query, and the sum of a path of them, counted by the reader unless a view has them. */
  async totalsLong(query: Query, path: string): Promise<Totals> {
    const key = totalsKey(query, path);
    const known = this.#totalsAt(key);
    if (known) return known;
    const statement = totalsStatement(query, path);
    const totalsOf = (row: readonly unknown[] = []): Totals => ({
      count: Number(row[0] ?? 0),
      sum: Number(row[1] ?? 0),
    });
    const column = this.#columns.get(path);
    const matches = this.#recurs(query, key) && matcherOf(this.#columns, query.conditions);
    if (matches && column !== undefined) {
      await this.#build(key, async () => {
        const { rows, at } = await this.#reader.snapshot([statement]);
        return { view: new TotalsView(matches, column, totalsOf(rows[0]?.[0])), at };
      });
      const counted = this.#totalsAt(key);
      if (counted) return counted;
    }
    const [row] = await this.#reader.all(statement);
    return totalsOf(row);
  }

  #totalsAt(key: string): Totals | undefined {
    if (!this.#isCurrent) return undefined;
    const view = this.#views.get(key);
    return view instanceof TotalsView ? view.totals : undefined;
  }

  /** The rows of a page of a query, in order, if a view has them. */
  results(query: Query): readonly number[] | undefined {
    if (!keepsLongResults(query) || !this.#isCurrent) return undefined;
    const view = this.#views.get(resultsKey(query));
    return view instanceof ResultView ? view.page(query.skip, query.limit) : undefined;
  }

  /** Keeps the rows of the first results of a query, which were found in this turn of the event loop. */
  keepResults(query: Query, rows: readonly number[], options: { readonly isComplete: boolean }): void {
    const view = this.#isCurrent && this.#resultView(query, rows, options);
    if (view) this.#keep(resultsKey(query), view);
    if (options.isComplete) this.keepCount(query, rows.length);
  }

  /** The rows of a page of a query, found by the reader, however long that takes. */
  async resultsLong(query: Query, locate: (query: Query) => Promise<Located>): Promise<readonly number[]> {
    const end = query.skip + query.limit;
    const limit = resultsToFind(query);
    if (limit === undefined || !keepsLongResults(query)) return (await locate(query)).rows;
    let found: readonly number[] | undefined;
    await this.#build(resultsKey(query), async () => {
      const { rows, at } = await locate({ ...query, skip: 0, limit });
      found = rows;
      return { view: this.#resultView(query, rows, { isComplete: rows.length < limit }), at };
    });
    return this.results(query) ?? found?.slice(query.skip, end) ?? (await locate(query)).rows;
  }

  /**
   * The positions of the results of a query in the order of an access path, if they are known.
   *
   * @param options `build`: whether they will be known soon if they are not; true unless given. `sum`: a path whose numbers they sum up,
   * which the index of the access path holds; there are no conditions beside its range then
   */
  positions(
    query: Query,
    access: Access,
    { build = true, sum }: { readonly build?: boolean; readonly sum?: string | undefined } = {},
  ): PositionView | undefined {
    const { conditions, sort, limits } = query;
    const matches = this.#isCurrent && matcherOf(this.#columns, conditions);
    const columns = this.#columnsOf(query);
    const column = sum === undefined ? undefined : this.#columns.get(sum);
    if (!matches || !columns || !isTotal(query, access)) return undefined;
    if (sum !== undefined && column === undefined) return undefined;
    const key = `positions ${JSON.stringify([conditions, sort, ...(sum === undefined ? [] : [sum])])}`;
    const view = this.#views.get(key);
    if (build && (!view || (view instanceof PositionView && view.isUneven))) {
      const gap = limits.positionGap;
      const { residual } = access;
      const filter = residual.length > 0 ? predicate(query.layout, residual, { many: true }) : undefined;
      const statements = [
        everyEntry(access, sort, gap, filter),
        countOf(allEntries(access, filter)),
        ...(sum === undefined ? [] : [everySum(access, sort, gap, sum)]),
      ];
      void this.#build(key, async () => {
        const { rows, at } = await this.#reader.snapshot(statements);
        const [marks = [], counted, amounts = []] = rows as readonly (readonly Scalars[])[];
        const total = Number(counted?.[0]?.[0]);
        const sums = amounts.map(([amount]) => Number(amount));
        const summed = column === undefined ? undefined : { column, sums };
        return { view: new PositionView({ matches, sort, columns, gap, marks, total, summed }), at };
      });
    }
    return view instanceof PositionView ? view : undefined;
  }

  /** Whether the views contain all changes; they lack those of the open transaction. */
  get #isCurrent(): boolean {
    return this.#changes.length === 0;
  }

  /** Whether a count of a filter is worth a view: that of a search, or one that was counted before. */
  #recurs(query: Query, key = countKey(query)): boolean {
    if (isSearch(query)) return true;
    if (this.#counted.has(key)) return true;
    this.#counted.set(key, true);
    return false;
  }

  #columnsOf({ sort }: Query): readonly number[] | undefined {
    const columns = sort.map(({ path }) => this.#columns.get(path) ?? -1);
    return columns.includes(-1) ? undefined : columns;
  }

  #resultView(
    query: Query,
    rows: readonly number[],
    { isComplete }: { readonly isComplete: boolean },
  ): View | undefined {
    const matches = matcherOf(this.#columns, query.conditions);
    const columns = this.#columnsOf(query);
    return matches && columns && new ResultView({ matches, columns, rows, isComplete });
  }

  /** Keeps a view, unless it is too large. Returns whether it is kept. */
  #keep(key: string, view: View): boolean {
    return this.#bound.set(this.#views, key, view, view.bytes + KEY_BYTES * key.length);
  }

  /**
   * Builds a view, and applies the changes that its snapshot lacks. Never rejects.
   *
   * @param read builds the view, if it can be, and returns the count of the clock up to which it has all changes
   */
  #build(
    key: string,
    read: () => Promise<{ readonly view: View | undefined; readonly at: number }>,
  ): Promise<void> {
    const running = this.#builds.get(key);
    if (running) return running.done;
    if (this.#unusable.has(key)) return Promise.resolve();
    const changes: Build['changes'] = [];
    const finish = async () => {
      let view: View | undefined;
      try {
        const built = await read();
        for (const { at, change } of changes) if (isLater(at, built.at)) built.view?.follow(change);
        view = built.view;
      } catch {
        // The caller answers without the view.
      }
      if (this.#builds.get(key) !== build) return;
      this.#builds.delete(key);
      if (!view || !this.#keep(key, view)) this.#unusable.set(key, true);
    };
    const build: Build = { changes, done: Promise.resolve().then(finish) };
    this.#builds.set(key, build);
    return build.done;
  }
}

const countKey = ({ conditions }: Query): string => `count ${JSON.stringify(conditions)}`;
const totalsKey = ({ conditions }: Query, path: string): string =>
  `totals ${JSON.stringify([path, conditions])}`;
const resultsKey = ({ conditions, sort }: Query): string => `results ${JSON.stringify([conditions, sort])}`;

/** Whether a query searches for a text. */
export const isSearch = ({ conditions }: Query): boolean =>
  conditions.some(({ kind }) => kind === 'contains');

/** Whether a query is worth a view of its results: a search, or a deep page of results that no index holds in order. */
export function keepsResults(query: Query): boolean {
  return keepsLongResults(query) && (isSearch(query) || query.skip > query.limits.skipFromStart);
}

/** Whether a query is worth a view of its results if the reader found them: a search, or results that no index holds in order. */
function keepsLongResults(query: Query): boolean {
  const { sort, limit, accesses } = query;
  if (limit === 0 || sort.at(-1)?.path !== '_id') return false;
  return isSearch(query) || accesses.ordered?.residual.length !== 0;
}

/** The number of results that the reader finds for a view with the page of a query; `undefined` when these are too many to keep. */
export function resultsToFind({ skip, limit, limits }: Query): number | undefined {
  const most = Math.max(2 * (skip + limit), limits.ahead);
  return most <= limits.results ? most : undefined;
}

/** Whether an access path yields a total order, in which no key of the sort is bound to several values. */
function isTotal({ sort }: Query, { index, equalities, repeats }: Access): boolean {
  if (index.array !== undefined || repeats || sort.at(-1)?.path !== '_id') return false;
  return equalities.every(
    ({ key, test }) =>
      key.path !== '_id' && (branchesOf(test) <= 1 || !sort.some(({ path }) => path === key.path)),
  );
}
