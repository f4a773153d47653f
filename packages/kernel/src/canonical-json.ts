import { compareCodePoints } from './compare.ts';

/** Deeper than any documented value; the writer can recurse this far (client-plane.md 3). */
const MAX_DEPTH = 100;

/** A value that has no canonical form. */
export class NotCanonical extends Error {
  override readonly name = 'NotCanonical';
}

/**
 * The canonical text of a parsed JSON value (client-plane.md 4.1), over which hashes and signatures are
 * made: keys ordered by code point, no white space, the shortest escapes, integers only. Two values are
 * equal as JSON exactly when their texts are.
 *
 * @throws NotCanonical for a number that is not an integer or beyond 2^53 - 1, a string that is not Unicode
 * text, more than 100 levels of nesting, and values that are not JSON
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return text(value);
    case 'number':
      return integer(value);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (depth === MAX_DEPTH) throw new NotCanonical(`is nested deeper than ${MAX_DEPTH} levels`);
      return Array.isArray(value)
        ? `[${value.map((item) => write(item, depth + 1)).join(',')}]`
        : object(value as Readonly<Record<string, unknown>>, depth);
    default:
      throw new NotCanonical(`holds a ${typeof value}`);
  }
}

function object(value: Readonly<Record<string, unknown>>, depth: number): string {
  const keys = Object.keys(value).sort(compareCodePoints);
  return `{${keys.map((key) => `${text(key)}:${write(value[key], depth + 1)}`).join(',')}}`;
}

function text(value: string): string {
  // UTF-8 cannot represent a lone surrogate, and other parsers would replace its escape.
  if (!value.isWellFormed()) throw new NotCanonical('holds half a surrogate pair');
  return JSON.stringify(value);
}

function integer(value: number): string {
  if (!Number.isSafeInteger(value)) {
    throw new NotCanonical('holds a fraction, or an integer beyond 2^53 - 1: write it as a string');
  }
  return String(value);
}
