import { type Doc, openSqliteStore } from '@steward/store';
import { explain } from '@steward/store/testing';
import { expect, it } from 'vitest';
import { cursors } from '../../core/model/cursor.ts';
import { events } from '../../core/model/event-document.ts';
import { members } from '../../core/model/member.ts';
import { CURRENT, states } from '../../core/model/state-document.ts';

it('an index serves each query of a sync', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const plan = <T extends Doc>(...query: Parameters<typeof explain<T>>) => explain(...query).plan.join();
  const statesOf = await store.collection(states);
  expect(plan(statesOf, { room_id: 'r', from: { $lte: 5 }, until: { $gt: 5 } }, {})).toContain('/at ');
  const ofType = { room_id: 'r', from: { $lte: 5 }, until: CURRENT, type: 't' };
  expect(plan(statesOf, ofType, {})).toContain('/at (.room_id=? AND .until=? AND .type=?)');
  const ended = { room_id: 'r', from: { $lte: 5 }, until: { $gt: 5, $lt: CURRENT } };
  expect(plan(statesOf, ended, {})).toContain('/at ');
  expect(plan(statesOf, { room_id: 'r', from: { $gt: 2, $lte: 5 } }, {})).toContain('/changed ');
  const eventsOf = await store.collection(events);
  expect(
    plan(eventsOf, { room_id: 'r', arrival: { $gt: 2, $lte: 5 } }, { sort: { arrival: -1 }, limit: 9 }),
  ).toContain('/arrival ');
  const membersOf = await store.collection(members);
  expect(
    plan(membersOf, { user_id: 'u', membership: { $in: ['leave', 'ban'] }, stay: { $gte: 4 } }, {}),
  ).toMatch(/by_user .*stay>/);
  expect(plan(membersOf, { user_id: { $in: ['u', 'v'] }, membership: 'join' }, {})).toContain('/by_user ');
  expect(plan(statesOf, { room_id: 'r', from: { $gt: 2, $lte: 5 } }, { sort: { from: 1 } })).toContain(
    '/changed ',
  );
  const cursorsOf = await store.collection(cursors);
  const session = { user_id: 'u', session: 's' };
  expect(plan(cursorsOf, { ...session, number: { $lt: 4 } }, { sort: { number: -1 }, limit: 1 })).toContain(
    '/by_session ',
  );
  expect(plan(cursorsOf, { created_ts: { $lt: 4 } }, { limit: 500 })).toContain('/created ');
  await store.close();
});
