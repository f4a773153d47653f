import { hourId } from '@steward/statistics';
import { Conflict, NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../deps.ts';
import { SAMPLED } from '../model/figure-sample.ts';
import { type FigureDeps, readServerFigures } from './read-server-figures.ts';

/**
 * Keeps the figures of the current hour, unless they are kept already. Those of a service that could not be reached are added by a
 * later call in the hour. Several instances keep one sample.
 */
export async function sampleFigures(deps: FigureDeps & Pick<Deps, 'figureSamples' | 'clock'>): Promise<void> {
  const { figureSamples, clock } = deps;
  const _id = hourId(clock.now());
  const kept = (await figureSamples.findOne({ _id }))?.figures ?? {};
  const missing = SAMPLED.filter((name) => kept[name] === undefined);
  if (missing.length === 0) return;
  const figures = await readServerFigures(deps);
  const read = missing.flatMap((name) => {
    const figure = figures[name];
    return figure === undefined ? [] : [[`figures.${name}`, figure] as const];
  });
  if (read.length === 0) return;
  try {
    await figureSamples.updateOne(
      { _id },
      { $set: Object.fromEntries(read) },
      { ...NOT_FLUSHED, upsert: true },
    );
  } catch (error) {
    // Another instance was quicker.
    if (!(error instanceof Conflict)) throw error;
  }
}

/** Removes the samples that are past their retention. */
export async function removeOldSamples({
  figureSamples,
  clock,
  statisticsRetentionMs,
}: Pick<Deps, 'figureSamples' | 'clock' | 'statisticsRetentionMs'>): Promise<void> {
  await figureSamples.deleteMany({ _id: { $lt: hourId(clock.now() - statisticsRetentionMs) } }, NOT_FLUSHED);
}
