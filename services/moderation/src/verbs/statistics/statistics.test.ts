import { create } from '@bufbuild/protobuf';
import { GetHistoryRequestSchema } from '@steward/proto/steward/moderation/v1/statistics_pb.ts';
import { openCollections } from '@steward/service';
import { DAY_MS, HOUR_MS, hourId } from '@steward/statistics';
import { stores } from '@steward/store/testing';
import { createFakeClock, type FakeClock } from '@steward/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collections } from '../../core/collections.ts';
import type { Deps } from '../../core/deps.ts';
import { removeOldSamples, sampleFigures } from '../../core/statistics/sample-figures.ts';
import { getHistory } from './get-history.ts';
import { getOverview } from './get-overview.ts';

/** What the room service answers; undefined while it is away. */
interface Rooms {
  rooms: number;
  scheduled_tasks: number;
  active_tasks: number;
}

describe.each(stores)('$title', ({ missing, open }) => {
  describe.skipIf(missing)('the statistics', () => {
    let drop: () => Promise<void>;
    let clock: FakeClock;
    let deps: Deps;
    let ofRoom: Rooms | undefined;
    let calls: number;
    beforeEach(async () => {
      const own = await open();
      drop = own.drop;
      // 22:00, two hours before the next day.
      clock = createFakeClock(Date.parse('2024-01-01T22:00:00Z'));
      calls = 0;
      ofRoom = { rooms: 7, scheduled_tasks: 1, active_tasks: 2 };
      const away = { figures: async () => undefined, counts: async () => undefined };
      const room = {
        async figures() {
          calls++;
          return ofRoom;
        },
        counts: async () => ofRoom && new Map([[clock.now(), new Map([['messages', 3]])]]),
      };
      const media = {
        figures: async () => ({
          ...{ local_media: 1, local_media_bytes: 12 },
          ...{ scheduled_tasks: 4, active_tasks: 0 },
        }),
        counts: async () => new Map(),
      };
      deps = {
        ...(await openCollections(own.store, collections)),
        clock,
        ownTasks: { backlog: async () => ({ open: [{ kind: 'a', state: 'active', count: 8 }] }) },
        counts: { read: async () => new Map() },
        peerStatistics: { user: away, room, media },
        statisticsRetentionMs: DAY_MS,
      } as unknown as Deps;
    });
    afterEach(() => drop());

    const history = async (interval: 'hour' | 'day') =>
      (await getHistory(deps, create(GetHistoryRequestSchema, { interval }))).points ?? [];

    it('lack the figures of services that are away', async () => {
      expect(await getOverview(deps)).toMatchObject({
        ...{ accounts: undefined, failedSignInsLastDay: undefined },
        ...{ rooms: 7n, localMediaBytes: 12n, openReports: 0n, scheduledTasks: 5n, activeTasks: 10n },
      });
      expect((await history('hour')).at(-1)).toMatchObject({
        ...{ signIns: undefined, messages: 3n, uploads: 0n, reports: 0n },
      });
      ofRoom = undefined;
      // Sums of the others would be too low.
      expect(await getOverview(deps)).toMatchObject({
        ...{ rooms: undefined, openReports: 0n, scheduledTasks: undefined, activeTasks: undefined },
      });
      expect((await history('hour')).at(-1)).toMatchObject({ messages: undefined, uploads: 0n });
    });

    it('sample an hour once, and add later what a service could not answer', async () => {
      const rooms = ofRoom as Rooms;
      ofRoom = undefined;
      await sampleFigures(deps);
      expect((await history('hour')).at(-1)).toMatchObject({ rooms: undefined, localMediaBytes: 12n });
      ofRoom = rooms;
      // Two instances at once.
      await Promise.all([sampleFigures(deps), sampleFigures(deps)]);
      rooms.rooms = 9;
      const peers = deps.peerStatistics as { user: object };
      peers.user = {
        figures: async () => ({ accounts: 5, daily_active_users: 4 }),
        counts: async () => new Map(),
      };
      await sampleFigures(deps);
      expect((await history('hour')).at(-1)).toMatchObject({ rooms: 7n, accounts: 5n, dailyActiveUsers: 4n });
      const asked = calls;
      await sampleFigures(deps);
      expect(calls).toBe(asked);
      clock.advance(HOUR_MS);
      await sampleFigures(deps);
      expect((await history('hour')).slice(-2)).toMatchObject([{ rooms: 7n }, { rooms: 9n }]);
    });

    it('show the last sample of a day, also where a service was away then', async () => {
      await sampleFigures(deps);
      clock.advance(HOUR_MS);
      (ofRoom as Rooms).rooms = 8;
      await sampleFigures(deps);
      clock.advance(HOUR_MS);
      ofRoom = undefined;
      await sampleFigures(deps);
      deps = { ...deps, statisticsRetentionMs: 3 * DAY_MS };
      expect((await history('day')).slice(-2)).toMatchObject([
        { rooms: 8n, localMediaBytes: 12n },
        { rooms: undefined, localMediaBytes: 12n },
      ]);
    });

    it('remove samples after their retention, and show no interval that began before it', async () => {
      const begin = clock.now();
      for (let hour = 0; hour < 3; hour++) {
        await sampleFigures(deps);
        clock.advance(HOUR_MS);
      }
      clock.advance(DAY_MS - 2 * HOUR_MS);
      await removeOldSamples(deps);
      const left = await deps.figureSamples.find({}, { sort: { _id: 1 } }).toArray();
      expect(left.map(({ _id }) => _id)).toEqual([1, 2].map((hour) => hourId(begin + hour * HOUR_MS)));
      const hours = await getHistory(deps, create(GetHistoryRequestSchema, { fromTs: BigInt(begin) }));
      expect(hours.points?.[0]).toMatchObject({ ts: BigInt(begin + HOUR_MS), rooms: 7n });
      // The day of the first sample is not whole.
      expect((await history('day'))[0]?.ts).toBe(BigInt(begin + 2 * HOUR_MS));
    });
  });
});
