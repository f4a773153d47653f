import type { Condition, Test } from '../plan/condition.ts';
import { compareScalars, type Scalar, type Scalars } from './scalars.ts';

/** Whether a document with these scalars satisfies the conditions of a query. */
export type Matcher = (scalars: Scalars) => boolean;

/**
 * Compiles conditions that must all hold; `undefined` when the columns do not decide them.
 *
 * @param columns the position of each path among the scalars
 */
export function matcherOf(
  columns: ReadonlyMap<string, number>,
  conditions: readonly Condition[],
): Matcher | undefined {
  const matchers = conditions.map((condition) => compile(columns, condition));
  if (matchers.some((matcher) => matcher === undefined)) return undefined;
  const all = matchers.filter((matcher) => matcher !== undefined);
  return (scalars) => all.every((matches) => matches(scalars));
}

function compile(columns: ReadonlyMap<string, number>, condition: Condition): Matcher | undefined {
  switch (condition.kind) {
    case 'and':
      return matcherOf(columns, condition.conditions);
    case 'or': {
      const branches = condition.conditions.map((one) => matcherOf(columns, [one]));
      if (branches.some((branch) => branch === undefined)) return undefined;
      return (scalars) => branches.some((matches) => matches?.(scalars));
    }
    case 'not': {
      const matches = compile(columns, condition.condition);
      return matches && ((scalars) => !matches(scalars));
    }
    case 'contains': {
      const { paths, term } = condition;
      const searched = paths.map((path) => columns.get(path) ?? -1);
      if (searched.includes(-1)) return undefined;
      return (scalars) => searched.some((i) => contains(scalars[i], term));
    }
    case 'test': {
      const column = columns.get(condition.path);
      // A column does not tell null from a missing field.
      if (column === undefined || condition.test.op === 'exists') return undefined;
      const passes = testOf(condition.test);
      return (scalars) => passes(scalars[column] ?? null);
    }
    case 'element':
      return undefined;
  }
}

const contains = (scalar: Scalar | undefined, term: string) =>
  scalar !== null && scalar !== undefined && String(scalar).includes(term);

function testOf(test: Exclude<Test, { op: 'exists' }>): (scalar: Scalar) => boolean {
  if (test.op === 'in') {
    const values = new Set<Scalar>(test.values);
    if (test.orNull) values.add(null);
    return (scalar) => values.has(scalar);
  }
  const { op, value } = test;
  return (scalar) => {
    if (scalar === null) return false;
    const order = compareScalars(scalar, value);
    if (order === 0) return op === 'gte' || op === 'lte';
    return order > 0 === (op === 'gt' || op === 'gte');
  };
}
