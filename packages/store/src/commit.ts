import { type Aggregate, MAX_OWED, MAX_OWED_BYTES, type Owed } from './aggregate.ts';
import type { Collection, Insertion, WriteOptions } from './port/collection.ts';
import { Conflict } from './port/errors.ts';
import type { Filter } from './port/filter.ts';
import type { Update } from './port/update.ts';

/** A change that `commit` makes; each part has the meaning of the update operator of its name. */
export interface Change<T> {
  readonly set?: Update<T>['$set'];
  readonly unset?: Update<T>['$unset'];
  readonly inc?: Update<T>['$inc'];
  readonly push?: Update<T>['$push'];
  readonly pull?: Update<T>['$pull'];
  readonly addToSet?: Update<T>['$addToSet'];
}

/** The circumstances of a commit. */
export interface CommitOptions extends WriteOptions {
  /** What is inserted in the same step, on engines that can. */
  readonly along?: readonly Insertion[];
}

/**
 * Changes an aggregate in one atomic step, on the condition that it still has the version of
 * `current`, and notes what the change owes.
 *
 * @returns the document as it is now
 * @throws Conflict on `version` when somebody else changed or deleted it meanwhile
 * @throws RangeError when the document would owe more than `MAX_OWED`, or a reference is larger than `MAX_OWED_BYTES`
 */
export async function commit<T extends Aggregate>(
  collection: Collection<T>,
  current: T,
  change: Change<T>,
  owed: readonly Owed[] = [],
  options: CommitOptions = {},
): Promise<T> {
  const owedInAll = (current.pending?.length ?? 0) + owed.length;
  if (owedInAll > MAX_OWED) throw new RangeError(`${current._id} would owe ${owedInAll} references`);
  for (const entry of owed) {
    const bytes = Buffer.byteLength(JSON.stringify(entry));
    if (bytes > MAX_OWED_BYTES)
      throw new RangeError(`Reference ${entry.kind} of ${current._id} has ${bytes} bytes`);
  }
  const update: Record<string, unknown> = { $inc: { ...change.inc, version: 1 } };
  if (change.set) update.$set = change.set;
  if (change.unset) update.$unset = change.unset;
  if (change.pull) update.$pull = change.pull;
  if (change.addToSet) update.$addToSet = change.addToSet;
  if (change.push || owed.length > 0)
    update.$push = { ...change.push, ...(owed.length > 0 ? { pending: { $each: owed } } : {}) };
  const filter = { _id: current._id, version: current.version } as Filter<Aggregate> as Filter<T>;
  const changed = await collection.findOneAndUpdate(filter, update as Update<T>, {
    returnDocument: 'after',
    ...options,
  });
  if (!changed) throw new Conflict('version');
  return changed;
}
