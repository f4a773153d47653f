import { expect, test } from 'vitest';
import { exampleOf, exampleOfParameter } from './example.ts';

const string = { type: 'string' };
const components = {
  Account: {
    type: 'object',
    properties: {
      user_id: string,
      displayname: { type: ['string', 'null'] },
      created_ts: { type: 'integer' },
      consent: { type: ['string', 'null'] },
      locked: { type: 'boolean' },
      unheard_of: string,
      kind: { type: 'string', enum: ['bot', 'support'] },
      others: { type: 'array', items: { $ref: '#/components/schemas/Account' } },
    },
    required: ['locked'],
  },
};
const $ref = '#/components/schemas/Account';

test('answers show every field, and end where a message contains itself', () => {
  const account = exampleOf({ $ref }, components, 'output') as Record<string, unknown>;
  expect(account).toMatchObject({
    user_id: '@alice:example.org',
    displayname: 'Alice',
    created_ts: 1_704_067_200_000,
    consent: null,
    locked: false,
    unheard_of: 'text',
    kind: 'bot',
  });
  expect(JSON.stringify(account).length).toBeLessThan(10_000);
});

test('requests show required fields and typical values', () => {
  expect(exampleOf({ $ref }, components, 'input')).toEqual({
    user_id: '@alice:example.org',
    displayname: 'Alice',
    locked: true,
  });
});

test('maps have typical keys for their names', () => {
  const map = (values: object) => ({ type: 'object', additionalProperties: values });
  const answer = {
    type: 'object',
    properties: { memberships: map(string), one_time_keys: map(map(string)) },
  };
  expect(exampleOf(answer, components, 'output')).toEqual({
    memberships: { '!wonderland:example.org': 'join' },
    one_time_keys: { '@alice:example.org': { JLAFKJWSCS: 'text' } },
  });
});

test('a typical value is used where any value is admitted', () => {
  const answer = { type: 'object', properties: { mac: {}, content: {}, children: {} } };
  expect(exampleOf(answer, components, 'output')).toEqual({
    mac: expect.any(String),
    content: { msgtype: 'm.text', body: 'Hello' },
    children: {},
  });
});

test('a typical value is skipped where the schema does not admit it', () => {
  expect(exampleOfParameter('limit', { type: 'integer' })).toBe(10);
  expect(exampleOfParameter('limit', { type: 'string' })).toBeUndefined();
  expect(exampleOfParameter('user_id', { ...string, pattern: '^#' })).toBeUndefined();
  expect(exampleOfParameter('dir', { ...string, enum: ['b'] })).toBeUndefined();
  expect(exampleOfParameter('chunk', { type: 'array', items: { $ref } })).toBeUndefined();
});
