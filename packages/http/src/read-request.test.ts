import { Body } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { describe, expect, test } from 'vitest';
import { bind, int64, type MethodSpec, message, optional, present, string } from './testing/contract.ts';

const encode = (body: unknown) =>
  new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));

const spec: MethodSpec = {
  http: { pattern: { case: 'put', value: '/x/{id}' }, body: '*' },
  rules: { body: Body.REQUIRED },
  request: [
    present,
    string('id'),
    optional(string('early', { query: true })),
    optional(string('name')),
    optional(int64('late', { query: true })),
    optional(string('last')),
  ],
};

const read = (query: string, body: unknown) =>
  bind(spec).read({ params: { id: 'me' }, query, body: body === undefined ? undefined : encode(body) });

test('each field has one source: path, query, body', () => {
  expect(read('early=e&late=1&name=no&id=no', { name: 'n', early: 'no', id: 'no' })).toEqual({
    message: expect.objectContaining({
      id: 'me',
      early: 'e',
      name: 'n',
      late: 1n,
      present: expect.anything(),
    }),
  });
});

test('keys that name a field of the path or the query do not count as present', () => {
  const { message } = read('', { id: 1, early: 1, last: '' });
  expect(message).toMatchObject({ present: { paths: ['last'] } });
});

describe('a violation', () => {
  test('of the body as a whole precedes those of fields, and names no field', () => {
    expect(read('late=x', '{').deferred).toEqual({
      status: 400,
      errcode: 'M_NOT_JSON',
      message: 'The body is not JSON',
    });
    expect(read('', undefined).deferred?.message).toBe('The body is empty');
    expect(read('', '[]').deferred).toMatchObject({ errcode: 'M_BAD_JSON' });
  });

  test('of the body as a whole does not keep the query from being read', () => {
    expect(read('early=e&late=5', '{').message).toMatchObject({ id: 'me', early: 'e', late: 5n });
    expect(read('early=e&late=x', '{').message).toMatchObject({ early: 'e' });
  });

  test('of a field stops the reading, in the query and in the body', () => {
    const inBody = read('early=e&late=5', { name: 1, last: 'l' });
    expect(inBody.deferred?.field).toBe('name');
    expect(inBody.message).toMatchObject({ early: 'e', present: { paths: [] } });
    expect(inBody.message).not.toHaveProperty('late');
    const inQuery = read('late=x', { name: 'n', last: 1 });
    expect(inQuery.deferred?.field).toBe('late');
    expect(inQuery.message).toMatchObject({ name: 'n', present: { paths: ['name'] } });
  });
});

test('an ignored body is not read', () => {
  const ignoring = bind({
    http: { pattern: { case: 'post', value: '/x' } },
    request: [optional(string('name'))],
  });
  const { message, deferred } = ignoring.read({ params: {}, query: 'name=q', body: encode('{') });
  expect(deferred).toBeUndefined();
  expect(message).toMatchObject({ name: 'q' });
});

test('an optional body may be empty', () => {
  const lenient = bind({ ...spec, rules: { body: Body.OPTIONAL } });
  expect(lenient.read({ params: {}, query: '', body: new Uint8Array() })).toMatchObject({
    message: { present: { paths: [] } },
  });
  expect(lenient.read({ params: {}, query: '', body: encode(' ') }).deferred?.errcode).toBe('M_NOT_JSON');
});

test('a whole body can be one field of JSON text, the others are in the query', () => {
  const binding = bind({
    http: { pattern: { case: 'put', value: '/x/{id}' }, body: 'content' },
    rules: { body: Body.REQUIRED },
    request: [string('id'), string('content', { json: true }), optional(int64('ts'))],
  });
  const input = { params: { id: 'i' }, query: 'ts=5' };
  expect(binding.read({ ...input, body: encode('{"content": 1.0, "ts": 6}') }).message).toMatchObject({
    id: 'i',
    content: '{"content":1.0,"ts":6}',
    ts: 5n,
  });
  expect(binding.read({ ...input, body: encode('[]') })).toMatchObject({
    message: { content: '', ts: 5n },
    deferred: { errcode: 'M_BAD_JSON' },
  });
});

test('a key that no field reads is ignored, or refused where it is declared so', () => {
  const body = { name: 'n', nome: 'n' };
  expect(read('', body).deferred).toBeUndefined();
  const strict = bind({ ...spec, rules: { ...spec.rules, refusesUnknownKeys: true } });
  const readStrictly = (sent: object) =>
    strict.read({ params: { id: 'me' }, query: 'early=e', body: encode(sent) }).deferred;
  expect(readStrictly({ name: 'n' })).toBeUndefined();
  // Neither do fields of the path and of the query read the body.
  for (const key of ['nome', 'id', 'early', '__proto__', 'constructor'])
    expect(readStrictly(JSON.parse(`{"name": "n", "${key}": "x"}`))).toEqual({
      status: 400,
      errcode: 'M_INVALID_PARAM',
      message: `'${key}' is not a key of this request`,
      field: key,
    });
});

test('requests do not share state', () => {
  const binding = bind(spec);
  binding.read({ params: { id: 'a' }, query: 'early=x', body: encode({ name: 'n' }) });
  const { message } = binding.read({ params: { id: 'b' }, query: '', body: encode({}) });
  expect(message).toMatchObject({ id: 'b', present: { paths: [] } });
  expect(message).not.toHaveProperty('name');
});

describe('a flattened message', () => {
  const flattened: MethodSpec = {
    ...spec,
    request: [present, message('target', 'Target', { flatten: true }), optional(string('last'))],
  };
  const Target = [string('id'), optional(int64('late', { query: true })), optional(string('name'))];
  const readFlat = (query: string, body: unknown) =>
    bind(flattened, { Target }).read({ params: { id: 'me' }, query, body: encode(body) });

  test('is read from path, query and body as if its fields were those of the request', () => {
    expect(readFlat('late=1', { name: 'n', last: 'l', target: { name: 'no' } }).message).toMatchObject({
      target: { id: 'me', late: 1n, name: 'n' },
      present: { paths: ['name', 'last'] },
      last: 'l',
    });
  });

  test('is present when none of its fields is sent, also after a violation', () => {
    expect(readFlat('', {}).message).toMatchObject({ target: { id: 'me' } });
    const { message, deferred } = readFlat('late=x', { name: 'n' });
    expect(deferred).toMatchObject({ field: 'late', errcode: 'M_INVALID_PARAM' });
    expect(message).toMatchObject({ target: { id: 'me' } });
  });

  test('has violations of its fields without its own name', () => {
    expect(readFlat('', { name: 1 }).deferred).toMatchObject({ field: 'name', errcode: 'M_BAD_JSON' });
  });
});
