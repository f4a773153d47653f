import type { BulkOptions, Filter, WriteOptions } from '@steward/store';
import type { Aggregate } from './aggregate.ts';
import { type AggregateCollection, collectionOf } from './aggregate-collection.ts';
import { type Change, versionedUpdate } from './commit.ts';

/**
 * Inserts aggregates in bulk, as imports do; see `Collection.insertMany`.
 *
 * @throws Conflict when some could not be inserted; `insertedCount` is the number of inserted ones
 */
export function insertAggregates<T extends Aggregate>(
  aggregates: AggregateCollection<T>,
  documents: readonly T[],
  options?: BulkOptions,
): Promise<{ readonly insertedCount: number }> {
  return collectionOf(aggregates).insertMany(documents, options);
}

/**
 * Commits one change to every matching aggregate, one by one and independent of its version: for changes whose only
 * condition is the filter. It neither applies nor adds pending effects.
 *
 * @returns how many matched
 */
export async function changeAggregates<T extends Aggregate>(
  aggregates: AggregateCollection<T>,
  filter: Filter<T>,
  change: Change<T>,
  options?: WriteOptions,
): Promise<number> {
  const update = versionedUpdate(change, []);
  const { matchedCount } = await collectionOf(aggregates).updateMany(filter, update, options);
  return matchedCount;
}

/**
 * Deletes every matching aggregate, one by one and independent of its version, with its pending effects.
 *
 * @returns how many were deleted
 */
export async function deleteAggregates<T extends Aggregate>(
  aggregates: AggregateCollection<T>,
  filter: Filter<T>,
  options?: WriteOptions,
): Promise<number> {
  return (await collectionOf(aggregates).deleteMany(filter, options)).deletedCount;
}
