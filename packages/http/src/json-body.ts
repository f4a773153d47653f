import { Body } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { RawJson } from './raw-json.ts';
import { Violation } from './violation.ts';

/**
 * A parsed value. When parsed exactly, a number that is no safe integer, or not written as an integer,
 * is a `RawJson`, and strings are well-formed.
 */
export type Json = null | boolean | number | string | RawJson | readonly Json[] | JsonObject;

/** A parsed object. Keys are own properties, `__proto__` included: test for them with `Object.hasOwn`. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Deeper than any documented body; readers can recurse this far. */
const MAX_DEPTH = 100;
/** Integers with fewer digits are safe. */
const UNSAFE_DIGITS = 16;

const NOT_JSON = new Violation('M_NOT_JSON', '', 'is not JSON');
const EMPTY = new Violation('M_NOT_JSON', '', 'is empty');
const NOT_AN_OBJECT = new Violation('M_BAD_JSON', '', 'must be a JSON object');
const TOO_DEEP = new Violation('M_BAD_JSON', '', `is nested deeper than ${MAX_DEPTH} levels`);
const DUPLICATE_KEY = new Violation('M_BAD_JSON', '', 'has an object with the same key twice');

const EMPTY_OBJECT: JsonObject = {};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a body that must be a JSON object (behaviour.md 0.5). Takes time in proportion to its length.
 *
 * @param exact whether the spelling of numbers matters. `false` where no field needs it, because an exact
 *   parse of a body full of fractions takes ten times as long
 */
export function parseBody(
  bytes: Uint8Array | undefined,
  expected: Body,
  exact: boolean,
): JsonObject | Violation {
  if (!bytes?.length) return expected === Body.OPTIONAL ? EMPTY_OBJECT : EMPTY;
  const scan = scanTokens(bytes);
  if (scan.depth > MAX_DEPTH) return TOO_DEEP;
  let value: Json;
  try {
    const text = utf8.decode(bytes);
    value = (scan.plain || !exact ? JSON.parse(text) : JSON.parse(text, revive)) as Json;
  } catch {
    return NOT_JSON;
  }
  if (!isObject(value)) return NOT_AN_OBJECT;
  // The parser keeps one of two equal keys, so the text has more members than the value.
  if (scan.members > 1 && countMembers(value) < scan.members) return DUPLICATE_KEY;
  return value;
}

/** Whether a value is a JSON object; a `RawJson` is a number. */
export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

interface Scan {
  /** The deepest nesting; the scan ends above MAX_DEPTH. */
  readonly depth: number;
  /** The number of members of all objects together. */
  readonly members: number;
  /** Whether a plain parse is exact: no fractions, exponents, long numbers or escaped surrogates. */
  readonly plain: boolean;
}

/** Scans the bytes before they are parsed. The result is exact for JSON, and undefined for other texts. */
function scanTokens(bytes: Uint8Array): Scan {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let digits = 0;
  let plain = true;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte >= ZERO && byte <= NINE) {
      if (++digits >= UNSAFE_DIGITS) plain = false;
      continue;
    }
    switch (byte) {
      case QUOTE:
        for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) {
          if (bytes[i] !== BACKSLASH) continue;
          i++;
          if (bytes[i] === LOWER_U && ((bytes[i + 1] as number) | LOWER_CASE) === LOWER_D) plain = false;
        }
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > deepest) deepest = depth;
        if (depth > MAX_DEPTH) return { depth, members, plain };
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
      case COLON:
        members++;
        break;
      case POINT:
      case UPPER_E:
        plain = false;
        break;
      case LOWER_E:
        if (digits > 0) plain = false;
        break;
    }
    digits = 0;
  }
  return { depth: deepest, members, plain };
}

const QUOTE = 0x22;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_D = 0x64;
const LOWER_E = 0x65;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** The bit in which the two cases of a letter differ. */
const LOWER_CASE = 0x20;

const INTEGER = /^-?\d+$/;

function revive(_key: string, value: unknown, { source }: { readonly source: string }): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'number') return value;
  return Number.isSafeInteger(value) && INTEGER.test(source) ? value : JSON.rawJSON(source);
}

function countMembers(value: Json): number {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return 0;
  if (Array.isArray(value)) {
    let count = 0;
    for (const item of value) count += countMembers(item);
    return count;
  }
  const keys = Object.keys(value);
  let count = keys.length;
  for (const key of keys) count += countMembers((value as JsonObject)[key] as Json);
  return count;
}
