import { type CountsRange, hourId, startOf, startOfHour } from '@steward/statistics';
import type { Deps } from '../deps.ts';
import type { SampledFigures } from '../model/figure-sample.ts';

/** Reads the last sample of each figure in each interval, by the start of the interval; intervals without samples are left out. */
export async function readSamples(
  { figureSamples }: Pick<Deps, 'figureSamples'>,
  { from, until, intervalMs }: CountsRange,
): Promise<ReadonlyMap<number, SampledFigures>> {
  const read = new Map<number, SampledFigures>();
  const range = { _id: { $gte: hourId(from), $lt: hourId(until) } };
  for await (const { _id, figures } of figureSamples.find(range, { sort: { _id: 1 } })) {
    const start = startOf(startOfHour(_id), intervalMs);
    read.set(start, { ...read.get(start), ...figures });
  }
  return read;
}
