import { refuse } from '@steward/errors';
import { StatisticsOwnerService } from '@steward/proto/steward/statistics/v1/statistics_pb.ts';
import { type Route, route } from '@steward/rpc';
import type { Counts } from './counts.ts';
import { DAY_MS, HOUR_MS } from './intervals.ts';

/** What a service shows of itself in the statistics of the server. */
export interface ServiceStatistics {
  /** Reads its present figures. */
  readonly figures: () => Promise<Readonly<Record<string, number>>>;
  readonly counts: Pick<Counts<string>, 'read'>;
}

/** The RPCs with which another service reads the figures and the counts of this one. */
export function statisticsRoute({ figures, counts }: ServiceStatistics): Route {
  return route(StatisticsOwnerService, {
    readFigures: async () => ({ figures: toWire(Object.entries(await figures())) }),
    async readCounts({ fromTs, untilTs, intervalMs }) {
      const length = Number(intervalMs);
      if (length !== HOUR_MS && length !== DAY_MS)
        throw refuse.invalidParam('An interval is an hour or a day');
      const range = { from: Number(fromTs), until: Number(untilTs), intervalMs: length };
      const intervals = [...(await counts.read(range))];
      return { intervals: intervals.map(([ts, counted]) => ({ ts: BigInt(ts), counts: toWire(counted) })) };
    },
  });
}

function toWire(numbers: Iterable<readonly [name: string, number: number]>): Record<string, bigint> {
  return Object.fromEntries([...numbers].map(([name, number]) => [name, BigInt(number)]));
}
