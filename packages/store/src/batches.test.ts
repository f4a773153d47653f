import { expect, it } from 'vitest';
import { forEachBatch, removeBatch, removeInBatches } from './batches.ts';
import { type Doc, declareCollection } from './port/declaration.ts';
import { openSqliteStore } from './sqlite/open.ts';

interface Thing extends Doc {
  readonly at: number;
}

const declaration = declareCollection<Thing>({
  name: 'test.things',
  shardKey: '_id',
  indexes: [{ name: 'at', keys: [['at', 1]] }],
});

async function prepared(count: number) {
  const store = await openSqliteStore({ path: ':memory:' });
  const things = await store.collection(declaration);
  await things.insertMany(Array.from({ length: count }, (_, n) => ({ _id: `t${n}`, at: n })));
  return { store, things };
}

it('removes all that match, and keeps what no longer matches when its batch is removed', async () => {
  const { store, things } = await prepared(7);
  const before: string[][] = [];
  let after = 0;
  const removed = await removeInBatches(
    things,
    { at: { $lt: 6 } },
    {
      sort: { at: 1 },
      size: 2,
      async before(ids) {
        before.push([...ids]);
        await things.updateOne({ _id: 't1' }, { $set: { at: 9 } });
      },
      after: async () => void after++,
    },
  );
  expect(removed).toBe(5);
  expect(before).toEqual([
    ['t0', 't1'],
    ['t2', 't3'],
    ['t4', 't5'],
  ]);
  expect(after).toBe(3);
  expect(await things.find({}, { sort: { _id: 1 } }).toArray()).toMatchObject([{ _id: 't1' }, { _id: 't6' }]);
  expect(await removeBatch(things, {}, { size: 1 })).toEqual({ removed: 1, more: true });
  await store.close();
});

it('visits each document once while they change, a batch again on request, and none after the end', async () => {
  const { store, things } = await prepared(5);
  const visited: string[][] = [];
  await forEachBatch(things, { at: { $lt: 4 } }, { size: 2 }, async (batch) => {
    visited.push(batch.map(({ _id }) => _id));
    await things.updateMany({ _id: { $in: batch.map(({ _id }) => _id) } }, { $inc: { at: 10 } });
    // What matches still is visited again.
    return visited.length !== 1;
  });
  expect(visited).toEqual([
    ['t0', 't1'],
    ['t2', 't3'],
  ]);
  let batches = 0;
  await forEachBatch(things, {}, { size: 2, projection: { _id: 1 } }, async () => {
    batches++;
    return 'stop';
  });
  expect(batches).toBe(1);
  await store.close();
});
