import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, NotCanonical } from './mod.ts';

describe('canonical JSON', () => {
  // The vectors that are published with the protocol.
  it.each([
    ['{}', '{}'],
    ['{"one": 1, "two": "Two"}', '{"one":1,"two":"Two"}'],
    ['{"b": "2", "a": "1"}', '{"a":"1","b":"2"}'],
    [
      '{"auth":{"success":true,"mxid":"@john.doe:example.com","profile":{"display_name":"John Doe","three_pids":[{"medium":"email","address":"john.doe@example.org"},{"medium":"msisdn","address":"123456789"}]}}}',
      '{"auth":{"mxid":"@john.doe:example.com","profile":{"display_name":"John Doe","three_pids":[{"address":"john.doe@example.org","medium":"email"},{"address":"123456789","medium":"msisdn"}]},"success":true}}',
    ],
    ['{"a": "日本語"}', '{"a":"日本語"}'],
    ['{"本": 2, "日": 1}', '{"日":1,"本":2}'],
    ['{"a": "\\u65E5"}', '{"a":"日"}'],
    ['{"a": null}', '{"a":null}'],
    ['{"a": -0, "b": 1e10}', '{"a":0,"b":10000000000}'],
  ])('of %s', (written, canonical) => {
    expect(canonicalJson(JSON.parse(written))).toBe(canonical);
  });

  it('orders keys by code point, beyond the basic plane as well', () => {
    expect(canonicalJson({ '😀': 1, '\uFFFD': 2, B: 3, a: 4 })).toBe('{"B":3,"a":4,"\uFFFD":2,"😀":1}');
  });

  it('escapes only what must be escaped, in the shortest form', () => {
    expect(canonicalJson('"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028')).toBe(
      '"\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\u007f\u2028"',
    );
  });

  it('keeps keys that are properties of every object', () => {
    expect(canonicalJson(JSON.parse('{"toString":1,"__proto__":{"a":2}}'))).toBe(
      '{"__proto__":{"a":2},"toString":1}',
    );
  });

  it.each([
    ['a fraction', 0.5],
    ['an integer too large', 2 ** 53],
    ['an integer too small', -(2 ** 53)],
    ['infinity', Number.POSITIVE_INFINITY],
    ['half a surrogate pair', '\ud800'],
    ['half a surrogate pair in a key', { '\udc00': 1 }],
    ['what is not JSON', { a: undefined }],
    ['a deeper nesting', JSON.parse(`${'['.repeat(101)}${']'.repeat(101)}`)],
  ])('does not exist for %s', (_, value) => {
    expect(() => canonicalJson([value])).toThrow(NotCanonical);
  });

  it('says what to write in place of such a number', () => {
    expect(() => canonicalJson({ n: 2 ** 53 })).toThrow('beyond 2^53 - 1: write it as a string');
  });

  it('admits the extreme values of its ranges', () => {
    const deepest = `${'['.repeat(100)}${']'.repeat(100)}`;
    expect(canonicalJson(JSON.parse(deepest))).toBe(deepest);
    expect(canonicalJson([2 ** 53 - 1, -(2 ** 53 - 1)])).toBe('[9007199254740991,-9007199254740991]');
  });

  it('does not depend on the order of keys', () => {
    const leaf = fc.oneof(
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.constant(null),
      fc.string({ unit: 'binary' }),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, (any) => {
        const text = canonicalJson(any);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(canonicalJson(backwards(any))).toBe(text);
      }),
    );
  });
});

/** The same value with the keys of its objects in the opposite order. */
function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, backwards(member)]),
  );
}
