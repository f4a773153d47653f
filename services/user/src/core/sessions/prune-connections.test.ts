import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { idOf, writableCollections } from '../../fixtures/state.ts';
import { pruneConnections } from './prune-connections.ts';

/** How long a connection is stored, and how many are deleted per call. */
const LIFE_MS = 28 * 86_400_000;
const BATCH = 500;

it('deletes the oldest expired connections, one batch per call', async () => {
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
  expect(await connections.countDocuments({})).toBe(2);
  for (let i = 0; i < 2; i++) await pruneConnections({ connections, clock });
  expect(await connections.find({}).toArray()).toMatchObject([{ last_seen: now - LIFE_MS }]);
  await store.close();
});
