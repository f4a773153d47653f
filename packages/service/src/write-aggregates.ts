import {
  type Along,
  type BulkOperation,
  type BulkOptions,
  Conflict,
  type Filter,
  type WriteOptions,
  type WritesAlong,
} from '@steward/store';
import type { Aggregate } from './aggregate.ts';
import { type AggregateCollection, collectionOf } from './aggregate-collection.ts';
import { byVersion, type Change, versionedUpdate } from './commit.ts';

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
 * Prepares aggregates to be inserted along with a change of another one; see `Collection.insertion`.
 *
 * @throws TypeError on a store without the capability `insertsAlongCommit`
 */
export function aggregateInsertion<T extends Aggregate>(
  aggregates: AggregateCollection<T>,
  documents: readonly T[],
): WritesAlong {
  return collectionOf(aggregates).insertion(documents);
}

/** One of several commits: a new aggregate, or a change that was decided on `current`. */
export type BulkCommit<T> = Along &
  ({ readonly create: T } | { readonly current: T; readonly change: Change<T> });

/**
 * Makes several commits in one bulk write, each in one attempt and on its own, with what is inserted along. They neither
 * apply nor add pending effects.
 *
 * @returns whether all of them were made; not when another commit has changed one of the aggregates since
 */
export async function commitAll<T extends Aggregate>(
  aggregates: AggregateCollection<T>,
  commits: readonly BulkCommit<T>[],
  options?: WriteOptions,
): Promise<boolean> {
  const operations = commits.map((commit): BulkOperation<T> => {
    const along = commit.along ? { along: commit.along } : {};
    if ('create' in commit) return { insertOne: { document: commit.create, ...along } };
    const update = versionedUpdate(commit.change, []);
    return { updateOne: { filter: byVersion(commit.current), update, ...along } };
  });
  try {
    const collection = collectionOf(aggregates);
    const { insertedCount, matchedCount } = await collection.bulkWrite(operations, {
      ...options,
      ordered: false,
    });
    return insertedCount + matchedCount === commits.length;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
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
