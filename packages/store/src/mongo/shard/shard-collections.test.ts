import { requireEngine } from '@steward/testing';
import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { openCluster } from './cluster.ts';
import { shardCollections } from './shard-collections.ts';

const DECLARED = [
  { name: 'user.devices', shardKey: 'user_id' as '_id' },
  { name: 'user.accounts', shardKey: null },
  { name: 'user.tokens', shardKey: '_id' as const },
];

/** A cluster that knows keys; `fails` is the collection at which it does not answer. */
function fakeCluster(keys: Record<string, Document> = {}) {
  const cluster = {
    isRouter: true,
    fails: '',
    keyOf: async (name: string) => keys[name],
    async shard(name: string, key: Document) {
      if (name === cluster.fails) throw new Error('The cluster does not answer');
      if (keys[name]) throw new Error('The collection is distributed already');
      keys[name] = key;
    },
  };
  return { cluster, keys };
}

const run = (cluster: ReturnType<typeof fakeCluster>['cluster'], isDryRun = false) =>
  Array.fromAsync(
    shardCollections(cluster, DECLARED, { isDryRun }),
    ({ collection, path, outcome }) => `${collection} ${outcome} ${path}`,
  );

describe('The keys of a cluster', () => {
  it('the keys of a cluster are applied once, to what does not stay on one shard', async () => {
    const { cluster, keys } = fakeCluster();
    expect(await run(cluster, true)).toEqual(['user.devices would be user_id', 'user.tokens would be _id']);
    expect(keys).toEqual({});
    expect(await run(cluster)).toEqual(['user.devices is user_id', 'user.tokens is _id']);
    expect(keys).toEqual({ 'user.devices': { user_id: 'hashed' }, 'user.tokens': { _id: 'hashed' } });
    expect(await run(cluster)).toEqual(['user.devices was user_id', 'user.tokens was _id']);
  });

  it('the keys of a cluster are completed after an interruption', async () => {
    const { cluster } = fakeCluster();
    cluster.fails = 'user.tokens';
    await expect(run(cluster)).rejects.toThrow('does not answer');
    cluster.fails = '';
    expect(await run(cluster)).toEqual(['user.devices was user_id', 'user.tokens is _id']);
  });

  it('the keys of a cluster are left as another process has applied them in the meantime', async () => {
    const { cluster, keys } = fakeCluster();
    const { shard } = cluster;
    cluster.shard = async (name, key) => {
      keys[name] = { ...key };
      await shard(name, key);
    };
    expect(await run(cluster)).toEqual(['user.devices was user_id', 'user.tokens was _id']);
  });

  it('the keys of a cluster that differ are reported, and the others applied', async () => {
    const { cluster, keys } = fakeCluster({ 'user.devices': { _id: 1 } });
    expect(await run(cluster)).toEqual(['user.devices differs user_id', 'user.tokens is _id']);
    expect(keys['user.devices']).toEqual({ _id: 1 });
  });
});

const mongo = requireEngine('mongo');

describe.skipIf(!mongo.url)(mongo.title, () => {
  it('sharding is refused where the server is not a router of a cluster', async () => {
    const cluster = await openCluster({ url: mongo.url ?? '' });
    try {
      await expect(Array.fromAsync(shardCollections(cluster, DECLARED, { isDryRun: true }))).rejects.toThrow(
        'not a sharded cluster',
      );
    } finally {
      await cluster.close();
    }
  });
});
