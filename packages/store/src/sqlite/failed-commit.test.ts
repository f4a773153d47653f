import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { thing, things } from '../contract/thing.ts';
import { Unavailable } from '../port/errors.ts';
import { openSqliteStore } from './open.ts';

it('a commit that fails leaves nothing of its updates, neither for reads nor for the next update', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'steward-failed-commit-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'store.db');
  const empty = await openSqliteStore({ path });
  await (await empty.collection(things)).insertOne(thing('a', { name: 'first', count: 1 }));
  await empty.close();
  const file = new DatabaseSync(path);
  file.exec(`CREATE TABLE parent (v PRIMARY KEY);
    CREATE TABLE child (v REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER refuse AFTER UPDATE ON "${things.name}" WHEN new.doc ->> '$.name' = 'refused'
    BEGIN INSERT INTO child VALUES (1); END`);
  file.close();

  const store = await openSqliteStore({ path });
  onTestFinished(() => store.close());
  const collection = await store.collection(things);
  await collection.updateOne({ _id: 'a' }, { $set: { name: 'second' } });
  const refused = collection.updateOne({ _id: 'a' }, { $set: { name: 'refused' }, $inc: { count: 1 } });
  await expect(refused).rejects.toThrow(Unavailable);
  expect(await collection.findOne({ _id: 'a' })).toMatchObject({ name: 'second', count: 1 });
  const next = await collection.updateOne({ _id: 'a', name: 'second' }, { $inc: { count: 1 } });
  expect(next).toMatchObject({ matchedCount: 1 });
  expect(await collection.findOne({ _id: 'a' })).toMatchObject({ name: 'second', count: 2 });
});
