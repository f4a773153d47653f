import { expect, it } from 'vitest';
import { type CollectionDeclaration, type Doc, declareCollection } from '../port/declaration.ts';
import { firstId } from '../port/shard-key-of-id.ts';
import { routeOf } from './route-of.ts';
import type { IssuedQuery } from './watch-queries.ts';

interface Item extends Doc {
  readonly user_id: string;
  readonly kind: string;
  readonly due?: number;
}

const items = declareCollection<Item>({
  name: 'test.items',
  shardKey: '_id',
  indexes: [
    { name: 'due', keys: [['due', 1]], sparse: true },
    { name: 'kind', keys: [['kind', 1]] },
  ],
});

const route = (
  operation: string,
  filter: object,
  options: IssuedQuery['options'] = {},
  declaration: Partial<CollectionDeclaration<Item>> = {},
) => {
  const declared = { ...items, ...declaration } as unknown as CollectionDeclaration<Doc>;
  return routeOf({ declaration: declared, operation, filter, options });
};

it('knows which queries reach one shard', () => {
  expect(route('find', { _id: 'a' })).toBe('one');
  expect(route('updateMany', { $and: [{ _id: { $in: ['a', 'b'] } }, { kind: 'x' }] })).toBe('one');
  const byUser = { shardKey: 'user_id' } as const;
  expect(route('find', { user_id: '@a:test', due: { $gt: 5 } }, {}, byUser)).toBe('one');
  expect(route('findOne', { _id: '@a:test x' }, {}, { ...byUser, shardKeyOfId: firstId })).toBe('one');
  expect(route('find', {}, {}, { shardKey: null })).toBe('one');
});

it('knows what the shards return for other queries', () => {
  expect(route('find', { kind: 'x' }, { limit: 10 })).toBe('all, few documents');
  expect(route('findOne', { kind: 'x' })).toBe('all, few documents');
  expect(route('deleteMany', { user_id: '@a:test' })).toBe('all, few documents');
  expect(route('find', { due: { $lte: 5 } })).toBe('all, few documents');
  expect(route('countDocuments', { kind: 'x' })).toBe('all, counted');
  expect(route('find', { kind: 'x' })).toBe('all, any number');
  expect(route('find', { _id: { $gt: 'a' } })).toBe('all, any number');
  expect(route('find', { $or: [{ _id: 'a' }, { kind: 'x' }] })).toBe('all, any number');
});

it('knows which writes a cluster refuses', () => {
  const byUser = { shardKey: 'user_id' } as const;
  expect(route('updateOne', { _id: 'a' }, { upsert: true }, byUser)).toBe('refused');
  expect(route('findOneAndUpdate', { kind: 'x' })).toBe('refused');
});
