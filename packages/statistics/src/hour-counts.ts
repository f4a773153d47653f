import { type CollectionDeclaration, declareCollection } from '@steward/store';
import type { CountingService } from './names.ts';

/** What the instances of a service counted in one hour. */
export interface HourCounts {
  /** The hour, see `hourId`. */
  readonly _id: string;
  /**
   * What each writer has counted in the hour so far, by name. Only one instance writes as a writer, and always the whole of what
   * it has counted, so a write can be repeated; the counts of all writers are added.
   */
  readonly writers: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/**
 * Declares the collection of what a service counts, one document for each hour.
 *
 * @param service the name of the service, with which the name of the collection begins
 */
export function declareHourCounts(service: CountingService): CollectionDeclaration<HourCounts> {
  return declareCollection<HourCounts>({ name: `${service}.hour_counts`, shardKey: null, indexes: [] });
}
