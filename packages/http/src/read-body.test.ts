import { Body, NullValue } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bind,
  bool,
  type ContractSpec,
  double,
  type FieldSpec,
  int32,
  int64,
  list,
  map,
  message,
  named,
  optional,
  present,
  string,
  uint32,
} from './testing/contract.ts';

const { REFUSED, ABSENT, PRESENT } = NullValue;

const readText = (body: string, request: readonly FieldSpec[], messages: ContractSpec['messages'] = {}) => {
  const http = { pattern: { case: 'post', value: '/x' }, body: '*' } as const;
  const binding = bind({ http, rules: { body: Body.REQUIRED }, request }, messages);
  const { message, deferred } = binding.read({ params: {}, query: '', body: new TextEncoder().encode(body) });
  const { $typeName, present, ...fields } = message as unknown as Record<string, unknown>;
  return {
    fields,
    present: (present as { paths: string[] } | undefined)?.paths,
    errcode: deferred?.errcode,
    deferred,
  };
};

const read = (body: unknown, ...request: readonly FieldSpec[]) => readText(JSON.stringify(body), request);

const accepts = (field: FieldSpec, json: string) => readText(`{"v":${json}}`, [field]).fields.v;
const refuses = (field: FieldSpec, json: string) => readText(`{"v":${json}}`, [field]).errcode;

describe('types', () => {
  test('a string is a string', () => {
    expect(accepts(string('v'), '"é\\u00e9\\ud83d\\ude00"')).toBe('éé\u{1f600}');
    for (const json of ['1', 'true', 'null', '[]', '{}'])
      expect(refuses(string('v'), json)).toBe('M_BAD_JSON');
  });

  test('a string is well-formed and has no NUL', () => {
    expect(accepts(string('v'), '"a\\ud800b"')).toBe('a\ufffdb');
    expect(refuses(string('v', { onType: 'M_UNKNOWN' }), '"a\\u0000"')).toBe('M_UNKNOWN');
  });

  test('a boolean is true or false', () => {
    expect(accepts(bool('v'), 'true')).toBe(true);
    for (const json of ['"true"', '1', '0', 'null']) expect(refuses(bool('v'), json)).toBe('M_BAD_JSON');
  });

  test.each([int32, uint32, int64])('an integer is spelled as one', (integer) => {
    expect(Number(accepts(integer('v'), '7'))).toBe(7);
    expect(Object.is(Number(accepts(integer('v'), '-0')), 0)).toBe(true);
    for (const json of ['1.0', '1e3', '1E0', '1.5', '"1"', 'true', 'null', '[1]'])
      expect(refuses(integer('v'), json)).toBe('M_BAD_JSON');
  });

  test('an integer is in the range of its type, and safe', () => {
    expect(accepts(int64('v'), '-9007199254740991')).toBe(-9007199254740991n);
    expect(accepts(int64('v'), '9007199254740991')).toBe(9007199254740991n);
    for (const json of ['9007199254740992', '-9007199254740992', '1'.repeat(400)])
      expect(refuses(int64('v'), json)).toBe('M_BAD_JSON');
    expect(accepts(int32('v'), '-2147483648')).toBe(-2147483648);
    expect(refuses(int32('v'), '2147483648')).toBe('M_BAD_JSON');
    expect(accepts(uint32('v'), '4294967295')).toBe(4294967295);
    expect(refuses(uint32('v'), '-1')).toBe('M_BAD_JSON');
  });

  test('a double is any finite number', () => {
    for (const json of ['1', '1.5', '-1e-3']) expect(accepts(double('v'), json)).toBe(Number(json));
    for (const json of ['1e999', '"1"', 'true']) expect(refuses(double('v'), json)).toBe('M_BAD_JSON');
  });

  test('safe integers keep their value', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(accepts(int64('v'), String(value))).toBe(BigInt(value));
      }),
    );
  });

  test('a list is a list of the right items', () => {
    expect(accepts(list(string('v')), '["a","b"]')).toEqual(['a', 'b']);
    expect(accepts(list(int64('v')), '[]')).toEqual([]);
    const field = list(string('v', { onType: 'M_INVALID_PARAM' }));
    for (const json of ['"a"', '{}', '["a",1]', '[null]', '[["a"]]', 'null'])
      expect(refuses(field, json)).toBe('M_INVALID_PARAM');
  });

  test('a map is an object of the right items', () => {
    expect(accepts(map(int64('v')), '{"a":1,"__proto__":2}')).toEqual(
      Object.fromEntries([
        ['a', 1n],
        ['__proto__', 2n],
      ]),
    );
    expect(accepts(map(string('v')), '{"\\udc00":"\\udc00"}')).toEqual({ '\ufffd': '\ufffd' });
    for (const json of ['[]', '{"a":"x"}', '{"a":null}'])
      expect(refuses(map(int64('v')), json)).toBe('M_BAD_JSON');
  });
});

describe('on_missing', () => {
  test('refuses an absent key; without it the field stays unset', () => {
    expect(read({}, string('v', { onMissing: 'M_MISSING_PARAM' })).deferred).toEqual({
      status: 400,
      errcode: 'M_MISSING_PARAM',
      message: "'v' is missing",
      field: 'v',
    });
    expect(read({ w: 1 }, optional(string('v')))).toMatchObject({ fields: {}, errcode: undefined });
  });

  test('on_missing is not satisfied by inherited properties', () => {
    for (const key of ['__proto__', 'constructor', 'toString'])
      expect(read({}, named(string('v', { onMissing: 'M_BAD_JSON' }), key)).errcode).toBe('M_BAD_JSON');
    expect(readText('{"__proto__":{"v":"x"}}', [string('v', { onMissing: 'M_BAD_JSON' })]).errcode).toBe(
      'M_BAD_JSON',
    );
  });
});

test('on_type is the errcode of the wrong type', () => {
  expect(refuses(bool('v', { onType: 'M_UNKNOWN' }), '1')).toBe('M_UNKNOWN');
  expect(read({ v: 1 }, bool('v')).deferred?.message).toBe("'v' must be true or false");
});

test('values are the only admitted strings', () => {
  const field = optional(string('v', { values: ['bot', 'support'], onType: 'M_UNKNOWN' }));
  expect(accepts(field, '"bot"')).toBe('bot');
  for (const json of ['"Bot"', '""', '1']) expect(refuses(field, json)).toBe('M_UNKNOWN');
  expect(refuses(list(string('v', { values: ['a'] })), '["a","b"]')).toBe('M_BAD_JSON');
});

test('max_length counts code points; on_length is the errcode of a longer text', () => {
  const field = string('v', { maxLength: 3, onType: 'M_INVALID_PARAM', onLength: 'M_TOO_LARGE' });
  expect(accepts(field, '"\u{1f600}\u{1f600}\u{1f600}"')).toHaveLength(6);
  expect(refuses(field, '"\u{1f600}\u{1f600}\u{1f600}x"')).toBe('M_TOO_LARGE');
  expect(refuses(field, '1')).toBe('M_INVALID_PARAM');
  expect(refuses(string('v', { maxLength: 3, onType: 'M_UNKNOWN' }), '"abcd"')).toBe('M_UNKNOWN');
  expect(refuses(string('v', { maxLength: 3 }), JSON.stringify('\u{1f600}'.repeat(100_000)))).toBe(
    'M_BAD_JSON',
  );
});

test('a new password is readable, and not too long in its normalised form either', () => {
  const field = string('v', { maxLength: 3, newPassword: true, onType: 'M_INVALID_PARAM' });
  expect(accepts(field, '"fe\u0301"')).toBe('fe\u0301');
  for (const json of ['"\\ud800"', '"a\\udc00"', '"\ufffd"', '"abcd"', '"\ufb03x"'])
    expect(refuses(field, json)).toBe('M_INVALID_PARAM');
});

test('minimum is the smallest number', () => {
  for (const field of [
    int64('v', { minimum: 0n, onType: 'M_INVALID_PARAM' }),
    int32('v', { minimum: 0n, onType: 'M_INVALID_PARAM' }),
  ]) {
    expect(Number(accepts(field, '0'))).toBe(0);
    expect(refuses(field, '-1')).toBe('M_INVALID_PARAM');
  }
});

describe('null', () => {
  const nullIs = (rule: NullValue, more: FieldSpec['rules'] = {}) =>
    read({ v: null }, optional(string('v', { ...more, null: rule })), present);

  test('null is refused as a value of the wrong type', () => {
    expect(nullIs(REFUSED, { onType: 'M_UNKNOWN' }).errcode).toBe('M_UNKNOWN');
  });

  test('null is read like an absent key', () => {
    expect(nullIs(ABSENT)).toMatchObject({ fields: {}, present: [], errcode: undefined });
    expect(nullIs(ABSENT, { onMissing: 'M_MISSING_PARAM' }).errcode).toBe('M_MISSING_PARAM');
  });

  test('null is a key without a value', () => {
    expect(nullIs(PRESENT)).toMatchObject({ fields: {}, present: ['v'], errcode: undefined });
    expect(nullIs(PRESENT, { onMissing: 'M_MISSING_PARAM' }).errcode).toBeUndefined();
  });
});

describe('lenient', () => {
  test('reads a value of the wrong type as null', () => {
    for (const value of [1, [], {}, true, 'a\0'])
      expect(
        read({ v: value }, optional(string('v', { lenient: true, null: PRESENT })), present),
      ).toMatchObject({
        fields: {},
        present: ['v'],
        errcode: undefined,
      });
    expect(read({ v: 1 }, optional(string('v', { lenient: true, null: ABSENT })), present).present).toEqual(
      [],
    );
    expect(
      read({ v: 1 }, string('v', { lenient: true, null: ABSENT, onMissing: 'M_BAD_JSON' })).errcode,
    ).toBe('M_BAD_JSON');
  });

  test('does not exempt values of the right type from other rules', () => {
    const field = optional(
      string('v', { lenient: true, null: PRESENT, maxLength: 1, onLength: 'M_UNKNOWN' }),
    );
    expect(read({ v: 'ab' }, field).errcode).toBe('M_UNKNOWN');
  });
});

test('truthy reads any value as its truth', () => {
  const field = optional(bool('v', { truthy: true }));
  for (const json of ['false', '0', '-0', '""', '[]', '{}', 'null', '0.0', '0e9'])
    expect(accepts(field, json)).toBe(false);
  for (const json of ['true', '1', '"0"', '"false"', '[0]', '{"a":0}', '0.1', '1e400'])
    expect(accepts(field, json)).toBe(true);
  expect(readText('{}', [field]).fields.v).toBeUndefined();
  expect(readText('{"v":0.0}', [field, optional(int64('exact'))]).fields.v).toBe(false);
  expect(
    readText('{"v":null}', [optional(bool('v', { truthy: true, null: ABSENT }))]).fields.v,
  ).toBeUndefined();
});

describe('present_keys', () => {
  test('holds the names of the fields whose keys the body has, in the order of declaration', () => {
    const fields = [present, string('a'), optional(bool('b')), named(string('c'), 'c.key'), string('d')];
    expect(read({ 'c.key': '', b: false, a: '', unknown: 1, c: 1 }, ...fields).present).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(read({}, ...fields).present).toEqual([]);
  });

  test('leaves out fields that were not read', () => {
    const fields = [present, string('a'), bool('b'), string('c')];
    expect(read({ a: '', b: 1, c: '' }, ...fields)).toMatchObject({
      present: ['a'],
      deferred: { field: 'b' },
    });
    expect(readText('[', fields).present).toBeUndefined();
  });
});

describe('json', () => {
  const field = optional(string('v', { json: true, null: PRESENT }));

  test.each(['{"b":[1,"x",null,true]}', '[]', '"text"', '1.0', '-1e-400', '12345678901234567890', 'false'])(
    'takes %s as its text, to the digit',
    (json) => expect(accepts(field, json)).toBe(json),
  );

  test('json is canonical: no white space, no lone surrogates', () => {
    expect(accepts(field, '{ "a" : "\\ud800\\u0000" }')).toBe('{"a":"\ufffd\\u0000"}');
  });

  test('follows the rules for null, also in lists', () => {
    expect(readText('{"v":null}', [field, present])).toMatchObject({ fields: {}, present: ['v'] });
    expect(refuses(string('v', { json: true, onType: 'M_INVALID_PARAM' }), 'null')).toBe('M_INVALID_PARAM');
    expect(accepts(list(string('v', { json: true })), '[{"a":1.50},null]')).toEqual(['{"a":1.50}', 'null']);
  });
});

describe('nested messages', () => {
  const messages = {
    Item: [
      string('medium', { onMissing: 'M_MISSING_PARAM', onType: 'M_INVALID_PARAM' }),
      optional(message('inner', 'Inner', { null: ABSENT })),
    ],
    Inner: [present, bool('flag'), list(message('more', 'Inner'))],
  };
  const field = list(message('items', 'Item', { onType: 'M_UNKNOWN', null: ABSENT }));
  const items = (json: string) => readText(`{"items":${json}}`, [field], messages);

  test('follow the rules of their own fields', () => {
    expect(items('[{"medium":"a"},{}]').deferred).toEqual({
      status: 400,
      errcode: 'M_MISSING_PARAM',
      message: "'items[1].medium' is missing",
      field: 'items',
    });
    expect(items('[{"medium":1}]').errcode).toBe('M_INVALID_PARAM');
    expect(items('[{"medium":"a","inner":{"flag":1}}]').deferred?.message).toBe(
      "'items[0].inner.flag' must be true or false",
    );
    expect(items('[{"medium":"a","inner":null}]').errcode).toBeUndefined();
  });

  test('nested messages that are not objects violate the type of the enclosing field', () => {
    for (const json of ['{}', '[1]', '["a"]', '[null]', '[[]]'])
      expect(items(json).errcode).toBe('M_UNKNOWN');
    expect(items('[{"medium":"a","inner":1}]').errcode).toBe('M_BAD_JSON');
    expect(items('null')).toMatchObject({ fields: { items: [] }, errcode: undefined });
  });

  test('may be recursive', () => {
    const { fields } = items('[{"medium":"a","inner":{"more":[{"flag":true}]}}]');
    expect(fields.items).toMatchObject([
      {
        medium: 'a',
        inner: { present: { paths: ['more'] }, more: [{ flag: true, present: { paths: ['flag'] } }] },
      },
    ]);
  });

  test('may be values of maps', () => {
    const fields = [map(message('v', 'Inner'))];
    expect(readText('{"v":{"a":{"flag":true}}}', fields, messages).fields.v).toMatchObject({
      a: { flag: true },
    });
    expect(readText('{"v":{"a":{"flag":1}}}', fields, messages).deferred?.field).toBe('v');
    expect(readText('{"v":{"a":1}}', fields, messages).deferred?.message).toBe(
      "'v' must be an object of objects",
    );
  });
});

test('no JSON makes it throw, or gives a field a value of the wrong type', () => {
  const keys = fc.constantFrom('s', 'b', 'n', 'l', '__proto__', 'constructor');
  fc.assert(
    fc.property(fc.dictionary(keys, fc.jsonValue()), (body) => {
      const { fields, errcode } = read(body, string('s'), bool('b'), int64('n'), list(string('l')));
      expect([undefined, 'M_BAD_JSON']).toContain(errcode);
      expect(fields).toEqual({
        s: expect.any(String),
        b: expect.any(Boolean),
        n: expect.any(BigInt),
        l: expect.any(Array),
      });
    }),
  );
});
