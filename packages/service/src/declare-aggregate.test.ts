import { systemRandom } from '@steward/kernel';
import { Conflict, type Doc, declareCollection, openSqliteStore, type Store } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Aggregate, PendingEffect } from './aggregate.ts';
import { declareAggregate } from './declare-aggregate.ts';
import { defineAggregate } from './define-aggregate.ts';
import { type OpenedCollections, openCollections } from './open-collections.ts';
import { changeAggregates, deleteAggregates, insertAggregates } from './write-aggregates.ts';

interface Account extends Aggregate {
  readonly name: string;
  readonly tags: readonly string[];
  readonly seen_ts?: number;
  readonly bytes?: number;
}

const list = {
  accounts: declareAggregate<Account, 'seen_ts' | 'bytes'>({
    name: 'test.accounts',
    shardKey: '_id',
    arrays: ['tags'],
    indexes: [{ name: 'by_tag', keys: [['tags', 1]] }],
    unversioned: ['seen_ts', 'bytes'],
  }),
  plain: declareAggregate<Account>({ name: 'test.plain', shardKey: '_id', indexes: [] }),
  notes: declareCollection<Doc>({ name: 'test.notes', shardKey: '_id', indexes: [] }),
};

type Collections = OpenedCollections<typeof list>;

const account = (_id: string): Account => ({ _id, version: 1, name: 'a', tags: ['x'] });

let store: Store;
let opened: Collections;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  opened = await openCollections(store, list);
});
afterEach(() => store.close());

it('adds the index over pending effects to the declaration', () => {
  expect(list.accounts).toMatchObject({
    arrays: ['tags', 'pending'],
    indexes: [{ name: 'by_tag' }, { name: 'pending', sparse: true }],
    unversioned: ['seen_ts', 'bytes'],
  });
  expect(() => declareAggregate<Account>({ name: 'accounts', shardKey: '_id', indexes: [] })).toThrow(
    TypeError,
  );
});

it('opens aggregates for reading, and other collections for writing', async () => {
  await opened.notes.insertOne({ _id: 'n' });
  await insertAggregates(opened.accounts, [account('a'), account('b')]);
  expect(await opened.accounts.findOne({ _id: 'a' })).toEqual(account('a'));
  expect(await opened.accounts.find({ tags: 'x' }, { sort: { _id: -1 } }).toArray()).toEqual([
    account('b'),
    account('a'),
  ]);
  expect(await opened.accounts.countDocuments({ name: 'a' })).toBe(2);
  expect(
    await opened.accounts.groups({}, { by: 'name', sum: 'version', order: 'count', direction: 1 }),
  ).toEqual({
    groups: [{ value: 'a', count: 2, sum: 2 }],
    total: 1,
  });
  expect(await opened.plain.findOne({ _id: 'a' })).toBeNull();
});

it('writes unversioned fields without a commit', async () => {
  const { unversioned } = opened.accounts;
  await insertAggregates(opened.accounts, [account('a'), account('b')]);
  await unversioned.updateOne({ _id: 'a' }, { $max: { seen_ts: 5 } });
  await unversioned.updateMany({ name: 'a' }, { $inc: { bytes: 2 } });
  await unversioned.bulkWrite([
    { updateOne: { filter: { _id: 'b' }, update: { $set: { seen_ts: 7 } } } },
    { updateMany: { filter: {}, update: { $inc: { bytes: 1 } } } },
  ]);
  expect(
    await unversioned.findOneAndUpdate(
      { _id: 'a' },
      { $unset: { bytes: true } },
      { returnDocument: 'after' },
    ),
  ).toEqual({ ...account('a'), seen_ts: 5 });
  expect(await opened.accounts.findOne({ _id: 'b' })).toEqual({ ...account('b'), seen_ts: 7, bytes: 3 });
});

it('creates a document of version 0 with an upsert of unversioned fields', async () => {
  const { unversioned } = opened.accounts;
  const take = () =>
    unversioned.updateOne({ _id: 'c', bytes: { $lte: 5 } }, { $inc: { bytes: 4 } }, { upsert: true });
  // No document matches `$lte` yet.
  await take();
  await take();
  expect(await opened.accounts.findOne({ _id: 'c' })).toEqual({ _id: 'c', version: 0, bytes: 8 });
  await expect(take()).rejects.toThrow(Conflict);
});

it('changes and deletes by condition, and raises versions', async () => {
  await insertAggregates(opened.accounts, [account('a'), { ...account('b'), name: 'b' }]);
  expect(
    await changeAggregates(opened.accounts, { name: 'b' }, { set: { name: 'c' }, push: { tags: 'y' } }),
  ).toBe(1);
  expect(await opened.accounts.findOne({ _id: 'b' })).toEqual({
    _id: 'b',
    version: 2,
    name: 'c',
    tags: ['x', 'y'],
  });
  expect(await deleteAggregates(opened.accounts, { name: 'c' })).toBe(1);
  expect(await opened.accounts.countDocuments({})).toBe(1);
  await expect(insertAggregates(opened.accounts, [account('a')])).rejects.toThrow(Conflict);
});

it('does not compile when code writes an aggregate in any other way', () => {
  const around = [
    // @ts-expect-error: aggregates change by commits
    () => opened.accounts.updateOne({ _id: 'a' }, { $set: { name: 'b' } }),
    // @ts-expect-error: aggregates change by commits
    () => opened.accounts.updateMany({}, { $inc: { version: 1 } }),
    // @ts-expect-error: aggregates change by commits
    () => opened.accounts.findOneAndUpdate({ _id: 'a' }, { $set: { name: 'b' } }),
    // @ts-expect-error: aggregates change by commits
    () => opened.accounts.bulkWrite([{ deleteOne: { filter: { _id: 'a' } } }]),
    // @ts-expect-error: aggregates are created by `create` or inserted by `insertAggregates`
    () => opened.accounts.insertOne(account('a')),
    // @ts-expect-error: aggregates are created by `create` or inserted by `insertAggregates`
    () => opened.accounts.insertMany([account('a')]),
    // @ts-expect-error: aggregates are deleted by `delete` or `deleteAggregates`
    () => opened.accounts.deleteOne({ _id: 'a' }),
    // @ts-expect-error: aggregates are deleted by `delete` or `deleteAggregates`
    () => opened.accounts.deleteMany({}),
    // @ts-expect-error: the name was not declared as unversioned
    () => opened.accounts.unversioned.updateOne({ _id: 'a' }, { $set: { name: 'b' } }),
    // @ts-expect-error: the version cannot be written like other fields
    () => opened.accounts.unversioned.updateMany({}, { $inc: { version: 1 } }),
    // @ts-expect-error: pending effects are added by commits
    () => opened.accounts.unversioned.updateMany({}, { $unset: { pending: true } }),
    // @ts-expect-error: none of its fields was declared as unversioned
    () => opened.plain.unversioned.updateMany({}, { $inc: { version: 1 } }),
  ];
  const deps = { clock: createFakeClock(), random: systemRandom };
  const raw = (d: typeof deps & { raw: Awaited<ReturnType<typeof rawCollection>> }) => d.raw;
  const rawCollection = () => store.collection(list.accounts);
  // @ts-expect-error: a collection that can be written without the aggregate
  const definition = () => defineAggregate<Account, PendingEffect, never>({ collection: raw, effects: {} });
  expect([...around, definition]).toHaveLength(13);
});
