import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { bind, bool, list, type MethodSpec, map, message, optional, string } from './testing/contract.ts';

const http = { pattern: { case: 'get', value: '/x' } } as const;

const answer = (spec: MethodSpec, init: object = {}) => {
  const { method, write } = bind({ http, ...spec }, { Row: [string('id')] });
  const made = create(method.output, init as MessageInitShape<never>);
  return { native: write(made, 'native'), compat: write(made, 'compat') };
};

test('a success is 200', () => {
  expect(answer({})).toEqual({ native: { status: 200, body: '{}' }, compat: { status: 200, body: '{}' } });
});

test('a success with created is 201, and created is not written', () => {
  const spec = { response: [bool('created', { created: true }), string('name')] };
  expect(answer(spec, { created: true }).native).toEqual({ status: 201, body: '{"name":""}' });
  expect(answer(spec, { created: true }).compat.status).toBe(201);
  expect(answer(spec).native).toEqual({ status: 200, body: '{"name":""}' });
});

test('compat_status is the status in the compatibility profile', () => {
  const { native, compat } = answer({ rules: { compatStatus: 201 } });
  expect([native.status, compat.status]).toEqual([200, 201]);
});

describe('response_body', () => {
  const body = (response: MethodSpec['response'] & object, init?: object) =>
    answer({ http: { ...http, responseBody: 'it' }, response }, init).native.body;

  test('makes one field the whole body', () => {
    expect(body([list(message('it', 'Row')), string('other')], { it: [{ id: 'a' }] })).toBe('[{"id":"a"}]');
    expect(body([map(string('it'))], { it: { a: 'b' } })).toBe('{"a":"b"}');
    expect(body([string('it', { json: true })], { it: '{"a":1}' })).toBe('{"a":1}');
  });

  test('response_body is a list, a map or JSON text', () => {
    for (const field of [string('it'), message('it', 'Row'), optional(string('it', { json: true }))])
      expect(() => body([field])).toThrow("response_body names 'it', which is not a list, map or JSON text");
    expect(() => body([string('other')])).toThrow("response_body names 'it', which is not a field");
  });
});
