import type { IndexLayout } from '../layout/layout.ts';
import type { SortKey } from './access.ts';
import type { Condition, TestCondition } from './condition.ts';

/**
 * Whether an index can help at all: something tests its first key, or the sort begins with it. The index over ids also
 * serves a query without conditions and without a sort, and no other one serves it better.
 */
export function canServe(
  index: IndexLayout,
  conditions: readonly Condition[],
  implied: readonly TestCondition[],
  sort: readonly SortKey[],
): boolean {
  const [first] = index.keys;
  if (index.name === '_id' || sort[0]?.path === first?.path) return true;
  const tests = (condition: Condition, prefix = ''): boolean =>
    condition.kind === 'test'
      ? pathWithin(prefix, condition.path) === first?.path
      : condition.kind === 'element' && condition.conditions.some((inner) => tests(inner, condition.path));
  return [...conditions, ...implied].some((condition) => tests(condition));
}

const pathWithin = (prefix: string, path: string) =>
  prefix === '' ? path : path === '' ? prefix : `${prefix}.${path}`;
