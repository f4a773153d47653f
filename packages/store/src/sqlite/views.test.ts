import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type Thing, thing, things } from '../contract/thing.ts';
import type { Collection } from '../port/collection.ts';
import type { Filter, Sort } from '../port/filter.ts';
import type { Store } from '../port/store.ts';
import { Connection } from './engine/connection.ts';
import { inlineReader, type Snapshot } from './engine/reader.ts';
import { advance, newClock, readClock } from './engine/transaction-clock.ts';
import { layOut } from './layout/layout.ts';
import { openWithLimits } from './open.ts';
import { SERVING_LIMITS } from './plan/limits.ts';
import { prepareQuery } from './plan/query.ts';
import type { RowChange } from './views/view.ts';
import { boundOfViews, Views } from './views/views.ts';

const directory = mkdtempSync(join(tmpdir(), 'steward-views-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Every query skips by positions, which are a few entries apart, and every count is kept. The reader finds most results. */
const limits = {
  ...SERVING_LIMITS,
  smallCollection: 0,
  candidates: 5,
  results: 6,
  tested: 0,
  values: 3,
  skipFromStart: 0,
  positionGap: 3,
  ahead: 2,
  counted: 0,
};

const name = fc.constantFrom(null, '', 'a', 'é', '\u{10000}', '\uffff', 'z');
const fields = fc.record({
  group: fc.constantFrom('a', 'b', 'c'),
  name,
  rank: fc.constantFrom(null, -1, 0.5, 2),
  flag: fc.constantFrom(null, true, false),
  alias: name,
  folded: fc.constantFrom(null, 'a', 'xa', 'abcd', 'é'),
});
const id = fc.integer({ min: 0, max: 40 }).map(String);
const write = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), ids: fc.uniqueArray(id, { maxLength: 8 }), fields }),
  fc.record({ do: fc.constant('update' as const), ids: fc.array(id, { maxLength: 4 }), fields }),
  fc.record({
    do: fc.constant('update all' as const),
    group: fc.constantFrom('a', 'b'),
    rank: fc.integer(),
    // With these, one statement updates all documents.
    more: fc.constantFrom({}, { $inc: { version: 1 } }),
  }),
  fc.record({ do: fc.constant('delete' as const), ids: fc.array(id, { maxLength: 3 }) }),
  fc.record({ do: fc.constant('delete all' as const), rank: fc.constantFrom(-1, 0.5) }),
);
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never;

/** The filters and orders of views; the same ones are asked again and again. */
const QUERIES: readonly { readonly filter: Filter<Thing>; readonly sort: Sort<Thing> }[] = [
  { filter: {}, sort: { _id: -1 } },
  { filter: { group: { $in: ['a', 'c'] } }, sort: { name: 1, _id: 1 } },
  { filter: { group: { $in: ['a', 'b'] } }, sort: { name: -1, _id: 1 } },
  { filter: { group: 'b' }, sort: { name: -1, _id: -1 } },
  { filter: { flag: null }, sort: { rank: 1, _id: 1 } },
  { filter: { flag: false, rank: { $gte: -1, $lt: 2 } }, sort: { rank: -1, _id: -1 } },
];
/** Queries whose results no index holds in order. */
const SEARCHES: typeof QUERIES = [
  { filter: { $contains: { paths: ['folded'], term: 'a' } }, sort: { _id: 1 } },
  { filter: { $contains: { paths: ['folded'], term: 'bcd' } }, sort: { name: 1, _id: 1 } },
  {
    filter: { group: { $in: ['a', 'b'] }, $contains: { paths: ['alias'], term: '' } },
    sort: { name: -1, _id: 1 },
  },
  { filter: { flag: false, group: 'a' }, sort: { name: 1, _id: 1 } },
];
/** Filters that no index decides, which the reader counts. */
const COUNTED: readonly Filter<Thing>[] = [
  { note: null },
  { rank: { $gt: 0 }, $nor: [{ name: 'a' }, { group: 'c', flag: true }] },
  { group: { $in: ['a', 'b'] }, $contains: { paths: ['alias'], term: 'z' } },
];

const run = (collection: Collection<Thing>, one: Write): Promise<unknown> => {
  switch (one.do) {
    case 'insert':
      // Some conflict, and take back what they inserted.
      return collection.insertMany(one.ids.map((_id) => thing(_id, one.fields))).catch(() => {});
    case 'update':
      return collection.bulkWrite(
        one.ids.map((_id) => ({ updateOne: { filter: { _id }, update: { $set: one.fields } } })),
      );
    case 'update all':
      return collection.updateMany({ group: one.group }, { $set: { rank: one.rank }, ...one.more });
    case 'delete':
      return collection.deleteMany({ _id: { $in: one.ids } });
    case 'delete all':
      return collection.deleteMany({ rank: one.rank });
  }
};

async function check(collection: Collection<Thing>): Promise<void> {
  for (const { filter, sort } of QUERIES) {
    const ids = async (skip: number, limit: number) =>
      (await collection.find(filter, { sort, skip, limit }).toArray()).map(({ _id }) => _id);
    const all = await ids(0, 0);
    for (const skip of [1, 5, all.length - 3, all.length, all.length + 1].filter((one) => one >= 0)) {
      expect(await ids(skip, 4)).toEqual(all.slice(skip, skip + 4));
    }
    expect(await collection.countDocuments(filter)).toBe(all.length);
  }
  for (const { filter, sort } of SEARCHES) {
    const all = (await collection.find(filter, { sort }).toArray()).map(({ _id }) => _id);
    for (const skip of [0, 2, 1, 7]) {
      const page = await collection.find(filter, { sort, skip, limit: 2 }).toArray();
      expect(page.map(({ _id }) => _id)).toEqual(all.slice(skip, skip + 2));
    }
    expect(await collection.countDocuments(filter)).toBe(all.length);
  }
  for (const filter of [...COUNTED, ...QUERIES.map((query) => query.filter)]) {
    const found = await collection.find(filter).toArray();
    const sum = found.reduce((total, { rank }) => total + (rank ?? 0), 0);
    expect(await collection.totals(filter, 'rank')).toEqual({ count: found.length, sum });
    expect(await collection.countDocuments(filter)).toBe(found.length);
    expect(await collection.countDocuments(filter)).toBe(found.length);
  }
}

const collectionOf = (store: Store) => store.collection(things);

describe.each([
  { where: 'memory', numRuns: 40, path: () => ':memory:' },
  { where: 'a file', numRuns: 6, path: (i: number) => join(directory, `${i}.db`) },
])('views of a store in $where', ({ numRuns, path }) => {
  it('equal what the documents say, after and between any writes', async () => {
    let stores = 0;
    const property = fc.asyncProperty(
      fc.array(fc.array(write, { maxLength: 6 }), { maxLength: 6 }),
      async (rounds) => {
        const store = await openWithLimits(path(++stores), limits);
        const collection = await collectionOf(store);
        for (const writes of rounds) {
          // The checks of one round build views while the writes of the next one run.
          const written = writes.map((one) => run(collection, one));
          await Promise.all([...written, collection.countDocuments({ note: null })]);
          await check(collection);
        }
        await store.close();
      },
    );
    await fc.assert(property, { numRuns });
  });
});

it('a view that is being built takes the changes that its snapshot lacks', async () => {
  const clock = newClock();
  let read = Promise.withResolvers<Snapshot>();
  const unused = () => Promise.reject(new Error('Not used'));
  const views = new Views(
    { waiting: 0, snapshot: () => read.promise, all: unused, checkpoint: () => {}, close: unused },
    clock,
    boundOfViews(),
  );
  const layout = layOut(things);
  views.open(layout);
  const query = prepareQuery(layout, { $contains: { paths: ['folded'], term: 'a' } });
  const commit = (change: RowChange) => {
    advance(clock);
    views.record(change);
    advance(clock);
    views.end(true);
  };
  const scalars = views.scalarsOf(thing('x', { folded: 'an a' }));
  const counted = views.countLong(query);
  expect(views.recording).toBe(true);
  commit({ before: undefined, after: scalars });
  const at = readClock(clock);
  commit({ before: undefined, after: scalars });
  commit({ before: undefined, after: scalars });
  read.resolve({ rows: [[[5]]], at });
  expect(await counted).toBe(7);

  // Too many changes: the view is given up, and the query is counted without it.
  views.open(layout);
  read = Promise.withResolvers();
  const given = views.countLong(query);
  for (let i = 0; i <= 20_000; i++) commit({ before: undefined, after: scalars });
  expect(views.recording).toBe(false);
  read.resolve({ rows: [[[5]]], at });
  await expect(given).rejects.toThrow('Not used');
});

it('a number that JSON cannot hold is null in a view, as in the document', async () => {
  const store = await openWithLimits(':memory:', limits);
  const collection = await collectionOf(store);
  await collection.insertOne(thing('a', { rank: 1 }));
  const count = () => collection.countDocuments({ rank: { $gt: 0 } });
  expect([await count(), await count()]).toEqual([1, 1]);
  await collection.updateOne({ _id: 'a' }, { $set: { rank: Number.POSITIVE_INFINITY } });
  expect((await collection.findOne({ _id: 'a' }))?.rank).toBeNull();
  expect(await count()).toBe(0);
  await store.close();
});

describe('changes that are taken back', () => {
  const rows = Array.from({ length: 20 }, (_, i) => thing(`${i}`, { group: 'a' }));
  const pageOf = (collection: Collection<Thing>) =>
    collection.find({ group: 'a' }, { sort: { name: 1, _id: 1 }, skip: 10, limit: 4 }).toArray();

  it('by a conflict leave the views as they were', async () => {
    const store = await openWithLimits(':memory:', limits);
    const collection = await collectionOf(store);
    await collection.insertMany(rows);
    const answers = async () => [await pageOf(collection), await collection.countDocuments({ group: 'a' })];
    const before = await answers();
    const along = [collection.insertion([thing('00', { group: 'a' }), thing('2')])];
    const failed = collection.findOneAndUpdate({ _id: '1' }, { $set: { group: 'b' } }, { along });
    await expect(failed).rejects.toThrow(/Conflict/);
    expect(await answers()).toEqual(before);
    await store.close();
  });

  it('by the end of a transaction leave the views as they were', async () => {
    const connection = new Connection(':memory:', { readOnly: false });
    const clock = newClock();
    const views = new Views(inlineReader(connection, clock), clock, boundOfViews());
    const layout = layOut(things);
    views.open(layout);
    const query = prepareQuery(layout, { group: 'a' });
    views.keepCount(query, 3);
    expect(views.recording).toBe(false);
    views.keepCount(query, 3);
    const change = { before: undefined, after: views.scalarsOf(thing('x', { group: 'a' })) };
    views.record(change);
    // An open transaction may still be rolled back.
    expect(views.count(query)).toBeUndefined();
    views.end(false);
    expect(views.count(query)).toBe(3);
    views.record(change);
    views.end(true);
    expect(views.count(query)).toBe(4);
    connection.close();
  });
});
