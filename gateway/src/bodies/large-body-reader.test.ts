import { create } from '@bufbuild/protobuf';
import { toRefusal } from '@steward/errors';
import { compile } from '@steward/http';
import {
  type PutAccountDataRequest,
  PutAccountDataRequestSchema,
} from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { expect, it, onTestFinished } from 'vitest';
import { services } from '../services.ts';
import { createLargeBodyReader } from './large-body-reader.ts';

const bindings = compile(services);

function open() {
  const reader = createLargeBodyReader();
  onTestFinished(() => reader.close());
  const binding = bindings.find(({ method }) => method.input === PutAccountDataRequestSchema);
  if (!binding) throw new Error('There is no such binding');
  const read = (text: string, by = '@alice:test') => {
    const params = { user_id: '@alice:test', type: 'x' };
    return reader.read(binding, { params, query: '', body: new TextEncoder().encode(text) }, by);
  };
  return { binding, read };
}

it('reads a request as its binding does', async () => {
  const { binding, read } = open();
  const text = `{"exact":1.0,"__proto__":{"a":[]},"text":"${'ü'.repeat(100_000)}"}`;
  const params = { user_id: '@alice:test', type: 'x' };
  const body = new TextEncoder().encode(text);
  const result = await read(text);
  expect(result).toEqual(binding.read({ params, query: '', body }));
  expect((result.message as PutAccountDataRequest).content).toBe(text);
});

it('returns the violation with what was read before it', async () => {
  const { read } = open();
  expect(await read('[]')).toEqual({
    message: create(PutAccountDataRequestSchema, { userId: '@alice:test', type: 'x' }),
    deferred: { status: 400, errcode: 'M_BAD_JSON', message: 'The body must be a JSON object' },
  });
});

it('refuses a body when too many wait, and reads the others', async () => {
  const { read } = open();
  const results = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => read('{}', `@${n}:test`)));
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused).toHaveLength(8);
  expect(toRefusal(refused[0]).status).toBe(503);
});

it('refuses a body when too many of its caller wait, and reads those of others in turn', async () => {
  const { read } = open();
  const order: string[] = [];
  const many = Array.from({ length: 20 }, () => read('{}', '@many:test').then(() => order.push('many')));
  const results = Promise.allSettled(many);
  await read('{}', '@other:test');
  expect(order.length).toBeLessThan(6);
  const refused = (await results).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused.map((reason) => toRefusal(reason).status)).toEqual([429, 429]);
});

it('does not block other work', async () => {
  const { read } = open();
  const order: string[] = [];
  const reading = read('{}').then(() => order.push('read'));
  setImmediate(() => order.push('other work'));
  await reading;
  expect(order).toEqual(['other work', 'read']);
});
