import { openSqliteStore } from '@steward/store';
import { explain, watchQueries } from '@steward/store/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { Deps } from '../deps.ts';
import { type SearchEntry, searchEntries, searchPositions } from '../model/search-entry.ts';
import { findEntries } from './find-entries.ts';

const entry = (room: number, ts: number, words: readonly string[]): SearchEntry => ({
  _id: `$${room}-${ts}`,
  room_id: `!${room}:test`,
  type: 'm.room.message',
  received_ts: ts,
  arrival: ts,
  words,
});

/** Rooms with one message each, the newest in the last room; two rooms are not those of the user. */
async function manyRooms(count: number) {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  let queries = 0;
  const watched = watchQueries(store, () => {
    queries++;
  });
  const [entries, positions] = [
    await watched.collection(searchEntries),
    await watched.collection(searchPositions),
  ];
  const numbers = Array.from({ length: count }, (_, n) => n);
  await entries.insertMany(numbers.map((n) => entry(n, n + 1, ['numbat', n % 2 === 0 ? 'even' : 'odd'])));
  await positions.insertMany(numbers.map((n) => ({ _id: `!${n}:test`, arrival: n + 1, newest_ts: n + 1 })));
  const find = async (words: readonly string[], limit: number, after?: SearchEntry) => {
    queries = 0;
    const found = await findEntries(
      { searchEntries: entries, searchPositions: positions } as unknown as Deps,
      {
        rooms: numbers.slice(0, -2).map((n) => `!${n}:test`),
        types: undefined,
        words,
        after: after && { ts: after.received_ts, arrival: after.arrival, id: after._id },
        limit,
      },
    );
    return { times: found.map(({ received_ts }) => received_ts), queries };
  };
  return find;
}

it('the newest entries of many rooms are found in those with the newest messages, without a query for each room', async () => {
  const find = await manyRooms(502);
  const first = await find(['numbat'], 3);
  expect(first.times).toEqual([500, 499, 498]);
  expect(first.queries).toBeLessThan(20);
  expect((await find(['even', 'numbat'], 3)).times).toEqual([499, 497, 495]);
  expect((await find(['numbat'], 3, entry(497, 498, []))).times).toEqual([497, 496, 495]);
  expect((await find(['numbat'], 600)).times).toHaveLength(500);
  expect((await find(['none'], 3)).times).toEqual([]);
});

it.each([
  { room_id: '!a:test', $and: [{ words: 'a' }] },
  { room_id: '!a:test', type: { $in: ['m.room.message'] }, $and: [{ words: 'ab' }, { words: 'a' }] },
])('an index by room and word serves the search %j', async (filter) => {
  const sort = { received_ts: -1, arrival: -1, _id: -1 } as const;
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const { plan } = explain(await store.collection(searchEntries), filter, { sort, limit: 250 });
  expect(plan.join('\n')).toMatch(
    /USING COVERING INDEX room\.search_entries\/words_in_room \(k0=\? AND k1=\?/,
  );
});
