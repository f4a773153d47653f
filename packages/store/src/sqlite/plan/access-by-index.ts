import type { IndexLayout, KeyLayout } from '../layout/layout.ts';
import type { Access, Bound, Equality, SortKey } from './access.ts';
import { branchesOf, type Condition, type Test, type TestCondition } from './condition.ts';

/** The most ranges that one query is split into; merging more costs more than sorting. */
export const MAX_BRANCHES = 64;

/** The access path through one index; `undefined` when the index does not help. */
export function accessBy(
  index: IndexLayout,
  conditions: readonly Condition[],
  implied: readonly TestCondition[],
  sort: readonly SortKey[],
): Access | undefined {
  const decided = new Set<Condition>();
  const tests = testsFor(index, conditions);
  let elements: ReadonlySet<Condition> | undefined;
  const testsOf = (key: KeyLayout) =>
    tests.filter(
      ({ path, within }) => path === key.path && (!key.perElement || !elements || elements.has(within)),
    );
  const decide = (key: KeyLayout, within: Condition) => {
    decided.add(within);
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
    decide(key, bound.within);
    equalities.push({ key, test: bound.test });
  }

  const next = index.keys[equalities.length];
  const bounds: Bound[] = [];
  if (next) {
    const ranges = testsOf(next).filter(({ test }) => test.op !== 'in' && test.op !== 'exists');
    // All bounds of one $elemMatch hold for one element; two separate conditions may hold for different elements.
    const together = next.perElement ? ranges.filter(({ within }) => within === ranges[0]?.within) : ranges;
    for (const { test, within } of together) {
      decide(next, within);
      bounds.push({ key: next, test });
    }
    if (!next.perElement) {
      for (const { path, test } of implied) if (path === next.path) bounds.push({ key: next, test });
    }
  }

  if (index.sparse && !isInSparse(index, conditions, equalities.length + bounds.length)) return undefined;
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
  const residual = conditions.filter(
    (condition) => !decided.has(condition) || !isDecided(condition, equalities, bounds),
  );
  // SQL cannot walk null and values as one range.
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

/** Whether a condition tests a scalar that an index holds. */
export function isCovered(index: IndexLayout, condition: Condition): condition is TestCondition {
  return (
    condition.kind === 'test' &&
    condition.test.op !== 'exists' &&
    index.keys.some(({ path, perElement }) => path === condition.path && !perElement)
  );
}

/** Whether a sparse index holds every document that satisfies the conditions, which bind `bound` of its keys. */
function isInSparse({ keys, sparse }: IndexLayout, conditions: readonly Condition[], bound: number): boolean {
  if (sparse?.path === keys[0]?.path) return bound > 0;
  return conditions.some(
    (condition) =>
      condition.kind === 'test' &&
      condition.path === sparse?.path &&
      (condition.test.op !== 'in' || !condition.test.orNull),
  );
}

/** The tests that an index could use, each with the condition that it is part of. */
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

/** Whether the walk decides all of a condition. Of an $elemMatch it may use a part only. */
function isDecided(
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
  const varying = sort.filter(({ path }) => !constant.has(path));
  const walked = index.keys.slice(equalities.length);
  // A unique index ends without `_id`: its values differ, so `_id` never decides the order.
  const idIsImplied = index.unique && index.array === undefined && varying[walked.length]?.path === '_id';
  const compared = idIsImplied ? varying.slice(0, walked.length) : varying;
  if (compared.length > walked.length) return false;
  const backwards = compared[0] !== undefined && compared[0].descending !== walked[0]?.descending;
  return compared.every(
    ({ path, descending }, i) =>
      walked[i]?.path === path &&
      !walked[i].perElement &&
      (walked[i].descending !== descending) === backwards,
  );
}
