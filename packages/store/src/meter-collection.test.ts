import { createMetrics } from '@steward/telemetry';
import { expect, it } from 'vitest';
import { type Doc, declareCollection } from './port/declaration.ts';
import { Conflict } from './port/errors.ts';
import { openSqliteStore } from './sqlite/open.ts';

interface Thing extends Doc {
  readonly size?: number;
}

const things = declareCollection<Thing>({ name: 'test.things', indexes: [], shardKey: '_id' });

it('measures operations, and counts their failures', async () => {
  const metrics = createMetrics({ program: 'test', release: '1.0.0' });
  const store = await openSqliteStore({ path: ':memory:', meters: metrics });
  const collection = await store.collection(things);
  await collection.insertOne({ _id: 'a' });
  await expect(collection.insertOne({ _id: 'a' })).rejects.toThrow(Conflict);
  expect(await collection.findOne({ _id: 'a' })).toEqual({ _id: 'a' });
  expect(await collection.find({}).toArray()).toHaveLength(1);
  expect(await Array.fromAsync(collection.find({}))).toHaveLength(1);
  expect((await collection.totals({}, 'size')).count).toBe(1);
  const text = await metrics.render();
  const operations = 'steward_store_operation_duration_seconds_count{operation=';
  expect(text).toContain(`${operations}"insert_one"} 2`);
  expect(text).toContain(`${operations}"find_one"} 1`);
  expect(text).toContain(`${operations}"find"} 2`);
  expect(text).toContain(`${operations}"totals"} 1`);
  expect(text).toContain(
    'steward_store_collection_duration_seconds_count{collection="test.things",operation="insert_one"} 2',
  );
  expect(text).toContain('steward_store_errors_total{operation="insert_one",error="conflict"} 1');
  await store.close();
});
