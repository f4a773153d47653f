import { type Doc, declareCollection } from '@steward/store';

/** The figures of which samples are kept. */
export const SAMPLED = [
  'accounts',
  'daily_active_users',
  'rooms',
  'local_media_bytes',
  'open_reports',
] as const;

/** Figures as they were in one hour. Those of a service that could not be reached are absent. */
export type SampledFigures = Readonly<Partial<Record<(typeof SAMPLED)[number], number>>>;

/** The figures of the server as they were in one hour. */
export interface FigureSample extends Doc {
  /** The hour, see `hourId`. */
  readonly _id: string;
  readonly figures: SampledFigures;
}

/** The figures of the server over time. */
export const figureSamples = declareCollection<FigureSample>({
  name: 'moderation.figure_samples',
  shardKey: null,
  indexes: [],
});
