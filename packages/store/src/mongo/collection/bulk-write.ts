import { type AnyBulkWriteOperation, type Collection, MongoBulkWriteError } from 'mongodb';
import type { BulkOptions, BulkResult } from '../../port/collection.ts';
import { Conflict } from '../../port/errors.ts';
import { translateError } from '../translate/translate-error.ts';
import type { Stored } from './engine.ts';

/** An operation of a bulk write, in the driver's form. */
export type Write = AnyBulkWriteOperation<Stored>;

const COUNTS = ['insertedCount', 'matchedCount', 'modifiedCount', 'deletedCount', 'upsertedCount'] as const;

/** @throws Conflict after the operations that succeed, with their counts */
export async function bulkWrite(
  collection: Collection<Stored>,
  writes: readonly Write[],
  { ordered = true }: BulkOptions,
): Promise<BulkResult> {
  const total = { insertedCount: 0, matchedCount: 0, modifiedCount: 0, deletedCount: 0, upsertedCount: 0 };
  let conflict: Conflict | undefined;
  for (const run of ordered ? [writes] : runsOfOneKind(writes)) {
    if (run.length === 0) continue;
    try {
      const result = await collection.bulkWrite(run, { ordered });
      for (const count of COUNTS) total[count] += result[count];
    } catch (error) {
      const translated = translateError(error);
      if (!(translated instanceof Conflict)) throw translated;
      if (error instanceof MongoBulkWriteError) for (const count of COUNTS) total[count] += error[count];
      conflict ??= translated;
    }
  }
  if (conflict) throw new Conflict(conflict.index, { ...total, cause: conflict.cause });
  return total;
}

/**
 * Groups consecutive operations of one kind. In an unordered bulk write the driver runs all inserts before all updates
 * and deletes, so that a later operation would not see an earlier one.
 */
function runsOfOneKind(writes: readonly Write[]): Write[][] {
  const runs: Write[][] = [];
  let kind: string | undefined;
  for (const write of writes) {
    const [name = ''] = Object.keys(write);
    const kindHere = name.replace(/One$|Many$/, '');
    if (kindHere === kind) runs.at(-1)?.push(write);
    else runs.push([write]);
    kind = kindHere;
  }
  return runs;
}
