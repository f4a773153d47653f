import { setImmediate } from 'node:timers/promises';
import { systemRandom } from '@steward/kernel';
import { type Collection, Conflict, Unavailable } from '@steward/store';
import { stores } from '@steward/store/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Counts, createCounts } from './counts.ts';
import { declareHourCounts, type HourCounts } from './hour-counts.ts';
import { DAY_MS, HOUR_MS, hourId, startOf } from './intervals.ts';

const START_MS = Date.parse('2024-02-28T22:10:00Z');
const RETENTION_MS = 3 * DAY_MS;
const EVERYTHING = { from: START_MS - 9 * DAY_MS, until: START_MS + 9 * DAY_MS };

type Name = 'messages' | 'reports';
type Fault = 'refused' | 'answer lost' | 'conflict';

describe.each(stores)('$title', ({ missing, remote, open }) => {
  describe.skipIf(missing)('counts', () => {
    let drop: () => Promise<void>;
    let hourCounts: Collection<HourCounts>;
    let now: number;
    let fault: Fault | undefined;
    let faults: number;
    const opened: Counts<Name>[] = [];
    beforeEach(async () => {
      const own = await open();
      drop = own.drop;
      hourCounts = await own.store.collection(declareHourCounts('room'));
      now = START_MS;
      fault = undefined;
      faults = 0;
    });
    afterEach(async () => {
      fault = undefined;
      for (const counts of opened.splice(0)) await counts.close();
      await drop();
    });

    const start = async () => {
      const updateOne: typeof hourCounts.updateOne = async (...args) => {
        if (fault === 'refused') throw new Unavailable('Away');
        if (fault === 'conflict') {
          fault = undefined;
          throw new Conflict('_id');
        }
        const result = await hourCounts.updateOne(...args);
        if (fault === 'answer lost') throw new Unavailable('Away');
        return result;
      };
      const counts = createCounts<Name>({
        hourCounts: {
          find: (...args) => hourCounts.find(...args),
          deleteMany: (...args) => hourCounts.deleteMany(...args),
          updateOne,
        },
        clock: { now: () => now },
        random: systemRandom,
        retentionMs: RETENTION_MS,
        onFault: () => faults++,
      });
      opened.push(counts);
      // The first regular round stores nothing.
      await setImmediate();
      return counts;
    };
    const read = async (counts: Counts<Name>, intervalMs: number) => {
      const intervals = await counts.read({ ...EVERYTHING, intervalMs });
      return new Map<string, number>(
        [...intervals].flatMap(([ts, byName]) =>
          [...byName].map(([name, count]) => [`${ts} ${name}`, count] as const),
        ),
      );
    };

    const step = fc.oneof(
      fc.record({
        act: fc.constant('add' as const),
        who: fc.nat(1),
        name: fc.constantFrom<Name>('messages', 'reports'),
        number: fc.nat(3),
      }),
      fc.record({ act: fc.constant('store' as const), who: fc.nat(1) }),
      fc.record({
        act: fc.constant('fail' as const),
        who: fc.nat(1),
        how: fc.constantFrom<Fault>('refused', 'answer lost'),
      }),
      fc.record({ act: fc.constant('kill' as const), who: fc.nat(1) }),
      fc.record({ act: fc.constant('wait' as const), ms: fc.integer({ min: -HOUR_MS, max: 2 * HOUR_MS }) }),
    );

    it('counts are those of all instances, each once; a kill loses at most what was not stored', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          await hourCounts.deleteMany({});
          now = START_MS;
          const instances: [Counts<Name>, Counts<Name>] = [await start(), await start()];
          const unstored: [Map<string, number>, Map<string, number>] = [new Map(), new Map()];
          const least = new Map<string, number>();
          const most = new Map<string, number>();
          const raise = (counts: Map<string, number>, key: string, by: number) =>
            counts.set(key, (counts.get(key) ?? 0) + by);
          const stored = (who: 0 | 1) => {
            for (const [key, count] of unstored[who]) raise(least, key, count);
            unstored[who].clear();
          };
          for (const each of steps) {
            if (each.act === 'wait') {
              now += each.ms;
              continue;
            }
            const who = each.who as 0 | 1;
            if (each.act === 'add') {
              instances[who].add(each.name, each.number);
              const key = `${startOf(now, HOUR_MS)} ${each.name}`;
              for (const counts of [unstored[who], most])
                if (each.number > 0) raise(counts, key, each.number);
            } else if (each.act === 'store') {
              await instances[who].store();
              stored(who);
            } else if (each.act === 'fail') {
              fault = each.how;
              await instances[who].store();
              fault = undefined;
            } else {
              instances[who] = await start();
              unstored[who].clear();
            }
          }
          // At once, so that both begin the same hours.
          await Promise.all(instances.map((counts) => counts.store()));
          stored(0);
          stored(1);
          const hours = await read(instances[0], HOUR_MS);
          for (const key of new Set([...most.keys(), ...hours.keys()])) {
            expect(hours.get(key) ?? 0).toBeGreaterThanOrEqual(least.get(key) ?? 0);
            expect(hours.get(key) ?? 0).toBeLessThanOrEqual(most.get(key) ?? 0);
          }
          const days = new Map<string, number>();
          for (const [key, count] of hours) {
            const [ts, name] = key.split(' ');
            raise(days, `${startOf(Number(ts), DAY_MS)} ${name}`, count);
          }
          expect(await read(instances[0], DAY_MS)).toEqual(days);
        }),
        { numRuns: remote ? 5 : 60 },
      );
    });

    it('report a failure, and are stored later', async () => {
      const counts = await start();
      counts.add('messages');
      fault = 'refused';
      await counts.store();
      expect(faults).toBe(1);
      fault = undefined;
      expect(await read(counts, HOUR_MS)).toEqual(new Map([[`${startOf(START_MS, HOUR_MS)} messages`, 1]]));
    });

    it('counts are stored at once when another instance begins the hour at the same moment', async () => {
      const counts = await start();
      counts.add('messages');
      fault = 'conflict';
      await counts.store();
      expect(faults).toBe(0);
      expect(await hourCounts.countDocuments({})).toBe(1);
    });

    it('write nothing where nothing happened, and what happened when they are closed', async () => {
      const counts = await start();
      counts.add('messages', 0);
      await counts.store();
      expect(await hourCounts.countDocuments({})).toBe(0);
      counts.add('reports');
      await counts.close();
      expect(await hourCounts.find({}).toArray()).toMatchObject([{ _id: '2024-02-28T22' }]);
    });

    it('counts are removed after their retention', async () => {
      const counts = await start();
      for (const hours of [0, 1, 2]) {
        now = START_MS + hours * HOUR_MS;
        counts.add('messages');
      }
      await counts.store();
      now = START_MS + HOUR_MS + RETENTION_MS;
      await counts.removeOld();
      const left = await hourCounts.find({}, { sort: { _id: 1 } }).toArray();
      expect(left.map(({ _id }) => _id)).toEqual([1, 2].map((hours) => hourId(START_MS + hours * HOUR_MS)));
    });
  });
});
