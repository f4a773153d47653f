import type { BulkResult, UpdateResult } from '../../port/collection.ts';

/** A document before and after an update; equal texts when nothing changed, no `before` when it was inserted. */
export interface Change {
  readonly before: string | undefined;
  readonly after: string;
}

const NOTHING: UpdateResult = { matchedCount: 0, modifiedCount: 0, upsertedCount: 0 };

/** The result of an update that made a change, or found no document. */
export function resultOf(change: Change | undefined): UpdateResult {
  if (!change) return NOTHING;
  if (change.before === undefined) return { ...NOTHING, upsertedCount: 1 };
  return { ...NOTHING, matchedCount: 1, modifiedCount: change.before === change.after ? 0 : 1 };
}

/** The counts of a bulk write, to which those of its operations are added. */
type Total = { -readonly [K in keyof BulkResult]: BulkResult[K] };

/** A total of no operations. */
export const newTotal = (): Total => ({
  insertedCount: 0,
  matchedCount: 0,
  modifiedCount: 0,
  deletedCount: 0,
  upsertedCount: 0,
});

/** Adds the counts of one operation to a total. */
export function add(total: Total, result: Partial<BulkResult>): void {
  total.insertedCount += result.insertedCount ?? 0;
  total.matchedCount += result.matchedCount ?? 0;
  total.modifiedCount += result.modifiedCount ?? 0;
  total.upsertedCount += result.upsertedCount ?? 0;
  total.deletedCount += result.deletedCount ?? 0;
}
