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
  let text = '';
  const params: SQLInputValue[] = [];
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else {
      text += piece.text;
      for (const param of piece.params) params.push(param);
    }
  }
  return { text, params };
}

/** Joins pieces with a separator; returns `none` for an empty list. */
export function join(pieces: readonly Sql[], separator: string, none = ''): Sql {
  if (pieces.length === 0) return sql(none);
  let text = '';
  const params: SQLInputValue[] = [];
  for (const [i, piece] of pieces.entries()) {
    text += i === 0 ? piece.text : separator + piece.text;
    for (const param of piece.params) params.push(param);
  }
  return { text, params };
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
