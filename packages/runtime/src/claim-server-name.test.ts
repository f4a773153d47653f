import { declareCollection, Unavailable, Unusable } from '@steward/store';
import { stores } from '@steward/store/testing';
import { describe, expect, it } from 'vitest';
import { claimServerName } from './claim-server-name.ts';

const accounts = declareCollection<{ _id: string }>({ name: 'user.accounts', shardKey: '_id', indexes: [] });

describe.each(stores)('the name of the server $title', ({ missing, open }) => {
  const onStore = (body: (store: Awaited<ReturnType<typeof open>>['store']) => Promise<void>) => async () => {
    const { store, drop } = await open();
    await body(store).finally(drop);
  };

  it.skipIf(missing)(
    'is recorded once, and no other is accepted afterwards',
    onStore(async (store) => {
      await claimServerName(store, 'one.example');
      await claimServerName(store, 'one.example');
      await expect(claimServerName(store, 'two.example')).rejects.toThrow(/one\.example.*two\.example/);
      await claimServerName(store, 'one.example');
    }),
  );

  it.skipIf(missing)(
    'is that of the accounts in a store of an earlier release',
    onStore(async (store) => {
      await (await store.collection(accounts)).insertOne({ _id: '@alice:one.example:8448' });
      await expect(claimServerName(store, 'one.example')).rejects.toThrow(/one\.example:8448.*one\.example/);
      await claimServerName(store, 'one.example:8448');
      await expect(claimServerName(store, 'one.example')).rejects.toThrow('cannot be renamed');
    }),
  );

  it.skipIf(missing)(
    'is waited for by a process that has no right to read the accounts',
    onStore(async (store) => {
      const restricted = { ...store, someId: () => Promise.reject(new Unusable('no right')) };
      await expect(claimServerName(restricted, 'one.example')).rejects.toThrow(Unavailable);
      await claimServerName(store, 'one.example');
      await claimServerName(restricted, 'one.example');
    }),
  );

  it.skipIf(missing)(
    'is decided by one of several processes that start together',
    onStore(async (store) => {
      const names = ['one.example', 'two.example', 'three.example'];
      const claims = await Promise.allSettled(names.map((name) => claimServerName(store, name)));
      expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }),
  );
});
