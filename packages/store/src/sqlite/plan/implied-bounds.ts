import { compareCodePoints } from '@steward/kernel';
import type { Condition, TestCondition, Value } from './condition.ts';

/**
 * The bounds that every branch of an `$or` satisfies. They let a query that pages by key, `(a < x) or (a = x and b > y)`,
 * start in the middle of the index.
 */
export function impliedBounds(condition: Condition): TestCondition[] {
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
