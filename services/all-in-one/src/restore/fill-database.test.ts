import type { StreamCopy } from '@steward/events';
import { randomId, systemRandom } from '@steward/kernel';
import { RESTORE_MARKER } from '@steward/runtime';
import { loadDocuments, type MongoStore, openMongoStore, storedCollections } from '@steward/store';
import { requireEngine, withLongTimeouts } from '@steward/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fillDatabase } from './fill-database.ts';

const mongo = requireEngine('mongo');

describe.skipIf(mongo.url === undefined)(`filling a database: ${mongo.title}`, () => {
  let store: MongoStore;
  /** Whether the streams of the broker have messages, and how often they were removed. */
  let streams: { empty: boolean; removed: number };
  beforeEach(async () => {
    const url = new URL(withLongTimeouts(mongo.url ?? ''));
    url.pathname = `/steward_test_${randomId(systemRandom)}`;
    store = await openMongoStore({ url: url.href });
    streams = { empty: true, removed: 0 };
  });
  afterEach(async () => {
    await store.database.dropDatabase();
    await store.close();
  });

  const fill = (work: () => Promise<unknown>) => {
    const broker = {
      isEmpty: async () => streams.empty,
      remove: async () => void streams.removed++,
    } as unknown as StreamCopy;
    return fillDatabase({ store, streams: broker }, async () => void (await work()));
  };
  async function* accounts(...ids: readonly string[]) {
    for (const _id of ids) yield { collection: 'user.accounts', document: { _id } };
  }

  it('is marked until it is complete, and an interrupted one begins anew', async () => {
    const interrupted = fill(async () => {
      await loadDocuments(store, accounts('@a:test', '@b:test'));
      throw new Error('crash');
    });
    await expect(interrupted).rejects.toThrow('crash');
    expect(await store.someId(RESTORE_MARKER)).toBeDefined();

    // What the first one stored in the streams is removed, too.
    streams.empty = false;
    await fill(() => loadDocuments(store, accounts('@a:test')));
    expect(streams.removed).toBe(1);
    expect(await storedCollections(store.database)).toEqual(['user.accounts']);
    expect(await store.database.collection('user.accounts').countDocuments()).toBe(1);
  });

  it('is refused where there are documents, or facts of another server', async () => {
    streams.empty = false;
    await expect(fill(expect.unreachable)).rejects.toThrow('The broker has facts');
    streams.empty = true;
    await loadDocuments(store, accounts('@a:test'));
    await expect(fill(expect.unreachable)).rejects.toThrow('is not empty');
    expect(await store.someId(RESTORE_MARKER)).toBeUndefined();
  });
});
