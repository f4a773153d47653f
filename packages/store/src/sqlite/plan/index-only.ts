import type { IndexLayout } from '../layout/layout.ts';
import type { Access } from './access.ts';
import type { Condition } from './condition.ts';

/** Whether the index of an access path alone answers a query for some top-level fields, apart from its order. */
export function answersAlone({ index, residual, repeats }: Access, fields: readonly string[]): boolean {
  return (
    !repeats &&
    fields.every((field) => holdsField(index, field)) &&
    (residual.length === 0 || (index.array === undefined && residual.every((one) => isDecidedBy(index, one))))
  );
}

/** A side table of elements has no document for the values that its keys do not tell apart; an id is always a string. */
function holdsField(index: IndexLayout, field: string): boolean {
  return (index.array === undefined || field === '_id') && hasKey(index, field);
}

const hasKey = (index: IndexLayout, path: string) =>
  index.keys.some((key) => key.path === path && !key.perElement);

/** Whether the keys of an index of the collection's own table decide a condition. */
function isDecidedBy(index: IndexLayout, condition: Condition): boolean {
  switch (condition.kind) {
    case 'test':
      return condition.test.op !== 'exists' && hasKey(index, condition.path);
    case 'not':
      return isDecidedBy(index, condition.condition);
    case 'and':
    case 'or':
      return condition.conditions.every((one) => isDecidedBy(index, one));
    default:
      return false;
  }
}
