import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { callOperation } from '../core/operation.ts';
import { operations as table } from '../gen/operations.ts';
import { nameOperation } from './names.ts';
import type { OpenApiDocument } from './openapi.ts';
import { pagingOf } from './paging.ts';
import { ADMIN_PREFIX, RAW_BODY, readOperations } from './read-operations.ts';
import { writeType } from './write-types.ts';

const document: OpenApiDocument = JSON.parse(
  readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'),
);
const operations = readOperations(document);

/** Lists by name whose answer is not a list of items but an object by id or type. */
const MAPS = ['AccountDataService_ListAccountData', 'UserRoomService_ListUserMemberships'];

test('every administrative operation of the document is called by one name', () => {
  const described = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(ADMIN_PREFIX))
    .flatMap(([, verbs]) => Object.values(verbs).map(({ operationId }) => operationId));
  const reached = operations.flatMap(({ operationId, aliases }) => [operationId, ...aliases]);
  expect(reached.toSorted()).toEqual(described.toSorted());
  expect(Object.values(table).flatMap((group) => Object.keys(group))).toHaveLength(operations.length);
});

test('names are identifiers of one word for the group and begin with a verb', () => {
  for (const { group, name } of operations) {
    expect(`${group}.${name}`).toMatch(/^[a-z][a-zA-Z]*\.[a-z][a-zA-Z]*$/);
  }
});

test('services without an entry in the table are named by the rule', () => {
  expect(nameOperation('WebhookService_ListWebhooks', 'Webhook')).toEqual({
    group: 'webhooks',
    name: 'list',
  });
  expect(nameOperation('WebhookService_RotateWebhookSecret', 'Webhook')).toEqual({
    group: 'webhooks',
    name: 'rotateSecret',
  });
  expect(nameOperation('PolicyService_ListPolicies', 'Policy')).toEqual({ group: 'policies', name: 'list' });
});

test('every list is recognised, and every one with a position continues', () => {
  const unrecognised = operations.filter(
    ({ operationId, verb, paging }) =>
      verb === 'GET' && operationId.includes('_List') && paging === undefined,
  );
  expect(unrecognised.map(({ operationId }) => operationId).toSorted()).toEqual(MAPS);
  const endless = operations.filter(
    ({ verb, parameters, paging }) =>
      verb === 'GET' &&
      parameters.some(({ name }) => name === 'from' || name === 'after') &&
      paging?.cursor === undefined,
  );
  expect(endless.map(({ operationId }) => operationId)).toEqual([]);
});

test('every answer with several lists says which one has the items', () => {
  const paging = operations.find(({ group, name }) => `${group}.${name}` === 'reports.list')?.paging;
  expect(paging?.variants).toEqual([{ parameter: 'group', value: 'subject', items: 'cases' }]);
  expect(() => pagingOf({ items: 'a' }, [], { properties: { b: { type: 'array' } } })).toThrow('no list a');
  const answer = { properties: { a: { type: 'array' }, next: { type: 'string' } } };
  expect(() => pagingOf({ items: 'a', from: 'from', next: 'next' }, [], answer)).toThrow('query has no from');
  expect(() => pagingOf({ items: 'a', from: 'f', next: 'end' }, ['f'], answer)).toThrow('no field end');
});

test('a nullable choice has the type null', () => {
  expect(writeType({ type: ['string', 'null'], enum: ['all', null] })).toBe("'all' | null");
});

test('every operation sends its parameters to where the document has them', async () => {
  for (const operation of operations) {
    const { group, name, parameters, verb, path } = operation;
    const traits = table[group]?.[name];
    if (traits === undefined) throw new Error(`${group}.${name} is missing`);
    const values = Object.fromEntries(
      parameters.map((parameter) => [parameter.name, `${parameter.name} ü/`]),
    );
    const sent = await new Promise<{ method: string; path: string; body?: unknown }>((resolve) => {
      const result = callOperation(
        (request) => {
          resolve(request);
          return new Promise(() => {});
        },
        name,
        traits,
        values,
      );
      Promise.resolve(result).catch(() => {});
    });
    const at = (place: string) => parameters.filter((parameter) => parameter.in === place);
    const encoded = path.replace(/\{(\w+)\}/g, (_, parameter) => encodeURIComponent(`${parameter} ü/`));
    const url = new URL(sent.path, 'http://localhost');
    expect(`${sent.method} ${url.pathname}`).toBe(`${verb} ${encoded}`);
    expect([...url.searchParams.keys()].toSorted()).toEqual(
      at('query')
        .map((one) => one.name)
        .toSorted(),
    );
    if (operation.hasRawBody) {
      expect(sent.body).toBe(`${RAW_BODY} ü/`);
      continue;
    }
    const body = sent.body === undefined ? [] : Object.keys(JSON.parse(String(sent.body)));
    expect(body.toSorted()).toEqual(
      at('body')
        .map((one) => one.name)
        .toSorted(),
    );
    expect(sent.body !== undefined).toBe(operation.hasBody);
  }
});
