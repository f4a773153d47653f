import { create, type Message, type MessageInitShape } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Profile } from './profile.ts';
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
  string,
  uint32,
} from './testing/contract.ts';

const writer = (response: readonly FieldSpec[], messages: ContractSpec['messages'] = {}) => {
  const binding = bind({ http: { pattern: { case: 'get', value: '/x' } }, response }, messages);
  return (init: object = {}, profile: Profile = 'native') => {
    const { body } = binding.write(create(binding.method.output, init as MessageInitShape<never>), profile);
    // A plain object is written like the message made of it.
    expect(binding.write(init as Message, profile).body).toBe(body);
    return body;
  };
};

describe('fields without presence', () => {
  test('fields without presence are always written', () => {
    const fields = [
      string('s'),
      bool('b'),
      int32('i'),
      uint32('u'),
      int64('l'),
      double('d'),
      list(string('list')),
      map(string('map')),
    ];
    expect(writer(fields)()).toBe('{"s":"","b":false,"i":0,"u":0,"l":0,"d":0,"list":[],"map":{}}');
  });

  test('have the name of the contract, or their json_name', () => {
    expect(writer([string('user_id'), named(string('algorithm'), 'm.algorithm')])()).toBe(
      '{"user_id":"","m.algorithm":""}',
    );
  });
});

describe('fields with presence', () => {
  test('fields with presence are written when set, zero or not', () => {
    const write = writer(
      [optional(string('s')), optional(bool('b')), optional(int64('n')), message('m', 'M')],
      { M: [] },
    );
    expect(write()).toBe('{}');
    expect(write({ b: false })).toBe('{"b":false}');
    expect(write({ s: '', b: true, n: 0n, m: {} })).toBe('{"s":"","b":true,"n":0,"m":{}}');
  });

  test('fields with presence that are nullable are null when unset', () => {
    const write = writer([optional(string('a', { nullable: true })), message('m', 'M', { nullable: true })], {
      M: [string('x')],
    });
    expect(write()).toBe('{"a":null,"m":null}');
    expect(write({ a: '', m: {} })).toBe('{"a":"","m":{"x":""}}');
  });
});

test('64-bit numbers are written with all digits', () => {
  const write = writer([int64('n'), list(int64('l'))]);
  expect(write({ n: 9223372036854775807n, l: [-9223372036854775808n, 1n] })).toBe(
    '{"n":9223372036854775807,"l":[-9223372036854775808,1]}',
  );
});

test('doubles that JSON cannot hold are null', () => {
  const write = writer([double('d'), list(double('l'))]);
  expect(write({ d: 0.1, l: [1e21, -0] })).toBe('{"d":0.1,"l":[1e+21,0]}');
  expect(write({ d: Number.NaN, l: [Number.POSITIVE_INFINITY] })).toBe('{"d":null,"l":[null]}');
});

test('bit is 0 or 1', () => {
  const write = writer([bool('admin', { bit: true }), optional(bool('guest', { bit: true })), bool('plain')]);
  expect(write({ admin: true, guest: false })).toBe('{"admin":1,"guest":0,"plain":false}');
  expect(write({ admin: true, guest: false }, 'compat')).toBe('{"admin":1,"guest":0,"plain":false}');
});

test('compat_bool makes a bit a boolean in the compatibility profile', () => {
  const write = writer([bool('admin', { bit: true, compatBool: true })]);
  expect(write({ admin: true })).toBe('{"admin":1}');
  expect(write({ admin: true }, 'compat')).toBe('{"admin":true}');
});

test('compat_spellings replaces whole strings in the compatibility profile', () => {
  const rules = { compatSpellings: [{ value: 'a"', compat: 'b"' }] };
  const write = writer([string('s', rules), optional(string('o', rules))]);
  expect(write({ s: 'a"', o: 'a"' })).toBe('{"s":"a\\"","o":"a\\""}');
  expect(write({ s: 'a"', o: 'a"' }, 'compat')).toBe('{"s":"b\\"","o":"b\\""}');
  expect(write({ s: 'aa"' }, 'compat')).toBe('{"s":"aa\\""}');
});

test('compat_seconds is milliseconds, and whole seconds in the compatibility profile', () => {
  const write = writer([
    int64('ts', { compatSeconds: true }),
    optional(int64('seen', { compatSeconds: true })),
  ]);
  expect(write({ ts: 1999n, seen: 1000n })).toBe('{"ts":1999,"seen":1000}');
  expect(write({ ts: 1999n, seen: 1000n }, 'compat')).toBe('{"ts":1,"seen":1}');
});

test('flatten replaces a message by its fields', () => {
  const write = writer([message('user', 'User', { flatten: true }), bool('extra')], {
    User: [string('name'), message('profile', 'Profile', { flatten: true })],
    Profile: [optional(string('avatar'))],
  });
  expect(write({ user: { name: 'n', profile: { avatar: 'a' } }, extra: true })).toBe(
    '{"name":"n","avatar":"a","extra":true}',
  );
  expect(write({ user: { name: 'n', profile: {} } })).toBe('{"name":"n","extra":false}');
  expect(write()).toBe('{"extra":false}');
});

test('json is written unchanged', () => {
  const write = writer([
    string('content', { json: true }),
    optional(string('event', { json: true, nullable: true })),
    list(string('state', { json: true })),
    map(string('data', { json: true })),
  ]);
  expect(write({ content: '{"a":1.0}', event: '[ ]', state: ['{}', '1'], data: { k: '"v"' } })).toBe(
    '{"content":{"a":1.0},"event":[ ],"state":[{},1],"data":{"k":"v"}}',
  );
  expect(write()).toBe('{"content":null,"event":null,"state":[],"data":{}}');
});

describe('lists and maps', () => {
  const messages = { Row: [string('id'), list(message('rows', 'Row')), map(message('by_id', 'Row'))] };

  test('hold messages, which may be recursive', () => {
    const write = writer([list(message('rows', 'Row')), map(message('by_id', 'Row'))], messages);
    expect(JSON.parse(write({ rows: [{ id: 'a', rows: [{ id: 'b' }] }], byId: { x: { id: 'c' } } }))).toEqual(
      {
        rows: [{ id: 'a', rows: [{ id: 'b', rows: [], by_id: {} }], by_id: {} }],
        by_id: { x: { id: 'c', rows: [], by_id: {} } },
      },
    );
  });

  test('hold every kind of scalar', () => {
    const write = writer([
      list(bool('b')),
      list(int32('i')),
      list(string('s')),
      map(bool('m')),
      map(int64('l')),
    ]);
    expect(write({ b: [true, false], i: [1, -1], s: ['x', ''], m: { '': true }, l: { 'a"b': 1n } })).toBe(
      '{"b":[true,false],"i":[1,-1],"s":["x",""],"m":{"":true},"l":{"a\\"b":1}}',
    );
  });

  test('with omit_empty are left out when empty', () => {
    const rules = { omitEmpty: true };
    const write = writer([string('a'), list(string('l', rules)), map(message('m', 'Row', rules))], messages);
    expect(write()).toBe('{"a":""}');
    expect(write({ l: [''], m: { x: { id: 'b' } } })).toBe(
      '{"a":"","l":[""],"m":{"x":{"id":"b","rows":[],"by_id":{}}}}',
    );
  });

  test('lists and maps are written at length', () => {
    const write = writer([list(message('rows', 'Row'))], messages);
    const rows = Array.from({ length: 10_000 }, (_, i) => ({ id: `row ${i}` }));
    expect(JSON.parse(write({ rows })).rows).toHaveLength(10_000);
  });
});

test('any string is written as JSON that parses as the same string', () => {
  const write = writer([
    string('s'),
    list(string('l')),
    map(string('m')),
    named(string('k'), 'odd"key\u2028\\'),
  ]);
  const text = fc.string({ unit: 'binary' });
  const value = fc.record({ s: text, l: fc.array(text), m: fc.dictionary(text, text), k: text });
  fc.assert(
    fc.property(value, ({ s, l, m, k }) => {
      // Compared as entries, because __proto__ is an ordinary key.
      const { m: read, ...rest } = JSON.parse(write({ s, l, m, k }));
      expect(rest).toEqual({ s, l, 'odd"key\u2028\\': k });
      expect(Object.entries(read)).toEqual(Object.entries(m));
    }),
  );
});
