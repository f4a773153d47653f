import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Profile } from './profile.ts';
import {
  bind,
  bool,
  double,
  type FieldSpec,
  int32,
  int64,
  list,
  optional,
  string,
  uint32,
} from './testing/contract.ts';

const read = (query: string, ...request: readonly FieldSpec[]) => {
  const binding = bind({ http: { pattern: { case: 'get', value: '/x' } }, request });
  const { message, deferred } = binding.read({ params: {}, query, body: undefined });
  const { $typeName, ...fields } = message as unknown as Record<string, unknown>;
  return { fields, errcode: deferred?.errcode, deferred };
};

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

describe('a string with another spelling under the compatibility prefix', () => {
  const rules = { compatSpellings: [{ value: 'new', compat: 'o l+d' }], values: ['new', 'other'] };
  const binding = bind({
    http: { pattern: { case: 'get', value: '/x' } },
    request: [optional(string('one', rules)), list(string('any', rules))],
  });
  const readAs = (profile: Profile, query: string) => {
    const { message, deferred } = binding.read({ params: {}, query, body: undefined, profile });
    const { one, any } = message as unknown as Record<string, unknown>;
    return { one, any, errcode: deferred?.errcode };
  };

  test('may have either spelling there', () => {
    const query = 'one=o+l%2Bd&any=new&any=o%20l%2bd&any=other';
    expect(readAs('compat', query)).toEqual({ one: 'new', any: ['new', 'new', 'other'], errcode: undefined });
  });

  test('has one spelling elsewhere', () => {
    expect(readAs('native', 'any=new&any=other').any).toEqual(['new', 'other']);
    expect(readAs('native', 'one=o+l%2Bd').errcode).toBe('M_INVALID_PARAM');
  });
});

describe('an integer', () => {
  const limit = (text: string) => read(`limit=${encodeURIComponent(text)}`, optional(int64('limit')));

  test.each([
    ['5', 5n],
    [' \t5 ', 5n],
    ['+5', 5n],
    ['-5', -5n],
    ['-0', 0n],
    ['0005', 5n],
    ['9007199254740993', 9007199254740993n],
    ['0'.repeat(5_000), 0n],
    [String(INT64_MAX), INT64_MAX],
    [String(INT64_MIN), INT64_MIN],
  ])('may be written as %j', (text, value) => expect(limit(text).fields.limit).toBe(value));

  test.each(['', ' ', '1.0', '1e3', '0x1', '1_0', '- 1', '--1', 'true', 'x', '１', '5\u0000'])(
    'may not be written as %j',
    (text) => expect(limit(text)).toMatchObject({ fields: {}, errcode: 'M_INVALID_PARAM' }),
  );

  test('an integer is refused outside the range of its type', () => {
    expect(limit(String(INT64_MAX + 1n)).errcode).toBe('M_INVALID_PARAM');
    expect(limit(String(INT64_MIN - 1n)).errcode).toBe('M_INVALID_PARAM');
    expect(limit('9'.repeat(100_000)).errcode).toBe('M_INVALID_PARAM');
    expect(read('n=2147483647', int32('n')).fields.n).toBe(2147483647);
    expect(read('n=2147483648', int32('n')).errcode).toBe('M_INVALID_PARAM');
    expect(read('n=-1', uint32('n')).errcode).toBe('M_INVALID_PARAM');
    expect(read('n=4294967296', uint32('n')).errcode).toBe('M_INVALID_PARAM');
  });

  test('keeps its value within the range, with any white space around it', () => {
    const space = fc.constantFrom('', ' ', '\t', '  ');
    fc.assert(
      fc.property(fc.bigInt(INT64_MIN, INT64_MAX), space, space, (value, before, after) => {
        expect(limit(`${before}${value}${after}`).fields.limit).toBe(value);
      }),
    );
  });

  test('below its minimum is refused', () => {
    const from = int64('from', { minimum: 0n });
    expect(read('from=0', from).fields.from).toBe(0n);
    expect(read('from=-1', from)).toMatchObject({
      deferred: {
        status: 400,
        errcode: 'M_INVALID_PARAM',
        field: 'from',
        message: "'from' must be at least 0",
      },
    });
    expect(read('n=-1', int32('n', { minimum: 0n })).errcode).toBe('M_INVALID_PARAM');
    expect(read('n=-1', int64('n', { minimum: 0n, onType: 'M_UNKNOWN' })).errcode).toBe('M_UNKNOWN');
  });
});

test('a boolean is true or false and nothing else', () => {
  expect(read('b=true', bool('b')).fields.b).toBe(true);
  expect(read('b=false', optional(bool('b'))).fields.b).toBe(false);
  for (const text of ['', 'True', '1', '0', 'yes', '+true'])
    expect(read(`b=${text}`, bool('b')).errcode).toBe('M_INVALID_PARAM');
});

describe('a string', () => {
  test.each([
    ['n=a+b%20c', 'a b c'],
    ['n=%C3%A9', 'é'],
    ['n=\u00c3\u00a9', 'é'],
    ['n=100%', '100%'],
    ['n=%zz%C3%A9', '%zzé'],
    ['n=a=b', 'a=b'],
    ['n=', ''],
    ['n', ''],
    ['n=%F0%9F%98%80', '\u{1f600}'],
    ['%6E=x', 'x'],
    ['&&m=1&n=x', 'x'],
  ])('of %j is read', (query, value) => expect(read(query, optional(string('n'))).fields.n).toBe(value));

  test.each(['n=%FF', 'n=a%C3', 'n=%ED%A0%80', 'n=\u00ff'])('of %j is not UTF-8', (query) =>
    expect(read(query, string('n')).errcode).toBe('M_UNKNOWN'),
  );

  test('must be one of its values', () => {
    const dir = optional(string('dir', { values: ['f', 'b'] }));
    expect(read('dir=b', dir).fields.dir).toBe('b');
    for (const text of ['B', '', 'fb', '%FF']) expect(read(`dir=${text}`, dir).deferred?.field).toBe('dir');
    expect(read('dir=B', dir).errcode).toBe('M_INVALID_PARAM');
  });

  test('a string is limited in length, in code points', () => {
    const name = string('n', { maxLength: 2, onLength: 'M_TOO_LARGE' });
    expect(read(`n=${encodeURIComponent('\u{1f600}\u{1f600}')}`, name).fields.n).toHaveLength(4);
    expect(read('n=abc', name).errcode).toBe('M_TOO_LARGE');
    expect(read('n=abc', string('n', { maxLength: 2 })).errcode).toBe('M_INVALID_PARAM');
  });

  test('survives encoding', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(read(String(new URLSearchParams({ n: text })), string('n')).fields.n).toBe(text);
      }),
    );
  });
});

test('undecodable text is not a number', () => {
  expect(read('n=%FF', int64('n')).errcode).toBe('M_INVALID_PARAM');
});

test('on_missing and on_type name the errcodes', () => {
  const ts = int64('ts', { onMissing: 'M_MISSING_PARAM', onType: 'M_UNKNOWN' });
  expect(read('', ts).errcode).toBe('M_MISSING_PARAM');
  expect(read('other=1', ts).deferred).toMatchObject({ field: 'ts', message: "'ts' is missing" });
  expect(read('ts=x', ts).errcode).toBe('M_UNKNOWN');
  expect(read('ts=', ts).errcode).toBe('M_UNKNOWN');
  expect(read('ts=1', ts).errcode).toBeUndefined();
});

test('the first of several values counts; a list has all of them', () => {
  expect(read('n=1&n=x', int64('n')).fields.n).toBe(1n);
  expect(read('n=x&n=1', int64('n')).errcode).toBe('M_INVALID_PARAM');
  expect(read('n=bot&n=&n=a+b', list(string('n'))).fields.n).toEqual(['bot', '', 'a b']);
  expect(read('', list(string('n'))).fields.n).toEqual([]);
  expect(read('n=1&n=x', list(int64('n'))).errcode).toBe('M_INVALID_PARAM');
  expect(read('', list(string('n', { onMissing: 'M_MISSING_PARAM' }))).errcode).toBe('M_MISSING_PARAM');
});

test('reading stops at the first violation in the order of declaration', () => {
  const fields = [int64('a'), int64('b'), optional(int64('c'))];
  expect(read('c=1&b=x&a=y', ...fields).deferred?.field).toBe('a');
  expect(read('c=1&b=x&a=1', ...fields)).toMatchObject({
    fields: { a: 1n, b: 0n },
    deferred: { field: 'b' },
  });
  expect(read('c=1&b=x&a=1', ...fields).fields.c).toBeUndefined();
});

test('names of object properties are ordinary parameters', () => {
  expect(read('__proto__=1&constructor=x', string('constructor')).errcode).toBeUndefined();
  expect(read('', optional(string('to_string'))).fields.toString).toBe(Object.prototype.toString);
});

test('no query makes it throw', () => {
  const unit = fc.constantFrom('%', '&', '=', '+', 'n', 'm', 'F', '0', '\u00ff', '\u2028');
  fc.assert(
    fc.property(fc.string({ unit }), (query) => {
      expect(['M_INVALID_PARAM', 'M_UNKNOWN', undefined]).toContain(
        read(query, string('n'), bool('m')).errcode,
      );
    }),
  );
});

test('numbers with a fraction cannot be read from a query', () => {
  expect(() => read('', double('d'))).toThrow("the field 'd' cannot be read from a query");
});
