import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createFakeClock } from '@steward/testing';
import { Collection } from 'mongodb';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CollectionDeclaration, type Doc, declareCollection } from '../port/declaration.ts';
import { Conflict, Unavailable } from '../port/errors.ts';
import type { MongoStoreOptions } from './open.ts';
import { openMongoStore } from './open.ts';
import { mongo, testDatabase } from './test-database.ts';

interface Item extends Doc {
  readonly group: string;
  readonly text?: string | null;
  readonly code?: string;
  readonly other?: string;
  readonly size?: number;
}

const declare = (name: string, more: Partial<CollectionDeclaration<Item>> = {}) =>
  declareCollection<Item>({ name: `test.${name}`, shardKey: null, indexes: [], ...more });

describe.skipIf(mongo.url === undefined)(mongo.title, () => {
  const { url, name: database, raw } = testDatabase();
  const open = async (options: Partial<MongoStoreOptions> = {}) => {
    const store = await openMongoStore({ url, database, ...options });
    onTestFinished(() => store.close());
    return store;
  };
  const rawCollection = (name: string) => raw.collection<Doc & Record<string, unknown>>(`test.${name}`);

  it('stores grams that callers do not see', async () => {
    const items = await (await open()).collection(declare('hidden', { search: ['text'] }));
    const item = { _id: 'a', group: 'g', text: 'abcd' };
    await items.insertOne(item);
    expect(await rawCollection('hidden').findOne({ _id: 'a' })).toEqual({
      ...item,
      _grams: { text: ['abc', 'bcd'] },
    });
    expect(await items.findOne({ _id: 'a' })).toEqual(item);
    expect(await items.findOneAndUpdate({ _id: 'a' }, { $set: { group: 'h' } })).toEqual(item);
    for await (const found of items.find({})) expect(found).toEqual({ ...item, group: 'h' });
    await items.updateOne({ _id: 'b', text: 'xyz' }, { $set: { group: 'g' } }, { upsert: true });
    expect(await items.countDocuments({ $contains: { paths: ['text'], term: 'xyz' } })).toBe(1);
  });

  it('fills in the grams of a field that becomes a search field later', async () => {
    const store = await open();
    const before = await store.collection(declare('filled'));
    await before.insertMany([
      { _id: 'a', group: 'g', text: 'needle' },
      { _id: 'b', group: 'g', text: 'no' },
      { _id: 'c', group: 'g', text: null },
    ]);
    const items = await store.collection(declare('filled', { search: ['text'] }));
    const found = await items.find({ $contains: { paths: ['text'], term: 'needle' } }).toArray();
    expect(found).toEqual([{ _id: 'a', group: 'g', text: 'needle' }]);
  });

  it('reads few documents without a cursor of the driver, and more than one answer holds with one', async () => {
    const cursors = vi.spyOn(Collection.prototype, 'find');
    const aggregations = vi.spyOn(Collection.prototype, 'aggregate');
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const items = await (await open()).collection(declare('few'));
    await items.insertMany(Array.from({ length: 1_002 }, (_, n) => ({ _id: String(n), group: 'g' })));
    const iterate = async (options = {}) => {
      let read = 0;
      for await (const _ of items.find({ group: 'g' }, options)) read++;
      return read;
    };
    expect(await iterate({ limit: 3 })).toBe(3);
    expect(await items.findOne({ _id: '7' })).toEqual({ _id: '7', group: 'g' });
    expect(await items.find({}, { sort: { _id: 1 } }).toArray()).toHaveLength(1_002);
    expect(await items.countDocuments({ group: 'g' })).toBe(1_002);
    const grouping = { by: 'group', sum: 'size', order: 'count', direction: 1 } as const;
    expect(await items.groups({}, grouping)).toMatchObject({ total: 1, groups: [{ count: 1_002 }] });
    expect(cursors).not.toHaveBeenCalled();
    expect(aggregations).not.toHaveBeenCalled();
    expect(await iterate()).toBe(1_002);
    expect(cursors).toHaveBeenCalledOnce();
  });

  it('returns documents that are too large for one answer of the server', async () => {
    const items = await (await open()).collection(declare('large'));
    const text = 'x'.repeat(1024 * 1024);
    const ids = Array.from({ length: 20 }, (_, n) => String(n + 10));
    for (const _id of ids) await items.insertOne({ _id, group: 'g', text });
    const found = await items.find({}, { sort: { _id: 1 } }).toArray();
    expect(found.map(({ _id }) => _id)).toEqual(ids);
  });

  it('does not connect again for each collection', async () => {
    const store = await open();
    await store.collection(declare('first'));
    let connections = 0;
    const onSocket = () => void connections++;
    subscribe('net.client.socket', onSocket);
    onTestFinished(() => void unsubscribe('net.client.socket', onSocket));
    const others = 'abcdefgh'.split('');
    for (const name of others) await store.collection(declare(name));
    expect(connections).toBeLessThan(others.length / 2);
  });

  it('adds indexes, drops none, and refuses one that differs', async () => {
    const store = await open();
    const byGroup = { name: 'by_group', keys: [['group', 1]] } as const;
    await store.collection(declare('indexed', { indexes: [byGroup] }));
    await Promise.all([
      store.collection(declare('indexed', { indexes: [{ name: 'by_code', keys: [['code', 1]] }] })),
      store.collection(declare('indexed', { indexes: [{ name: 'by_code', keys: [['code', 1]] }] })),
    ]);
    const names = (await rawCollection('indexed').listIndexes().toArray()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['_id_', 'by_code', 'by_group']);
    const different = declare('indexed', { indexes: [{ ...byGroup, keys: [['group', -1]] }] });
    await expect(store.collection(different)).rejects.toThrow(
      'An index of test.indexed exists, but differs from its declaration',
    );
  });

  it('names the index that an update violates, with every command', async () => {
    const unique = { unique: true, sparse: true };
    const items = await (await open()).collection(
      declare('unique', {
        indexes: [
          { name: 'code', keys: [['code', 1]], ...unique },
          { name: 'other', keys: [['other', 1]], ...unique },
        ],
      }),
    );
    await items.insertMany([
      { _id: 'a', group: 'g', code: 'c', other: 'o' },
      { _id: 'b', group: 'g' },
    ]);
    const conflict = (index: string) => ({ name: 'Conflict', index, insertedCount: 0 });
    const find = { _id: 'b' };
    await expect(items.findOneAndUpdate(find, { $set: { other: 'o' } })).rejects.toMatchObject(
      conflict('other'),
    );
    await expect(items.updateMany(find, { $set: { code: 'c' } })).rejects.toMatchObject(conflict('code'));
    const upsert = items.findOneAndUpdate(
      { _id: 'a', group: 'x' },
      { $set: { code: 'd' } },
      { upsert: true },
    );
    await expect(upsert).rejects.toMatchObject(conflict('_id'));
  });

  it('applies a unique index of several fields only to documents that have all of them', async () => {
    const keys = [
      ['group', 1],
      ['code', 1],
    ] as const;
    const items = await (await open()).collection(
      declare('pairs', { indexes: [{ name: 'pair', keys, unique: true, sparse: true }] }),
    );
    await items.insertMany([
      { _id: 'a', group: 'g' },
      { _id: 'b', group: 'g' },
      { _id: 'c', group: 'g', code: 'c' },
    ]);
    await expect(items.insertOne({ _id: 'd', group: 'g', code: 'c' })).rejects.toThrow(Conflict);
  });

  it('counts again after a change of its own, and within a second after changes of others', async () => {
    const clock = createFakeClock();
    const declaration = declare('tallied', { tally: 'group' });
    const here = await (await open({ clock })).collection(declaration);
    const elsewhere = await (await open()).collection(declaration);
    const tally = async () => Object.fromEntries(await here.tally());
    await here.insertOne({ _id: 'a', group: 'g' });
    expect(await tally()).toEqual({ g: 1 });
    await elsewhere.insertOne({ _id: 'b', group: 'g' });
    await here.updateOne({ _id: 'a' }, { $set: { code: 'c' } });
    expect(await tally()).toEqual({ g: 1 });
    clock.advance(1_000);
    expect(await tally()).toEqual({ g: 2 });
    await here.updateOne({ _id: 'a' }, { $set: { group: 'h' } });
    expect(await tally()).toEqual({ g: 1, h: 1 });
    await here.updateOne({ _id: 'c' }, { $set: { group: 'h' } }, { upsert: true });
    expect(await tally()).toEqual({ g: 1, h: 2 });
    await here.deleteMany({ group: 'h' });
    expect(await tally()).toEqual({ g: 1 });
  });

  it('reads more documents than one answer holds, and can stop early', async () => {
    const items = await (await open()).collection(declare('many'));
    await items.insertMany(
      Array.from({ length: 1_050 }, (_, i) => ({ _id: String(i).padStart(4, '0'), group: 'g' })),
    );
    const ids: string[] = [];
    for await (const { _id } of items.find({}, { sort: { _id: 1 } })) ids.push(_id);
    expect(ids).toHaveLength(1_050);
    expect(ids.at(-1)).toBe('1049');
    expect(await items.find({}).toArray()).toHaveLength(1_050);
    for await (const { _id } of items.find({}, { sort: { group: 1, _id: -1 } })) {
      expect(_id).toBe('1049');
      break;
    }
  });

  it('completes writes before it closes, and accepts nothing afterwards', async () => {
    const store = await openMongoStore({ url, database });
    const items = await store.collection(declare('closing'));
    const writes = Array.from({ length: 20 }, (_, i) => items.insertOne({ _id: `${i}`, group: 'g' }));
    await store.close();
    await Promise.all(writes);
    expect(await rawCollection('closing').countDocuments()).toBe(20);
    expect(await store.healthy()).toBe(false);
    await expect(items.findOne({})).rejects.toThrow(Unavailable);
    await expect(items.insertOne({ _id: 'late', group: 'g' })).rejects.toThrow(Unavailable);
    await expect(store.collection(declare('closing'))).rejects.toThrow(Unavailable);
    await store.close();
  });
});

it('does not open where no server listens', async () => {
  const url = 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=50';
  await expect(openMongoStore({ url })).rejects.toThrow(Unavailable);
});
