import { compareCodePoints } from '@steward/kernel';
import type { Value } from '../plan/condition.ts';

/** A scalar as a column of SQLite holds it. */
export type Scalar = Value | null;

/** The scalars of a document, in the order of the columns of its layout. */
export type Scalars = readonly Scalar[];

/** Compares scalars as SQLite does: null, then numbers, then texts by code point. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'string') return typeof b === 'string' ? compareCodePoints(a, b) : 1;
  if (typeof b === 'string') return -1;
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  return a - b;
}

/** The scalars of a document at paths, which are given as lists of names, as SQL reads them into columns. */
export function scalarsOf(document: object, paths: readonly (readonly string[])[]): Scalars {
  return paths.map((names) => scalarOf(valueAt(document, names)));
}

/** The value of a document at a path; `undefined` where the path enters an array. */
export function valueAt(document: object, names: readonly string[]): unknown {
  let value: unknown = document;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** Whether two documents have the same scalars. */
export const isSame = (a: Scalars, b: Scalars): boolean => a.every((scalar, i) => scalar === b[i]);

/** The columns in which two documents differ. */
export const differencesOf = (a: Scalars, b: Scalars): readonly number[] =>
  a.flatMap((scalar, i) => (scalar === b[i] ? [] : [i]));

function scalarOf(value: unknown): Scalar {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  // JSON writes other numbers as null.
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
