import { openSqliteStore, type Store } from '@steward/store';
import { explain } from '@steward/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventReports, userReports } from '../../core/model/report.ts';

let store: Store;
beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:' });
});
afterAll(() => store.close());

/** The plan of a query that reads one index in order, without sorting. */
const ALONG_AN_INDEX = expect.objectContaining({
  plan: [expect.stringMatching(/^(SEARCH|SCAN) .* INDEX /)],
});

const directions = [1, -1] as const;

it.each([
  ['all', { room_gone: false }],
  ['of the events of a user', { room_gone: false, sender: '@a:test' }],
  ['by a user', { room_gone: false, user_id: '@a:test' }],
  ['in a room', { room_gone: false, room_id: '!a:test' }],
] as const)('finds reports of events by an index: %s', async (_, filter) => {
  const collection = await store.collection(eventReports);
  for (const direction of directions) {
    const options = { sort: { received_ts: direction, _id: direction }, skip: 10, limit: 10 } as const;
    expect(explain(collection, filter, options)).toEqual(ALONG_AN_INDEX);
  }
});

it('finds reports of users by an index', async () => {
  const collection = await store.collection(userReports);
  for (const direction of directions) {
    const options = { sort: { received_ts: direction, _id: direction }, skip: 10, limit: 10 } as const;
    expect(explain(collection, {}, options)).toEqual(ALONG_AN_INDEX);
  }
});

it('finds reports by parts of ids among the different ids', async () => {
  const filter = {
    room_gone: false,
    $and: [
      { $contains: { paths: ['user_id'], term: 'alice' } },
      { $contains: { paths: ['room_id'], term: 'room' } },
    ],
  } as const;
  expect(explain(await store.collection(eventReports), filter, {}).route).toBe('values');
});
