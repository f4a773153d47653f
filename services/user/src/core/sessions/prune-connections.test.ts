import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { idOf, writableCollections } from '../../fixtures/state.ts';
import { pruneConnections } from './prune-connections.ts';

/** How long a connection is stored, and how many are deleted together. */
const LIFE_MS = 28 * 86_400_000;
const BATCH = 500;

it('deletes all expired connections, however many expired since the call before', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const { connections } = await writableCollections(store);
  const clock = createFakeClock();
  const now = clock.now();
  const seen = (last_seen: number, i: number) => ({
    _id: `${last_seen} ${i}`,
    user_id: idOf('alice'),
    ip: '192.0.2.1',
    user_agent: '',
    last_seen,
  });
  await connections.insertMany(Array.from({ length: BATCH }, (_, i) => seen(now - LIFE_MS - 2, i)));
  await connections.insertMany([seen(now - LIFE_MS - 1, 0), seen(now - LIFE_MS, 0)]);

  await pruneConnections({ connections, clock });
  expect(await connections.find({}).toArray()).toMatchObject([{ last_seen: now - LIFE_MS }]);
  await store.close();
});
