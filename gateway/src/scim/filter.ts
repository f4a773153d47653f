import { type Filter, filter as matcher, parse } from 'scim2-parse-filter';
import { attributeKey } from './read-json.ts';
import { canonicalAddress } from './read-user.ts';
import { badRequest } from './scim-error.ts';

/** The longest filter, in characters. */
const MAX_LENGTH = 1_000;

/** The deepest nesting of a filter, and the most comparisons that it may have. */
const MAX_DEPTH = 10;
const MAX_COMPARISONS = 50;

/**
 * Characters that filters do not contain. The pattern that the parser finds tokens with takes exponential time for line breaks in a
 * text without an end.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;

const COMPARISONS: ReadonlySet<string> = new Set([
  'eq',
  'ne',
  'co',
  'sw',
  'ew',
  'gt',
  'lt',
  'ge',
  'le',
  'pr',
]);

/** The attributes whose values differ by case (RFC 7643, 3.1). */
const CASE_EXACT: ReadonlySet<string> = new Set(['id', 'externalid', 'meta.version', 'meta.location']);

const MULTI_VALUED: ReadonlySet<string> = new Set(['emails', 'phonenumbers', 'members']);

/** A filter whose attributes have their keys, and whose texts are in lower case unless case matters. */
export type ScimFilter = Filter;

/**
 * Parses a filter (RFC 7644, 3.4.2.2).
 *
 * @throws ScimError
 */
export function parseFilter(text: string): ScimFilter {
  if (text.length > MAX_LENGTH)
    throw badRequest('invalidFilter', `A filter has at most ${MAX_LENGTH} characters`);
  if (CONTROL.test(text)) throw badRequest('invalidFilter', 'A filter has no control characters');
  let parsed: Filter;
  try {
    parsed = parse(text);
  } catch {
    throw badRequest('invalidFilter', 'The filter cannot be read');
  }
  const budget = { comparisons: MAX_COMPARISONS };
  return normalise(parsed, '', MAX_DEPTH, budget);
}

function normalise(one: Filter, prefix: string, depth: number, budget: { comparisons: number }): ScimFilter {
  if (depth === 0) throw badRequest('invalidFilter', `A filter is at most ${MAX_DEPTH} levels deep`);
  const below = (inner: Filter, path = prefix) => normalise(inner, path, depth - 1, budget);
  switch (one.op) {
    case 'and':
    case 'or':
      return { op: one.op, filters: one.filters.map((inner) => below(inner)) };
    case 'not':
      return { op: 'not', filter: below(one.filter) };
    case '[]': {
      const attrPath = attributeKey(one.attrPath);
      return { op: '[]', attrPath, valFilter: below(one.valFilter, `${attrPath}.`) };
    }
    default:
      return comparison(one, prefix, budget);
  }
}

type Comparison = Exclude<Filter, { readonly op: 'and' | 'or' | 'not' | '[]' }>;

function comparison(one: Comparison, prefix: string, budget: { comparisons: number }): ScimFilter {
  if (!COMPARISONS.has(one.op)) throw badRequest('invalidFilter', 'The filter has an unknown operator');
  if (budget.comparisons-- === 0)
    throw badRequest('invalidFilter', `A filter has at most ${MAX_COMPARISONS} comparisons`);
  const named = attributeKey(one.attrPath);
  if (!('compValue' in one)) return { op: one.op, attrPath: named };
  // A comparison of several values is one of what they have in `value` (RFC 7643, 2.4).
  const attrPath = prefix === '' && MULTI_VALUED.has(named) ? `${named}.value` : named;
  const path = prefix + attrPath;
  const { compValue } = one;
  if (typeof compValue !== 'string' || CASE_EXACT.has(path)) return { op: one.op, attrPath, compValue };
  const isPhone = path === 'phonenumbers.value' && one.op === 'eq';
  return {
    op: one.op,
    attrPath,
    compValue: isPhone ? canonicalAddress('phoneNumbers', compValue) : compValue.toLowerCase(),
  };
}

/** Whether a filter compares an attribute, by its key, or a part of it. */
export function mentions(filter: ScimFilter, key: string): boolean {
  if (filter.op === 'and' || filter.op === 'or') return filter.filters.some((one) => mentions(one, key));
  if (filter.op === 'not') return mentions(filter.filter, key);
  const path = 'attrPath' in filter ? filter.attrPath : '';
  return path === key || path.startsWith(`${key}.`);
}

/** Whether a document matches a filter. */
export function matches(filter: ScimFilter, document: object): boolean {
  return matcher(filter)(folded(document, ''));
}

/** A document with its texts in lower case unless case matters, and its values also where the attribute alone is compared. */
function folded(value: unknown, path: string): unknown {
  if (typeof value === 'string') return CASE_EXACT.has(path) ? value : value.toLowerCase();
  if (Array.isArray(value)) return value.map((one) => folded(one, path));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const key = name.toLowerCase();
      return [key, folded(inner, path === '' ? key : `${path}.${key}`)];
    }),
  );
}
