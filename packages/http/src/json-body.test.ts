import { Body } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type Json, parseBody } from './json-body.ts';
import { Violation } from './violation.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const parse = (text: string, exact = true) => parseBody(encode(text), Body.REQUIRED, exact);
const errcode = (outcome: unknown) => (outcome instanceof Violation ? outcome.errcode : undefined);

describe('a body', () => {
  test('a body that is empty is {} where that is allowed, and otherwise not JSON', () => {
    for (const bytes of [undefined, new Uint8Array()]) {
      expect(parseBody(bytes, Body.OPTIONAL, true)).toEqual({});
      expect(errcode(parseBody(bytes, Body.REQUIRED, true))).toBe('M_NOT_JSON');
    }
  });

  test.each([' ', '{', '{"a":1}x', "{'a':1}", '{"a":NaN}', '{"a":Infinity}', '{"a":-Infinity}', '{"a":01}'])(
    '%j is not JSON',
    (text) => expect(errcode(parse(text))).toBe('M_NOT_JSON'),
  );

  test.each(['\ufeff{}', '{"a":"\t"}', '{"a":1,}', '{a:1}', '/**/{}'])('%j is not JSON either', (text) =>
    expect(errcode(parse(text))).toBe('M_NOT_JSON'),
  );

  test('a body that is not UTF-8 is not JSON', () => {
    for (const bytes of [
      [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d],
      [0xfe, 0xff],
      [0x7b, 0xc0, 0x80, 0x7d],
    ])
      expect(errcode(parseBody(Uint8Array.from(bytes), Body.REQUIRED, true))).toBe('M_NOT_JSON');
  });

  test.each(['[]', '"x"', '1', '1.5', 'null', 'true'])('%s is JSON and no object', (text) =>
    expect(errcode(parse(text))).toBe('M_BAD_JSON'),
  );

  test('a body is nested at most 100 levels deep', () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(errcode(parse(nested(100)))).toBeUndefined();
    expect(errcode(parse(nested(101)))).toBe('M_BAD_JSON');
    expect(errcode(parse('['.repeat(1_000_000)))).toBe('M_BAD_JSON');
    expect(errcode(parse('{"a":'.repeat(200_000)))).toBe('M_BAD_JSON');
  });

  test('may hold any number of brackets in strings', () => {
    expect(parse(`{"a":"${'['.repeat(200)}\\"${'{'.repeat(200)}"}`)).toBeTypeOf('object');
    expect(errcode(parse(`{"a":"${'[:'.repeat(200)}\\\\"}`))).toBeUndefined();
  });

  test.each([
    '{"a":7,"a":8}',
    '{"a":7,"a":7}',
    '{"a":7,"\\u0061":7}',
    '{"x":[{"a":{},"b":7,"a":{}}]}',
    '{"__proto__":{},"__proto__":{}}',
  ])('with a key twice in one object is refused: %s', (text) => {
    expect(errcode(parse(text))).toBe('M_BAD_JSON');
    expect(errcode(parse(text.replaceAll('7', '7.5')))).toBe('M_BAD_JSON');
  });

  test('may have the same key in several objects', () => {
    expect(parse('{"a":{"a":[{"a":1},{"a":":"}]}}')).toEqual({ a: { a: [{ a: 1 }, { a: ':' }] } });
  });

  test('keeps __proto__ as an ordinary key', () => {
    const body = parse('{"__proto__":{"admin":true}}') as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(['__proto__']);
    expect(body.admin).toBeUndefined();
  });
});

describe('the tokens of a body', () => {
  const list = (values: number) => `{"a":[${'0,'.repeat(values - 1)}0]}`;

  test('the tokens of a body are limited, beyond what a body of the default size can have', () => {
    const outcome = parse(list(200_000));
    expect(outcome).toMatchObject({ errcode: 'M_TOO_LARGE', status: 413 });
    expect(parse(list(32_000))).toBeTypeOf('object');
  });

  test('the tokens of a body are not parsed beyond the limit', () => {
    const parser = vi.spyOn(JSON, 'parse');
    parse(`{"a":{${'"b":{},'.repeat(100_000)}"c":{}}}`);
    expect(parser).not.toHaveBeenCalled();
    parser.mockRestore();
  });

  test('in strings do not count', () => {
    expect(parse(`{"a":"${',:[{'.repeat(200_000)}"}`)).toBeTypeOf('object');
  });

  test('suffice for a backup of thousands of keys', () => {
    const key = (n: number) => ({
      first_message_index: n,
      forwarded_count: 0,
      is_verified: true,
      session_data: { ephemeral: 'e'.repeat(43), ciphertext: 'c'.repeat(600), mac: 'm'.repeat(11) },
    });
    const sessions = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`session-${n}`, key(n)]));
    expect(parse(JSON.stringify({ rooms: { '!room:test': { sessions } } }))).toBeTypeOf('object');
  });
});

describe('an exact parse', () => {
  test('calls the parser once and without a function for each value', () => {
    const parser = vi.spyOn(JSON, 'parse');
    parse('{"a":[0.1,0.2]}');
    expect(parser.mock.calls).toHaveLength(1);
    expect(parser.mock.calls[0]).toHaveLength(1);
    parser.mockRestore();
  });

  test.each([
    '{1.5:2}',
    '{"a":01.5}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":1.5e}',
    '{"a":+1.5}',
    '{"a":1.5 2.5}',
    '{"a":1.5"x"}',
  ])('does not read %s', (text) => expect(errcode(parse(text))).toBe('M_NOT_JSON'));

  test('tells strings from numbers', () => {
    const text = '{"a":["\\udfff1.5",1.5,"1.5"],"\\udfff2.5":2.5}';
    expect(parse(text)).toEqual({
      a: ['\ufffd1.5', JSON.rawJSON('1.5'), '1.5'],
      '\udfff2.5': JSON.rawJSON('2.5'),
    });
  });

  test.each(['1.0', '1e3', '1E3', '-0.0', '9007199254740992', '-9007199254740992', '123456789012345678901'])(
    'keeps %s as it is written',
    (text) => {
      expect(parse(`{"a":[${text}]}`)).toEqual({ a: [JSON.rawJSON(text)] });
      expect(parse(`{"a":[${text}]}`, false)).toEqual({ a: [Number(text)] });
    },
  );

  test.each(['0', '-1', '9007199254740991', '-9007199254740991'])('takes %s for a number', (text) =>
    expect(parse(`{"a":${text}, "b": 0.5}`)).toEqual({ a: Number(text), b: JSON.rawJSON('0.5') }),
  );

  test('replaces lone surrogates', () => {
    expect(parse('{"a":"\\ud83d\\ude00 \\uD83D"}')).toEqual({ a: '\u{1f600} \ufffd' });
  });

  test('an exact parse is not needed for words with an e, or digits in strings', () => {
    expect(parse('{"a":true,"e1":"1e5.5 12345678901234567890"}')).toEqual({
      a: true,
      e1: '1e5.5 12345678901234567890',
    });
  });
});

/**
 * The exact parse by definition: slow, because a function is called for each value. `undefined` where the engine does not
 * pass the source text of a number, as beside some duplicate keys or `__proto__`.
 */
function parseByReviver(text: string): unknown {
  let lost = false;
  const revive = (_key: string, value: unknown, { source }: { readonly source?: string }) => {
    if (typeof value === 'string') return value.toWellFormed();
    if (typeof value !== 'number') return value;
    lost ||= source === undefined;
    return Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '') ? value : JSON.rawJSON(source ?? '0');
  };
  const value: unknown = JSON.parse(text, revive as never);
  return lost ? undefined : value;
}

test('an exact parse equals one with a function for each value', () => {
  const number = fc.oneof(
    fc.constantFrom(
      '-0',
      '-0.0',
      '1.0',
      '1E400',
      '-1e-5',
      '9007199254740993',
      '-9007199254740991',
      '0.1',
      '7',
    ),
    fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,4})?([eE][+-]?\d{1,3})?$/),
  );
  const string = fc.oneof(
    fc.constantFrom(
      '"\\udfff1.5"',
      '"\u{10ffff}1.5"',
      '"\\ud83d\\ude00"',
      '"\\uDC00"',
      '"\\\\ud800"',
      '"1.5"',
      '"\\"0.5"',
      '"😀,:["',
    ),
    fc
      .array(fc.constantFrom('\\ud800', '\\uDFFF', '\\udbff', 'a', '1.5', 'ü', '\\\\', '\\"'), {
        maxLength: 5,
      })
      .map((parts) => `"${parts.join('')}"`),
  );
  const key = fc.oneof(string, fc.constantFrom('"a"', '"b"', '"1"', '"__proto__"'));
  const space = fc.constantFrom('', ' ', '\n\t', '\r');
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      number,
      string,
      fc.constantFrom('true', 'false', 'null'),
      fc
        .tuple(space, fc.array(tie('value'), { maxLength: 4 }))
        .map(([gap, items]) => `[${gap}${items.join(`${gap},`)}${gap}]`),
      fc
        .tuple(space, fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }))
        .map(
          ([gap, members]) =>
            `{${members.map(([name, item]) => `${gap}${name}${gap}:${gap}${item}`).join()}}`,
        ),
    ),
  }));
  fc.assert(
    fc.property(value, (text) => {
      const body = `{"a":${text}}`;
      const read = parse(body);
      const expected = parseByReviver(body);
      fc.pre(expected !== undefined);
      if (read instanceof Violation) {
        expect(read.message).toContain('the same key twice');
        // The parser kept fewer members than the text has.
        expect(JSON.stringify(expected).length).toBeLessThan(body.length);
      } else {
        expect(JSON.stringify(read)).toBe(JSON.stringify(expected));
        expect(read).toEqual(expected);
      }
    }),
    { numRuns: 2_000 },
  );
});

const json = fc.jsonValue({ maxDepth: 6 });

test('the output of a serializer parses as the same value', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), fc.boolean(), (value, exact) => {
      const text = JSON.stringify(value);
      const read = parse(text, exact);
      expect(read).not.toBeInstanceOf(Violation);
      expect(JSON.stringify(read)).toBe(exact ? text : JSON.stringify(JSON.parse(text)));
    }),
  );
});

test('no bytes make it throw', () => {
  const token = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    'e',
    '1',
    '.',
    '-',
    'null',
    '\\u',
    'd8',
  );
  const text = fc.array(token, { maxLength: 40 }).map((tokens) => `{"a":${tokens.join('')}`);
  const hostile = fc.oneof(fc.uint8Array({ maxLength: 64 }), text.map(encode));
  fc.assert(
    fc.property(hostile, fc.boolean(), (bytes, exact) => {
      const outcome: Json | Violation = parseBody(bytes, Body.REQUIRED, exact);
      if (outcome instanceof Violation) expect(['M_NOT_JSON', 'M_BAD_JSON']).toContain(outcome.errcode);
      else expect(outcome).toBeTypeOf('object');
    }),
  );
});
