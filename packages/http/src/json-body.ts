import { Body } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { MARK, markExactValues } from './mark-exact-values.ts';
import type { RawJson } from './raw-json.ts';
import { scanTokens } from './scan-tokens.ts';
import { Violation } from './violation.ts';

/**
 * A parsed value. When parsed exactly, a number that is not a safe integer, or not written as an integer,
 * is a `RawJson`, and strings are well-formed.
 */
export type Json = null | boolean | number | string | RawJson | readonly Json[] | JsonObject;

/** A parsed object. Keys are own properties, `__proto__` included: test for them with `Object.hasOwn`. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Deeper than any documented body; readers can recurse this far. */
const MAX_DEPTH = 100;
/**
 * The most structural characters of a body. Bodies of the default size cannot have more; a backup of 5,000 keys has
 * 90,000.
 */
const MAX_TOKENS = 128 * 1024;

const TOO_LARGE_STATUS = 413;

const NOT_JSON = new Violation('M_NOT_JSON', '', 'is not JSON');
const EMPTY = new Violation('M_NOT_JSON', '', 'is empty');
const NOT_AN_OBJECT = new Violation('M_BAD_JSON', '', 'must be a JSON object');
const TOO_DEEP = new Violation('M_BAD_JSON', '', `is nested deeper than ${MAX_DEPTH} levels`);
const TOO_MANY = new Violation('M_TOO_LARGE', '', 'has too many values', TOO_LARGE_STATUS);
const DUPLICATE_KEY = new Violation('M_BAD_JSON', '', 'has an object with the same key twice');

const EMPTY_OBJECT: JsonObject = {};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a body that must be a JSON object (behaviour.md 0.5). Takes time in proportion to its length, and a few times
 * as long as `JSON.parse`.
 *
 * @param exact whether the spelling of numbers matters; `false` where no field needs it, because that is faster
 */
export function parseBody(
  bytes: Uint8Array | undefined,
  expected: Body,
  exact: boolean,
): JsonObject | Violation {
  if (!bytes?.length) return expected === Body.OPTIONAL ? EMPTY_OBJECT : EMPTY;
  const scan = scanTokens(bytes, MAX_DEPTH, MAX_TOKENS);
  if (scan.depth > MAX_DEPTH) return TOO_DEEP;
  if (scan.tokens > MAX_TOKENS) return TOO_MANY;
  const marked = exact && !scan.plain;
  let value: Json;
  try {
    const text = utf8.decode(bytes);
    value = JSON.parse(marked ? markExactValues(text) : text) as Json;
  } catch {
    return NOT_JSON;
  }
  if (!isObject(value)) return NOT_AN_OBJECT;
  // The parser keeps one of two equal keys, so the text has more members than the value.
  if (scan.members > 1 && countMembers(value) < scan.members) return DUPLICATE_KEY;
  if (marked) unmark(value as Record<string, unknown>);
  return value;
}

/** Whether a value is a JSON object; a `RawJson` is a number. */
export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

function countMembers(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item);
    return count;
  }
  for (const key of Object.keys(value)) count += 1 + countMembers((value as JsonObject)[key] as Json);
  return count;
}

/** Replaces the marked strings in an object or a list by the numbers that they stand for. */
function unmark(parent: Record<string, unknown> | unknown[]): void {
  if (Array.isArray(parent)) {
    for (let i = 0; i < parent.length; i++) parent[i] = unmarked(parent[i]);
    return;
  }
  // The keys are own properties, so that __proto__ is assigned like any other.
  for (const key of Object.keys(parent)) parent[key] = unmarked(parent[key]);
}

function unmarked(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? JSON.rawJSON(value.slice(1)) : value;
  if (typeof value === 'object' && value !== null) unmark(value as Record<string, unknown> | unknown[]);
  return value;
}
