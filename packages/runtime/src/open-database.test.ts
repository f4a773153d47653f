import { randomId, systemRandom } from '@steward/kernel';
import { declareCollection, openMongoStore } from '@steward/store';
import { requireEngine, withLongTimeouts } from '@steward/testing';
import { expect, it } from 'vitest';
import { openDatabase, RESTORE_MARKER } from './open-store.ts';

const mongo = requireEngine('mongo');

it.skipIf(mongo.url === undefined)(
  `refuses a database that is being restored, and leaves it as it is: ${mongo.title}`,
  async () => {
    const url = new URL(withLongTimeouts(mongo.url ?? ''));
    url.pathname = `/steward_test_${randomId(systemRandom)}`;
    const store = await openMongoStore({ url: url.href });
    try {
      const markers = declareCollection<{ _id: string }>({
        name: RESTORE_MARKER,
        indexes: [],
        shardKey: '_id',
      });
      await (await store.collection(markers)).insertOne({ _id: 'unfinished' });
      const config = { server: { name: 'test' }, store: { url: url.href } };
      const opened = openDatabase(config as Parameters<typeof openDatabase>[0], { warn: expect.unreachable });
      await expect(opened).rejects.toThrow(/^A restore into [^@ ]+ has not been completed/);
      expect(await store.someId('server.identity')).toBeUndefined();
    } finally {
      await store.database.dropDatabase();
      await store.close();
    }
  },
);
