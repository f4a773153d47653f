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

test('answers show everything that they may hold, and end where messages hold themselves', () => {
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

test('requests show what is required and what is typical', () => {
  expect(exampleOf({ $ref }, components, 'input')).toEqual({
    user_id: '@alice:example.org',
    displayname: 'Alice',
    locked: true,
  });
});

test('maps have keys of the kind that their names let expect', () => {
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

test('what is typical is admitted where anything is', () => {
  const answer = { type: 'object', properties: { mac: {}, content: {}, children: {} } };
  expect(exampleOf(answer, components, 'output')).toEqual({
    mac: expect.any(String),
    content: { msgtype: 'm.text', body: 'Hello' },
    children: {},
  });
});

test('what is typical gives way to what a schema admits', () => {
  expect(exampleOfParameter('limit', { type: 'integer' })).toBe(10);
  expect(exampleOfParameter('limit', { type: 'string' })).toBeUndefined();
  expect(exampleOfParameter('user_id', { ...string, pattern: '^#' })).toBeUndefined();
  expect(exampleOfParameter('dir', { ...string, enum: ['b'] })).toBeUndefined();
  expect(exampleOfParameter('chunk', { type: 'array', items: { $ref } })).toBeUndefined();
});
