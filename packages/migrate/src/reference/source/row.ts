import { isObject, type JsonObject } from '@steward/kernel';
import type { Row } from './database.ts';

/** @throws Error that names the column when it is not text */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new Error(`${column} is ${value === null ? 'null' : 'not text'}`);
  if (!value.isWellFormed()) throw new Error(`${column} is not Unicode text`);
  return value;
}

/** @throws Error that names the column when it is neither text nor null */
export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null || row[column] === undefined ? null : text(row, column);
}

/** @throws Error that names the column when it is not a whole number */
export function whole(row: Row, column: string): number {
  const value = row[column];
  // What computes with numbers makes numbers of another type, which `pg` reads as text.
  const number = typeof value === 'string' ? Number(value) : value;
  if (!Number.isSafeInteger(number))
    throw new Error(`${column} is ${value === null ? 'null' : 'not a whole number'}`);
  return number as number;
}

/** @throws Error that names the column when it is neither a whole number nor null */
export function wholeOrNull(row: Row, column: string): number | null {
  return row[column] === null || row[column] === undefined ? null : whole(row, column);
}

/** A flag, which PostgreSQL has as such and SQLite as 0 or 1; null counts as `otherwise`. */
export function flag(row: Row, column: string, otherwise = false): boolean {
  const value = row[column];
  if (value === null || value === undefined) return otherwise;
  return value === true || value === 1;
}

/** @throws Error that names the column when it is not JSON */
export function json(row: Row, column: string): unknown {
  const value = row[column];
  try {
    if (typeof value === 'string') return JSON.parse(value);
    if (value instanceof Uint8Array)
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value));
  } catch {
    throw new Error(`${column} is not JSON`);
  }
  if (value === null || value === undefined) throw new Error(`${column} is null`);
  // PostgreSQL's own type of JSON.
  return value;
}

/** @throws Error that names the column when it is not a JSON object */
export function jsonObject(row: Row, column: string): JsonObject {
  const value = json(row, column);
  if (!isObject(value)) throw new Error(`${column} is not a JSON object`);
  return value;
}
