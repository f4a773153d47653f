import { expect, test } from 'vitest';
import { bind, bool, type FieldSpec, int64, list, string } from './testing/contract.ts';

const read = (params: Record<string, string>, field: FieldSpec) =>
  bind({ http: { pattern: { case: 'get', value: `/x/{${field.name}}` } }, request: [field] }).read({
    params,
    query: `${field.name}=other`,
    body: undefined,
  });

test('a variable is used as the router decoded it', () => {
  expect(read({ user_id: '@a%2F+b:c' }, string('user_id')).message).toMatchObject({ userId: '@a%2F+b:c' });
});

test('a missing variable is empty', () => {
  expect(read({}, string('id'))).toMatchObject({ message: { id: '' } });
  expect(read({}, int64('id')).deferred).toMatchObject({ errcode: 'M_INVALID_PARAM', field: 'id' });
});

test('a number is read as in a query', () => {
  expect(read({ id: ' 7 ' }, int64('id')).message).toMatchObject({ id: 7n });
  for (const id of ['', 'abc', '1.0', '-1'])
    expect(read({ id }, int64('id', { minimum: 0n })).deferred).toMatchObject({
      status: 400,
      errcode: 'M_INVALID_PARAM',
      field: 'id',
    });
  expect(read({ id: 'x' }, int64('id', { onType: 'M_UNKNOWN' })).deferred?.errcode).toBe('M_UNKNOWN');
});

test('a string is limited to its values and its length', () => {
  expect(read({ kind: 'x' }, string('kind', { values: ['a'] })).deferred?.errcode).toBe('M_INVALID_PARAM');
  expect(read({ id: 'abc' }, string('id', { maxLength: 2 })).deferred?.field).toBe('id');
});

test('a string must match its pattern', () => {
  const field = string('user_id', { pattern: '^@[^:]*:', maxLength: 5 });
  for (const userId of ['@:', '@a:b', '@a:b:'])
    expect(read({ user_id: userId }, field)).not.toHaveProperty('deferred');
  for (const userId of ['', '@a', 'a@b:c', '\n@a:b', '@a:bcd']) {
    expect(read({ user_id: userId }, field).deferred).toMatchObject({
      errcode: 'M_INVALID_PARAM',
      field: 'user_id',
    });
  }
});

test('the path can be checked alone', () => {
  const { checkPath } = bind({
    http: { pattern: { case: 'get', value: '/{a}/{b}' } },
    request: [string('q', { onMissing: 'M_MISSING_PARAM' }), bool('a'), int64('b')],
  });
  expect(checkPath({ a: 'true', b: '1' })).toBeUndefined();
  expect(checkPath({ a: 'x', b: 'x' })).toMatchObject({
    status: 400,
    errcode: 'M_INVALID_PARAM',
    field: 'a',
  });
});

test('reading stops at a violation in the path', () => {
  const binding = bind({
    http: { pattern: { case: 'get', value: '/{a}/{b}/{c}' } },
    request: [string('a'), bool('b'), string('c'), string('q', { onMissing: 'M_MISSING_PARAM' })],
  });
  const { message, deferred } = binding.read({
    params: { a: '1', b: 'x', c: '2' },
    query: '',
    body: undefined,
  });
  expect(message).toMatchObject({ a: '1', b: false, c: '', q: '' });
  expect(deferred).toMatchObject({ field: 'b', message: "'b' must be true or false" });
});

test('a list cannot be read from a path', () => {
  expect(() => read({}, list(string('a')))).toThrow("the field 'a' cannot be read from a path");
});
