import { createClient, type Transport } from '@connectrpc/connect';
import { StatisticsOwnerService } from '@steward/proto/steward/statistics/v1/statistics_pb.ts';
import type { CountsByName, CountsRange } from './counts.ts';
import type { CountingService } from './names.ts';
import { FIGURES, type Figures } from './names.ts';

/** How long the answer of a service is waited for, in milliseconds: one that hangs must not delay the figures of others. */
const TIMEOUT_MS = 5_000;

/** The statistics of another service; undefined while it cannot be reached. */
export interface RemoteStatistics<S extends CountingService> {
  figures(): Promise<Figures<S> | undefined>;
  counts(range: CountsRange): Promise<ReadonlyMap<number, CountsByName> | undefined>;
}

/** Reads the statistics of another service through a transport, in one call each. */
export function statisticsThrough<S extends CountingService>(
  transport: Transport,
  service: S,
): RemoteStatistics<S> {
  const client = createClient(StatisticsOwnerService, transport);
  const options = { timeoutMs: TIMEOUT_MS };
  return {
    async figures() {
      const answer = await client.readFigures({}, options).catch(() => undefined);
      if (!answer) return undefined;
      const names: readonly string[] = FIGURES[service];
      return Object.fromEntries(names.map((name) => [name, Number(answer.figures[name] ?? 0)])) as Figures<S>;
    },
    async counts({ from, until, intervalMs }) {
      const range = { fromTs: BigInt(from), untilTs: BigInt(until), intervalMs: BigInt(intervalMs) };
      const answer = await client.readCounts(range, options).catch(() => undefined);
      if (!answer) return undefined;
      return new Map(
        answer.intervals.map(({ ts, counts }) => [
          Number(ts),
          new Map(Object.entries(counts).map(([name, count]) => [name, Number(count)])),
        ]),
      );
    },
  };
}
