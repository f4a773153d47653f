import { type Aggregate, declareAggregate } from '@steward/service';
import { expect, it } from 'vitest';
import { ofAggregate, stillToDo } from './common-kinds.ts';
import { id, jsonText, list, nullable, object, optional, whole } from './field.ts';
import { parseRecord } from './parse-record.ts';
import { recordKind } from './record-kind.ts';

interface Thing extends Aggregate {
  readonly owner: string;
  readonly parts: readonly { readonly size: number; readonly note: string | null }[];
  readonly data?: string;
  readonly total: number;
}

const things = recordKind<Thing, 'total'>({
  name: 'things',
  about: 'A thing.',
  collection: declareAggregate<Thing>({ name: 'test.things', shardKey: null, indexes: [] }),
  key: ['thing', 'The id.'],
  owner: 'owner',
  fields: {
    ...ofAggregate,
    owner: id('The owner.'),
    parts: list(object('The parts.', { size: whole('The size.'), note: nullable(id('A note.')) })),
    data: optional(jsonText('Data.')),
    pending: stillToDo(),
  },
  derived: { total: ({ parts }) => parts.reduce((sum, { size }) => sum + size, 0) },
});

const THING: Thing = { _id: 'a', version: 3, owner: '@a:test', parts: [{ size: 2, note: null }], total: 2 };
const RECORD = { thing: 'a', version: 3, owner: '@a:test', parts: [{ size: 2, note: null }] };

it('makes a record of a document, and the same document of the record', () => {
  expect(JSON.stringify(things.write({ ...THING, pending: [] } as Thing))).toBe(JSON.stringify(RECORD));
  expect(things.read(RECORD)).toEqual(THING);
});

it.each<[problem: string, record: object]>([
  ['there is no field colour', { ...RECORD, colour: 'red' }],
  ['there is no field parts.weight', { ...RECORD, parts: [{ size: 1, note: null, weight: 1 }] }],
  ['parts.size is missing', { ...RECORD, parts: [{ note: null }] }],
  ['parts.size is not a whole number', { ...RECORD, parts: [{ size: 1.5, note: null }] }],
  ['owner is missing', { ...RECORD, owner: undefined }],
  ['thing is not an id: it must be text without control characters', { ...RECORD, thing: 'a\u0000' }],
  ['owner is not an id: it must be text without control characters', { ...RECORD, owner: '\ud800' }],
  ['data is not JSON in a text', { ...RECORD, data: '{' }],
])('refuses a record: %s', (problem, record) => {
  expect(() => things.read(record as never)).toThrow(problem);
});

it.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":{"b":1,"c":[{"d":1},{"d":1}],"b":2}}', 'b'],
  ['{"a":1,"\\u0061":2}', 'a'],
])('refuses a repeated key: %s', (line, key) => {
  expect(() => parseRecord(line)).toThrow(`the key ${key} is repeated`);
});

it('reads keys that texts and other objects contain, too', () => {
  const record = { a: '"a":{', b: { a: [{ a: 1 }, { a: 2 }], '\\"': '' }, c: [] };
  expect(parseRecord(JSON.stringify(record))).toEqual(record);
});
