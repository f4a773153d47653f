import type { Aggregate } from './aggregate.ts';
import type { Collection } from './port/collection.ts';
import type { Filter } from './port/filter.ts';
import { type ApplyOwed, settleOwed } from './settle-owed.ts';

/**
 * Settles every document that owes something, `batch` at a time. A document that cannot be settled
 * does not keep the others from it.
 *
 * @returns how many documents were settled
 * @throws AggregateError at the end, with what went wrong for each of the others
 */
export async function sweepOwed<T extends Aggregate>(
  collection: Collection<T>,
  apply: ApplyOwed<T>,
  options: { readonly batch: number },
): Promise<number> {
  // Not $exists: an empty list leaves an entry in some engines' indexes, and a bound passes it over.
  const filter = { 'pending.id': { $gt: '' } } as Filter<Aggregate> as Filter<T>;
  const errors: unknown[] = [];
  let settled = 0;
  const settleBatch = async (batch: readonly T[]) => {
    const outcomes = await Promise.allSettled(
      batch.map((document) => settleOwed(collection, document, apply)),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') settled++;
      else errors.push(outcome.reason);
    }
  };
  let batch: T[] = [];
  for await (const document of collection.find(filter)) {
    batch.push(document);
    if (batch.length < options.batch) continue;
    await settleBatch(batch);
    batch = [];
  }
  await settleBatch(batch);
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} documents of the sweep were not settled`);
  return settled;
}
