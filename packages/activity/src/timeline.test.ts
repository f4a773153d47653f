import { createLocalTransport } from '@steward/rpc';
import { declareCollection, openSqliteStore } from '@steward/store';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { activityRoute } from './activity-route.ts';
import { formatCursor, parseCursor } from './cursor.ts';
import { mergeStreams } from './merge-streams.ts';
import { newestOf } from './newest-of.ts';
import { readRemotely } from './read-remotely.ts';
import { readStreams } from './read-streams.ts';
import type { ActivityQuery, ActivityStream, Place } from './stream.ts';
import type { StreamName } from './streams.ts';

interface Thing {
  readonly _id: string;
  readonly user: string;
  readonly ts: number;
}

const things = declareCollection<Thing>({
  name: 'test.things',
  shardKey: null,
  indexes: [
    {
      name: 'descending',
      keys: [
        ['user', 1],
        ['ts', -1],
      ],
    },
  ],
});

const NAMES = ['sign_in', 'media', 'user_report_made'] as const satisfies readonly StreamName[];

async function timelineOf(streams: Readonly<Record<string, readonly number[]>>) {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const collection = await store.collection(things);
  const insert = (name: string, times: readonly number[], from = 0) =>
    collection.insertMany(times.map((ts, n) => ({ _id: `${name} ${from + n}`, user: name, ts })));
  for (const [name, times] of Object.entries(streams)) if (times.length > 0) await insert(name, times);
  const owned = NAMES.map(
    (name, n): ActivityStream => ({
      name,
      read: (page) =>
        newestOf<Thing>(collection, page, {
          filter: { user: name },
          time: 'ts',
          ties: n % 2 === 0 ? 1 : -1,
          entry: ({ _id: deviceId }) => ({ deviceId }),
        }),
    }),
  );
  const [local, ...others] = owned as [ActivityStream, ...ActivityStream[]];
  const remote = readRemotely(createLocalTransport([activityRoute(others)]), NAMES);
  /** Reads a page; the cursor is that of the next one. */
  const page = async (limit: number, cursor: string | undefined) => {
    const { until, places } = cursor === undefined ? { until: 100, places: new Map() } : parseCursor(cursor);
    const query: ActivityQuery = {
      userId: 'u',
      until,
      limit: limit + 1,
      streams: NAMES,
      places,
      rights: { admin: true },
    };
    const read = new Map([...(await readStreams([local], query)), ...(await remote(query))]);
    const merged = mergeStreams(read, places, limit);
    return {
      ids: merged.entries.map(({ entry, place }) => [place.ts, entry.deviceId] as const),
      next: merged.hasMore ? formatCursor({ until, places: merged.places }) : undefined,
    };
  };
  return { page, insert };
}

it('has every entry once, newest first, whatever its pages, also while others come', async () => {
  const times = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(times, times, times),
      fc.integer({ min: 1, max: 7 }),
      async ([first, second, third], limit) => {
        const { page, insert } = await timelineOf({
          sign_in: first,
          media: second,
          user_report_made: third,
        });
        const seen: (readonly [number, string | undefined])[] = [];
        let cursor: string | undefined;
        let pages = 0;
        do {
          const { ids, next } = await page(limit, cursor);
          seen.push(...ids);
          cursor = next;
          await insert('media', [101], 100 + pages++);
        } while (cursor !== undefined);
        expect(seen.map(([ts]) => ts)).toEqual(seen.map(([ts]) => ts).toSorted((a, b) => b - a));
        const all = Object.entries({ sign_in: first, media: second, user_report_made: third });
        const expected = all.flatMap(([name, list]) => list.map((_, n) => `${name} ${n}`));
        expect(seen.map(([, id]) => id).toSorted()).toEqual(expected.toSorted());
      },
    ),
    { numRuns: 30 },
  );
});

it.each([
  '',
  '?',
  'bnVsbA',
  Buffer.from('[-1]').toString('base64url'),
  Buffer.from('[5,["other",1,"x"]]').toString('base64url'),
  Buffer.from('[5,["__proto__",1,"x"]]').toString('base64url'),
  Buffer.from('[5,["media",1.5,"x"]]').toString('base64url'),
  Buffer.from('[5,["media",1,{}]]').toString('base64url'),
  Buffer.from(JSON.stringify([5, ['media', 1, 'x'.repeat(600)]])).toString('base64url'),
])('refuses the cursor %s', (text) => {
  expect(() => parseCursor(text)).toThrow("'from' is not a position");
});

it('returns a cursor as it was', () => {
  const places = new Map<StreamName, Place>([['media', { ts: 5, id: 'test/ünï' }]]);
  expect(parseCursor(formatCursor({ until: 7, places }))).toEqual({ until: 7, places });
});
