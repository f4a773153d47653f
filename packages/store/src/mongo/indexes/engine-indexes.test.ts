import { expect, it } from 'vitest';
import { type CollectionDeclaration, type Doc, declareCollection } from '../../port/declaration.ts';
import { engineIndexes } from './engine-indexes.ts';

interface Item extends Doc {
  readonly group: string;
  readonly rank?: number;
  readonly code?: string;
  readonly text: string;
  readonly parts: readonly { readonly key: string }[];
  readonly inner: { readonly text: string };
}

const declare = (more: Partial<CollectionDeclaration<Item>>) =>
  declareCollection<Item>({ name: 'test.items', shardKey: null, arrays: ['parts'], indexes: [], ...more });

it('ends an index with the id, unless that would make it hold every document', () => {
  const indexes = engineIndexes(
    declare({
      indexes: [
        { name: 'plain', keys: [['group', -1]] },
        { name: 'ended', keys: [['_id', -1]] },
        { name: 'unique', keys: [['code', 1]], unique: true },
        { name: 'elements', keys: [['parts.key', 1]], sparse: true },
      ],
    }),
  );
  expect(indexes).toEqual([
    { name: 'plain', key: { group: -1, _id: 1 } },
    { name: 'ended', key: { _id: -1 } },
    { name: 'unique', key: { code: 1 }, unique: true },
    { name: 'elements', key: { 'parts.key': 1 }, sparse: true },
  ]);
});

it('excludes the documents to which a unique index does not apply', () => {
  const [sparse, unique, several] = engineIndexes(
    declare({
      indexes: [
        { name: 'sparse', keys: [['rank', 1]], sparse: true },
        { name: 'unique', keys: [['code', 1]], sparse: true, unique: true },
        {
          name: 'several',
          keys: [
            ['rank', 1],
            ['code', 1],
          ],
          sparse: true,
          unique: true,
        },
      ],
    }),
  );
  expect(sparse).toMatchObject({
    key: { rank: 1, _id: 1 },
    partialFilterExpression: { rank: { $exists: true } },
  });
  expect(unique).toEqual({ name: 'unique', key: { code: 1 }, unique: true, sparse: true });
  expect(several).toMatchObject({
    unique: true,
    partialFilterExpression: { rank: { $exists: true }, code: { $exists: true } },
  });
});

it('adds an index for the tally only where none covers it', () => {
  const covering = { name: 'covering', keys: [['group', 1]] } as const;
  const names = (indexes: CollectionDeclaration<Item>['indexes']) =>
    engineIndexes(declare({ tally: 'group', indexes })).map(({ name }) => name);
  expect(names([covering])).toEqual(['covering']);
  expect(names([{ ...covering, sparse: true }])).toEqual(['covering', 'tally.path']);
});

it('indexes the grams of each search field, at the top level only', () => {
  expect(engineIndexes(declare({ search: ['text'] }))).toEqual([
    { name: 'grams.text', key: { '_grams.text': 1 } },
  ]);
  expect(() => engineIndexes(declare({ search: ['inner.text'] }))).toThrow(TypeError);
});
