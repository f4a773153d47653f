import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { idOf, writableCollections } from '../../fixtures/state.ts';
import { pruneAdminSessions } from './prune-admin-sessions.ts';

/** How many are deleted together. */
const BATCH = 500;

it('deletes all expired administrator sessions, however many expired since the call before', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const { adminSessions } = await writableCollections(store);
  const clock = createFakeClock();
  const lifeMs = 60_000;
  const session = (created_ts: number, i: number) => ({
    _id: `${created_ts} ${i}`,
    id: `${created_ts}-${i}`,
    user_id: idOf('alice'),
    epoch: 1,
    created_ts,
    used_ts: created_ts,
    address: '192.0.2.1',
    user_agent: '',
    proved_ts: null,
    proved_factor: null,
  });
  const expired = clock.now() - lifeMs - 1;
  await adminSessions.insertMany(Array.from({ length: BATCH + 1 }, (_, i) => session(expired, i)));
  await adminSessions.insertOne(session(expired + 1, 0));
  const settings = { adminLifetimeMs: lifeMs } as Parameters<typeof pruneAdminSessions>[0]['settings'];
  await pruneAdminSessions({ adminSessions, settings, clock });
  expect(await adminSessions.find({}).toArray()).toMatchObject([{ created_ts: expired + 1 }]);
  await store.close();
});
