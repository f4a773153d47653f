/** A scalar as SQLite stores it: booleans are 0 and 1. Null is not among them, because SQL compares it differently. */
export type Value = string | number;

/** What a scalar is tested for. */
export type Test =
  | { readonly op: 'in'; readonly values: readonly Value[]; readonly orNull: boolean }
  | { readonly op: 'gt' | 'gte' | 'lt' | 'lte'; readonly value: Value }
  | { readonly op: 'exists' };

/** A parsed filter. */
export type Condition =
  | { readonly kind: 'test'; readonly path: string; readonly test: Test }
  /** One element of an array satisfies all; paths are relative to the element, '' is a scalar element itself. */
  | { readonly kind: 'element'; readonly path: string; readonly conditions: readonly Condition[] }
  | { readonly kind: 'contains'; readonly paths: readonly string[]; readonly term: string }
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition };

/** A test of equality with one of several values. */
export type InTest = Extract<Test, { op: 'in' }>;

/** A condition on the scalar at a path. */
export type TestCondition = Extract<Condition, { kind: 'test' }>;

/** The number of ranges of an index that a test of equality selects. */
export const branchesOf = (test: InTest): number => test.values.length + (test.orNull ? 1 : 0);
