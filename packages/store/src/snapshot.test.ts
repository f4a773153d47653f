import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMongoSnapshot } from './mongo/mongo-snapshot.ts';
import { openMongoStore } from './mongo/open.ts';
import { mongo, testDatabase } from './mongo/test-database.ts';
import { type Doc, declareCollection } from './port/declaration.ts';
import type { Snapshot, StoredDocument } from './port/snapshot.ts';
import type { Store } from './port/store.ts';
import { copySqliteFile } from './sqlite/copy-file.ts';
import { openSqliteStore } from './sqlite/open.ts';
import { openSortedDocuments, spoolDocuments } from './sqlite/sorted-documents.ts';
import { openSqliteSnapshot } from './sqlite/sqlite-snapshot.ts';

interface Thing extends Doc {
  readonly at: number;
}

/** More documents than one read of the server returns. */
const DOCUMENTS = 1_500;

const collections = ['test.first', 'test.second'].map((name) =>
  declareCollection<Thing>({ name, indexes: [], shardKey: '_id' }),
);

async function fill(store: Store): Promise<void> {
  for (const declaration of collections) {
    const things = Array.from({ length: DOCUMENTS }, (_, n) => ({ _id: String(n).padStart(5, '0'), at: 0 }));
    await (await store.collection(declaration)).insertMany(things);
  }
}

/** Reads a snapshot while all documents are changed, deleted and added after the first one. */
async function readWhileWriting(store: Store, snapshot: Snapshot): Promise<readonly StoredDocument[]> {
  const read: StoredDocument[] = [];
  for await (const stored of snapshot.documents()) {
    if (read.length === 0) {
      for (const declaration of collections) {
        const collection = await store.collection(declaration);
        await collection.updateMany({ at: 0 }, { $set: { at: 1 } });
        await collection.deleteOne({ _id: '01499' });
        await collection.insertOne({ _id: '99999', at: 1 });
      }
    }
    read.push(stored);
  }
  return read;
}

function expectOneMoment(read: readonly StoredDocument[]): void {
  expect(read).toHaveLength(collections.length * DOCUMENTS);
  expect(read.filter(({ document }) => (document as Thing).at !== 0)).toEqual([]);
  expect([...new Set(read.map(({ collection }) => collection))]).toEqual(collections.map(({ name }) => name));
}

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'steward-snapshot-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('a snapshot', () => {
  it('on SQLite has the documents of one moment', async () => {
    const path = join(directory, 'store.db');
    const store = await openSqliteStore({ path });
    await fill(store);
    const snapshot = openSqliteSnapshot(path);
    expectOneMoment(await readWhileWriting(store, snapshot));
    expect(await snapshot.current('test.first', '00000')).toMatchObject({ at: 1 });
    expect(await snapshot.current('test.first', '01499')).toBeUndefined();
    expect(await snapshot.current('test.missing', '00000')).toBeUndefined();
    await snapshot.close();
    await store.close();
  });

  describe.skipIf(mongo.url === undefined)('', () => {
    const { url, name } = testDatabase();

    it(`on ${mongo.title} has the documents of one moment`, async () => {
      const at = new URL(url);
      at.pathname = `/${name}`;
      const store = await openMongoStore({ url: at.href });
      await fill(store);
      const snapshot = await openMongoSnapshot({ url: at.href });
      expectOneMoment(await readWhileWriting(store, snapshot));
      expect(await snapshot.current('test.first', '00000')).toMatchObject({ at: 1 });
      await snapshot.close();
      await store.close();
    });
  });
});

it('a copy of a file is complete although others write to it, and is a single file', async () => {
  const path = join(directory, 'store.db');
  const store = await openSqliteStore({ path });
  await fill(store);
  const things = await store.collection(collections[0] as (typeof collections)[0]);
  let writing = true;
  const writer = (async () => {
    for (let n = 0; writing; n++) await things.updateOne({ _id: '00000' }, { $set: { at: n } });
  })();
  const copy = join(directory, 'copy.db');
  const counts = await copySqliteFile(path, copy);
  writing = false;
  await writer;
  await store.close();
  expect([...counts]).toEqual(collections.map(({ name }) => [name, DOCUMENTS]));
  expect(await readdir(directory)).toEqual(['copy.db', 'store.db']);
});

it('spooled documents are found and sorted', async () => {
  async function* documents() {
    yield { collection: 'a.b', document: { _id: 'x', room: '!b', at: 2 } };
    yield { collection: 'a.b', document: { _id: 'y', room: '!b', at: 10 } };
    yield { collection: 'a.b', document: { _id: 'z', room: '!a', at: 3 } };
  }
  const path = join(directory, 'spool.db');
  await spoolDocuments(documents(), path);
  const spooled = openSortedDocuments(path);
  expect([...spooled.sorted('a.b', ['room', 'at'])].map(({ _id }) => _id)).toEqual(['z', 'x', 'y']);
  expect([...spooled.sorted('a.c', [])]).toEqual([]);
  expect(spooled.find('a.b', 'y')).toEqual({ _id: 'y', room: '!b', at: 10 });
  expect(spooled.find('a.b', 'w')).toBeUndefined();
  spooled.close();
});
