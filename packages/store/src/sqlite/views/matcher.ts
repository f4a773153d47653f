import type { Condition, Test } from '../plan/condition.ts';
import { compareScalars, type Scalar, type Scalars } from './scalars.ts';

/** Whether a document with these scalars satisfies the conditions of a query. */
export interface Matcher {
  (scalars: Scalars): boolean;
  /** The columns that decide it. */
  readonly columns: ReadonlySet<number>;
}

type Predicate = (scalars: Scalars) => boolean;

/**
 * Compiles conditions that must all hold; `undefined` when the columns do not decide them.
 *
 * @param columns the position of each path among the scalars
 */
export function matcherOf(
  columns: ReadonlyMap<string, number>,
  conditions: readonly Condition[],
): Matcher | undefined {
  const predicate = compileAll(columns, conditions);
  const tested = new Set(pathsIn(conditions).map((path) => columns.get(path) ?? -1));
  return predicate && Object.assign((scalars: Scalars) => predicate(scalars), { columns: tested });
}

function compileAll(
  columns: ReadonlyMap<string, number>,
  conditions: readonly Condition[],
): Predicate | undefined {
  const predicates = conditions.map((condition) => compile(columns, condition));
  if (predicates.some((predicate) => predicate === undefined)) return undefined;
  const all = predicates.filter((predicate) => predicate !== undefined);
  return (scalars) => all.every((matches) => matches(scalars));
}

/** The paths that conditions test. */
function pathsIn(conditions: readonly Condition[]): readonly string[] {
  return conditions.flatMap((condition): readonly string[] => {
    if ('conditions' in condition) return pathsIn(condition.conditions);
    if (condition.kind === 'not') return pathsIn([condition.condition]);
    return condition.kind === 'contains' ? condition.paths : [condition.path];
  });
}

function compile(columns: ReadonlyMap<string, number>, condition: Condition): Predicate | undefined {
  switch (condition.kind) {
    case 'and':
      return compileAll(columns, condition.conditions);
    case 'or': {
      const branches = condition.conditions.map((one) => compileAll(columns, [one]));
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
