import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import { optionalInt64 } from '@steward/kernel';
import type {
  GetHistoryRequest,
  GetHistoryResponseSchema,
} from '@steward/proto/steward/moderation/v1/statistics_pb.ts';
import { type CountsByName, type CountsRange, DAY_MS, HOUR_MS, startOf } from '@steward/statistics';
import type { Deps } from '../../core/deps.ts';
import type { SampledFigures } from '../../core/model/figure-sample.ts';
import { readSamples } from '../../core/statistics/read-samples.ts';

/** The intervals: their length, how far before the last one the first is unless requested, and at most. In milliseconds. */
const INTERVALS: ReadonlyMap<string, Interval> = new Map([
  ['hour', { lengthMs: HOUR_MS, usualMs: 23 * HOUR_MS, maxMs: 31 * DAY_MS }],
  ['day', { lengthMs: DAY_MS, usualMs: 29 * DAY_MS, maxMs: 731 * DAY_MS }],
]);

interface Interval {
  readonly lengthMs: number;
  readonly usualMs: number;
  readonly maxMs: number;
}

type HistoryDeps = Pick<
  Deps,
  'clock' | 'counts' | 'figureSamples' | 'peerStatistics' | 'statisticsRetentionMs'
>;

/** Returns the figures of the past, with one call of each service. */
export async function getHistory(
  deps: HistoryDeps,
  request: GetHistoryRequest,
): Promise<MessageInitShape<typeof GetHistoryResponseSchema>> {
  const range = rangeOf(deps, request);
  const { user, room, media } = deps.peerStatistics;
  const [samples, own, ofUser, ofRoom, ofMedia] = await Promise.all([
    readSamples(deps, range),
    deps.counts.read(range),
    user.counts(range),
    room.counts(range),
    media.counts(range),
  ]);
  const points = [];
  for (let ts = range.from; ts < range.until; ts += range.intervalMs) {
    const sampled = (name: keyof SampledFigures) => optionalInt64(samples.get(ts)?.[name] ?? null);
    const counted = (counts: ReadonlyMap<number, CountsByName> | undefined, name: string) =>
      counts && BigInt(counts.get(ts)?.get(name) ?? 0);
    points.push({
      ts: BigInt(ts),
      accounts: sampled('accounts'),
      dailyActiveUsers: sampled('daily_active_users'),
      rooms: sampled('rooms'),
      localMediaBytes: sampled('local_media_bytes'),
      openReports: sampled('open_reports'),
      registrations: counted(ofUser, 'registrations'),
      signIns: counted(ofUser, 'sign_ins'),
      failedSignIns: counted(ofUser, 'failed_sign_ins'),
      messages: counted(ofRoom, 'messages'),
      uploads: counted(ofMedia, 'uploads'),
      reports: counted(own, 'reports'),
    });
  }
  return { points };
}

/**
 * The intervals that are requested, without those that are past the retention, or are to come.
 *
 * @throws refuse.invalidParam for an end before the start, and for too many intervals
 */
function rangeOf(
  { clock, statisticsRetentionMs }: Pick<Deps, 'clock' | 'statisticsRetentionMs'>,
  { interval = 'hour', fromTs, untilTs }: GetHistoryRequest,
): CountsRange {
  const chosen = INTERVALS.get(interval);
  if (!chosen) throw refuse.invalidParam("'interval' must be hour or day");
  const { lengthMs, usualMs, maxMs } = chosen;
  const now = clock.now();
  const requested = startOf(Number(untilTs ?? now), lengthMs);
  const last = Math.min(requested, startOf(now, lengthMs));
  const first = fromTs === undefined ? last - usualMs : startOf(Number(fromTs), lengthMs);
  if (fromTs !== undefined && Number(fromTs) > Number(untilTs ?? now))
    throw refuse.invalidParam("'until_ts' must not be earlier than 'from_ts'");
  if (fromTs !== undefined && requested - first > maxMs)
    throw refuse.invalidParam(`'until_ts' must be at most ${maxMs} ms later than 'from_ts'`);
  const kept = Math.ceil(startOf(now - statisticsRetentionMs, HOUR_MS) / lengthMs) * lengthMs;
  const until = last + lengthMs;
  return { from: Math.min(Math.max(first, kept), until), until, intervalMs: lengthMs };
}
