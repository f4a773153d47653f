import { compareCodePoints } from '@steward/kernel';
import type { Condition, Test, Value } from './condition.ts';
import type { IndexLayout, KeyLayout, Layout } from './layout.ts';
import { testScalar } from './predicate.ts';
import { concat, join, type Sql, sql } from './sql.ts';

/** Ranges that one query may be taken apart into; merging more costs more than sorting. */
const MAX_BRANCHES = 64;

/** One key of a sort. */
export interface SortKey {
  readonly path: string;
  readonly descending: boolean;
}

/** A key that is bound to values. */
interface Equality {
  readonly key: KeyLayout;
  readonly test: Extract<Test, { op: 'in' }>;
}

/** A way to the candidates of a query: an index, and the part of it that is walked. */
export interface Access {
  readonly index: IndexLayout;
  /** The leading keys, all bound to values. */
  readonly equalities: readonly Equality[];
  /** Bounds of the key that follows. */
  readonly bounds: readonly { readonly key: KeyLayout; readonly test: Test }[];
  /** The conditions that the walk does not settle. */
  readonly residual: readonly Condition[];
  /** Whether the walk comes in the order that was asked for. */
  readonly ordered: boolean;
  /** Whether the walk is taken apart into one range per value. */
  readonly exploded: boolean;
  /** How many documents are walked at most; `Infinity` where that depends on the documents. */
  readonly most: number;
  /** Whether at most one document is walked. */
  readonly point: boolean;
  /** Whether a document may come several times. */
  readonly repeats: boolean;
  /** Whether the index itself has what the residual conditions are about. */
  readonly covered: boolean;
}

/** The accesses that a query may take. */
export interface Accesses {
  /** The one that narrows most; `undefined` when no index narrows or orders. */
  readonly narrowest: Access | undefined;
  /** The narrowest among those that walk in the order of the sort. */
  readonly ordered: Access | undefined;
  /** Of those that narrow and walk in order the one whose index alone answers the query, where it takes more than a walk. */
  readonly covered: Access | undefined;
}

/** Finds the accesses for conditions that must all hold, and a sort. */
export function chooseAccess(
  layout: Layout,
  conditions: readonly Condition[],
  sort: readonly SortKey[],
): Accesses {
  const implied = conditions.flatMap(impliedBounds);
  const [byId] = layout.indexes.slice(0, 1).map((index) => accessBy(index, conditions, implied, sort));
  // The most frequent access by far, and never surpassed.
  if (byId?.point) return { narrowest: byId, ordered: byId, covered: undefined };
  const accesses = layout.indexes
    .map((index) => accessBy(index, conditions, implied, sort))
    .filter((access) => access !== undefined);
  const ordered = accesses.filter((access) => access.ordered);
  const narrowest = best(accesses.filter((access) => narrowing(access) > 0 || access.ordered));
  const alone = ordered.filter(
    (access) =>
      access.covered &&
      !access.exploded &&
      narrowing(access) > 0 &&
      !(narrowest && surpasses(narrowest, access)),
  );
  return {
    narrowest,
    ordered: best(ordered),
    // Without a sort any order will do, and what narrows most is walked.
    covered: sort.length === 0 ? undefined : best(alone),
  };
}

/** How much an access narrows: each key that is bound to values counts for more than bounds. */
function narrowing({ equalities, bounds }: Access): number {
  return 2 * equalities.length + (bounds.length > 0 ? 1 : 0);
}

/** Whether an access binds whatever another one binds, and more. */
function surpasses(access: Access, other: Access): boolean {
  const bound = new Set([...access.equalities, ...access.bounds].map(({ key }) => key.path));
  return (
    narrowing(access) > narrowing(other) &&
    [...other.equalities, ...other.bounds].every(({ key }) => bound.has(key.path))
  );
}

function best(accesses: readonly Access[]): Access | undefined {
  const rank = (access: Access): number[] => [
    access.point ? 1 : 0,
    narrowing(access),
    access.ordered ? 1 : 0,
    access.exploded ? 0 : 1,
    access.repeats ? 0 : 1,
    -access.index.keys.length,
  ];
  let found: { access: Access; rank: number[] } | undefined;
  for (const access of accesses) {
    const candidate = { access, rank: rank(access) };
    if (!found || isGreater(candidate.rank, found.rank)) found = candidate;
  }
  return found?.access;
}

function isGreater(a: readonly number[], b: readonly number[]): boolean {
  const i = a.findIndex((value, at) => value !== b[at]);
  return i >= 0 && (a[i] ?? 0) > (b[i] ?? 0);
}

/** A condition on the scalar at a path. */
export type TestCondition = Extract<Condition, { kind: 'test' }>;

function accessBy(
  index: IndexLayout,
  conditions: readonly Condition[],
  implied: readonly TestCondition[],
  sort: readonly SortKey[],
): Access | undefined {
  const settled = new Set<Condition>();
  const tests = testsFor(index, conditions);
  let elements: ReadonlySet<Condition> | undefined;
  const testsOf = (key: KeyLayout) =>
    tests.filter(
      ({ path, within }) => path === key.path && (!key.perElement || !elements || elements.has(within)),
    );
  const settle = (key: KeyLayout, within: Condition) => {
    settled.add(within);
    // Two conditions on elements need not hold for the same element, except inside one $elemMatch.
    if (key.perElement) elements ??= new Set([within]);
  };

  const equalities: Equality[] = [];
  for (const key of index.keys) {
    const bound = testsOf(key).find(
      ({ test }) =>
        test.op === 'in' && !(test.orNull && (key.perElement || (index.sparse && equalities.length === 0))),
    );
    if (bound?.test.op !== 'in') break;
    settle(key, bound.within);
    equalities.push({ key, test: bound.test });
  }

  const next = index.keys[equalities.length];
  const bounds: { key: KeyLayout; test: Test }[] = [];
  if (next) {
    const ranges = testsOf(next).filter(({ test }) => test.op !== 'in' && test.op !== 'exists');
    // One element is within all bounds of one $elemMatch; of two conditions each may have its own.
    const together = next.perElement ? ranges.filter(({ within }) => within === ranges[0]?.within) : ranges;
    for (const { test, within } of together) {
      settle(next, within);
      bounds.push({ key: next, test });
    }
    if (!next.perElement) {
      for (const { path, test } of implied) if (path === next.path) bounds.push({ key: next, test });
    }
  }

  if (index.sparse && !asksFor(index, conditions, equalities.length + bounds.length)) return undefined;
  const entersElements = [...equalities, ...bounds].some(({ key }) => key.perElement);
  if (index.array !== undefined && !entersElements) return undefined;

  const branches = equalities.reduce((product, { test }) => product * branchesOf(test), 1);
  const single = branches <= 1;
  const repeats =
    entersElements &&
    (bounds.some(({ key }) => key.perElement) ||
      equalities.some(({ key, test }) => key.perElement && branchesOf(test) > 1) ||
      index.keys.some((key) => key.perElement && !equalities.some((equality) => equality.key === key)));
  const fits = branches <= MAX_BRANCHES;
  const inOrder = servesSort(index, equalities, sort);
  const ordered = inOrder && (sort.length === 0 || ((single || fits) && !repeats));
  // SQL cannot walk null and values as one range.
  const residual = conditions.filter(
    (condition) => !settled.has(condition) || !isSettled(condition, equalities, bounds),
  );
  const needsExplosion = equalities.some(({ test }) => test.orNull && test.values.length > 0);
  if (needsExplosion && !fits) return undefined;
  const isUnique =
    index.unique && equalities.length === index.keys.length && equalities.every(({ test }) => !test.orNull);
  return {
    index,
    equalities,
    bounds,
    residual,
    ordered,
    exploded: !single && (needsExplosion || (ordered && sort.length > 0)),
    most: isUnique ? branches : Number.POSITIVE_INFINITY,
    point: isUnique && single,
    repeats,
    covered: residual.length > 0 && residual.every((condition) => isCovered(index, condition)),
  };
}

/** Whether whatever answers conditions is in a sparse index, of which they bind so many keys. */
function asksFor({ keys, sparse }: IndexLayout, conditions: readonly Condition[], bound: number): boolean {
  if (sparse?.path === keys[0]?.path) return bound > 0;
  return conditions.some(
    (condition) =>
      condition.kind === 'test' &&
      condition.path === sparse?.path &&
      (condition.test.op !== 'in' || !condition.test.orNull),
  );
}

/** Whether a condition is about a scalar that an index has. */
function isCovered(index: IndexLayout, condition: Condition): condition is TestCondition {
  return (
    condition.kind === 'test' &&
    condition.test.op !== 'exists' &&
    index.keys.some(({ path, perElement }) => path === condition.path && !perElement)
  );
}

/** SQL for the residual conditions of an access, as its index has what they are about. */
export function coveredFilter({ index, residual }: Access): Sql {
  const tests = residual.flatMap((condition) =>
    isCovered(index, condition) ? [testScalar(columnIn(index, condition.path), condition.test)] : [],
  );
  return join(tests, ' AND ', '1');
}

const branchesOf = (test: Extract<Test, { op: 'in' }>) => test.values.length + (test.orNull ? 1 : 0);

/** The tests that an index could use, each with the condition it comes from. */
function testsFor(index: IndexLayout, conditions: readonly Condition[]) {
  return conditions.flatMap((within): { path: string; test: Test; within: Condition }[] => {
    if (within.kind === 'test') return [{ path: within.path, test: within.test, within }];
    if (within.kind !== 'element' || within.path !== index.array) return [];
    return within.conditions.flatMap((inner) => {
      if (inner.kind !== 'test') return [];
      return [
        { path: inner.path === '' ? within.path : `${within.path}.${inner.path}`, test: inner.test, within },
      ];
    });
  });
}

/** Whether the walk settles a condition wholly. Of an $elemMatch it may have used a part only. */
function isSettled(
  condition: Condition,
  equalities: readonly Equality[],
  bounds: readonly { readonly test: Test }[],
): boolean {
  if (condition.kind !== 'element') return true;
  return condition.conditions.every(
    (inner) => inner.kind === 'test' && [...equalities, ...bounds].some(({ test }) => test === inner.test),
  );
}

function servesSort(index: IndexLayout, equalities: readonly Equality[], sort: readonly SortKey[]): boolean {
  const constant = new Set(equalities.map(({ key }) => key.path));
  const wanted = sort.filter(({ path }) => !constant.has(path));
  const walked = index.keys.slice(equalities.length);
  // A unique index ends without `_id`: its values are different as they are.
  const idIsImplied = index.unique && index.array === undefined && wanted[walked.length]?.path === '_id';
  const compared = idIsImplied ? wanted.slice(0, walked.length) : wanted;
  if (compared.length > walked.length) return false;
  const backwards = compared[0] !== undefined && compared[0].descending !== walked[0]?.descending;
  return compared.every(
    ({ path, descending }, i) =>
      walked[i]?.path === path &&
      !walked[i].perElement &&
      (walked[i].descending !== descending) === backwards,
  );
}

/**
 * Bounds that an `$or` implies for all its branches, so that paging by key, `(a < x) or (a = x and
 * b > y)`, starts at its place in the index.
 */
function impliedBounds(condition: Condition): TestCondition[] {
  if (condition.kind !== 'or') return [];
  const branches = condition.conditions.map((branch) =>
    (branch.kind === 'and' ? branch.conditions : [branch]).filter((one) => one.kind === 'test'),
  );
  const paths = new Set(branches[0]?.map(({ path }) => path));
  return [...paths].flatMap((path) =>
    (['lte', 'gte'] as const).flatMap((op): TestCondition[] => {
      const ends = branches.map((branch) =>
        endOf(
          branch.filter((one) => one.path === path),
          op,
        ),
      );
      const known = ends.filter((end) => end !== undefined);
      const [first] = known;
      if (first === undefined || known.length < ends.length) return [];
      if (known.some((end) => typeof end !== typeof first)) return [];
      const value = known.reduce((a, b) => (compareValues(a, b) < 0 === (op === 'lte') ? b : a));
      return [{ kind: 'test', path, test: { op, value } }];
    }),
  );
}

function endOf(tests: readonly TestCondition[], op: 'lte' | 'gte'): Value | undefined {
  for (const { test } of tests) {
    if (test.op === 'in' && !test.orNull && test.values.length === 1) return test.values[0];
    if (test.op === op || test.op === (op === 'lte' ? 'lt' : 'gt'))
      return 'value' in test ? test.value : undefined;
  }
  return undefined;
}

function compareValues(a: Value, b: Value): number {
  return typeof a === 'string' || typeof b === 'string' ? compareCodePoints(String(a), String(b)) : a - b;
}

/** How to cut the result of a walk. */
export interface Cut {
  /** -1 for no limit. */
  readonly limit: number;
  readonly skip: number;
}

/**
 * SQL that walks an access and yields the rows' `n` (a walk of one range: what `yields` says), in
 * the order of the sort if the access is ordered. `filter` is about what the index's own table has.
 */
export function walk(access: Access, sort: readonly SortKey[], cut: Cut, filter?: Sql, yields = 'n'): Sql {
  const ends = sql(' LIMIT ? OFFSET ?', cut.limit, cut.skip);
  const branches = branchesOfWalk(access);
  if (branches.length === 0) return sql('SELECT n FROM (SELECT 1 AS n) WHERE 0');
  const sorted = access.ordered ? sort : [];
  const columns = sorted.map(({ path }) => columnIn(access.index, path));
  const { sparse, keys, table, sqlName } = access.index;
  // Nothing else tells SQLite that the index has all that is asked for.
  const present = sparse && sparse.path !== keys[0]?.path ? [sql(`${sparse.column} IS NOT NULL`)] : [];
  const where = (conditions: readonly Sql[]) =>
    join([...conditions, ...present, ...(filter ? [filter] : [])], ' AND ', '1');
  const from = ` FROM ${table} INDEXED BY ${sqlName} WHERE `;
  const [only] = branches;
  if (only && branches.length === 1) {
    return concat(
      `SELECT ${access.repeats ? 'DISTINCT ' : ''}${yields}${from}`,
      where(only),
      orderBy(columns, sorted),
      ends,
    );
  }
  const ranges = join(
    branches.map((conditions) => concat(`SELECT ${['n', ...columns].join(', ')}${from}`, where(conditions))),
    ' UNION ALL ',
  );
  return concat(
    `SELECT ${access.repeats ? 'DISTINCT ' : ''}n FROM (`,
    ranges,
    orderBy(
      columns.map((_, i) => String(i + 2)),
      sorted,
    ),
    access.repeats ? ')' : '',
    ends,
    access.repeats ? '' : ')',
  );
}

/** The conditions of each range of a walk. */
function branchesOfWalk({ equalities, bounds, exploded }: Access): Sql[][] {
  const ranges = bounds.map(({ key, test }) => testScalar(key.column, test));
  let branches: Sql[][] = [[]];
  for (const { key, test } of equalities) {
    const alternatives = exploded ? singles(test) : branchesOf(test) === 0 ? [] : [test];
    branches = branches.flatMap((branch) =>
      alternatives.map((one) => [...branch, testScalar(key.column, one)]),
    );
  }
  return branches.map((branch) => [...branch, ...ranges]);
}

function singles(test: Extract<Test, { op: 'in' }>): Extract<Test, { op: 'in' }>[] {
  const values = test.values.map((value) => ({ op: 'in' as const, values: [value], orNull: false }));
  return test.orNull ? [...values, { op: 'in', values: [], orNull: true }] : values;
}

const columnIn = (index: IndexLayout, path: string): string =>
  index.keys.find((key) => key.path === path)?.column ?? 'id';

/** An ORDER BY over columns, or nothing. */
export function orderBy(columns: readonly string[], sort: readonly SortKey[]): string {
  if (columns.length === 0) return '';
  return ` ORDER BY ${columns.map((column, i) => `${column}${sort[i]?.descending ? ' DESC' : ''}`).join(', ')}`;
}
