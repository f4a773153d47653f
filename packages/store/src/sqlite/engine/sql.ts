import type { SQLInputValue } from 'node:sqlite';

/** A piece of SQL with the values of its `?`, in order. */
export interface Sql {
  readonly text: string;
  readonly params: readonly SQLInputValue[];
}

/** SQL with the values of its parameters. */
export const sql = (text: string, ...params: SQLInputValue[]): Sql => ({ text, params });

/** Concatenates pieces. */
export function concat(...pieces: readonly (Sql | string)[]): Sql {
  return {
    text: pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join(''),
    params: pieces.flatMap((piece) => (typeof piece === 'string' ? [] : piece.params)),
  };
}

/** Joins pieces with a separator; returns `none` for an empty list. */
export function join(pieces: readonly Sql[], separator: string, none = ''): Sql {
  if (pieces.length === 0) return sql(none);
  return {
    text: pieces.map(({ text }) => text).join(separator),
    params: pieces.flatMap(({ params }) => params),
  };
}

/** A quoted identifier. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A quoted text. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * The JSON path of field names, as a quoted text.
 *
 * @throws TypeError for a name that SQLite's paths cannot express
 */
export function jsonPath(names: readonly string[]): string {
  for (const name of names) {
    if (name === '' || /["\\]/.test(name)) throw new TypeError(`Not a usable path: ${names.join('.')}`);
  }
  return literal(`$${names.map((name) => `."${name}"`).join('')}`);
}
