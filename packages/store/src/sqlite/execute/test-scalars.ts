import type { Condition, InTest } from '../plan/condition.ts';

/**
 * Whether a document equals the values of conditions on its top-level fields; `undefined` where it takes SQL to tell: for other
 * conditions, for fields that hold arrays or objects, and for numbers that JavaScript may have rounded.
 */
export function testScalars(document: object, conditions: readonly Condition[]): boolean | undefined {
  for (const condition of conditions) {
    if (condition.kind !== 'test' || condition.test.op !== 'in' || condition.path.includes('.'))
      return undefined;
    const passes = testValue(document[condition.path as keyof typeof document], condition.test);
    if (!passes) return passes;
  }
  return true;
}

function testValue(value: unknown, { values, orNull }: InTest): boolean | undefined {
  switch (typeof value) {
    case 'string':
      return values.includes(value);
    case 'boolean':
      return values.includes(value ? 1 : 0);
    case 'number':
      return Number.isSafeInteger(value) ? values.includes(value) : undefined;
    case 'undefined':
      return orNull;
    default:
      return value === null ? orNull : undefined;
  }
}
