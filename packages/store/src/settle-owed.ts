import type { Aggregate, Owed } from './aggregate.ts';
import type { Collection } from './port/collection.ts';
import type { Filter } from './port/filter.ts';
import type { Update } from './port/update.ts';

/** Brings about what a reference stands for: effects first, then facts. Running it again must do no harm. */
export type ApplyOwed<T extends Aggregate> = (owed: Owed, document: T) => Promise<void>;

/**
 * Applies what a document owes, in order, and removes what has been applied. Callers may do so at
 * the same time. When `apply` throws, what was applied before is removed and the error is thrown.
 *
 * @returns the document without the references; as it is now, if there were any
 */
export async function settleOwed<T extends Aggregate>(
  collection: Collection<T>,
  document: T,
  apply: ApplyOwed<T>,
): Promise<T> {
  const { pending = [] } = document;
  if (pending.length === 0) return document;
  const settled: string[] = [];
  let settledDocument: T | null = null;
  try {
    for (const owed of pending) {
      await apply(owed, document);
      settled.push(owed.id);
    }
  } finally {
    if (settled.length > 0) {
      const filter = { _id: document._id } as Filter<Aggregate> as Filter<T>;
      const update: Update<Aggregate> = { $pull: { pending: { id: { $in: settled } } } };
      settledDocument = await collection.findOneAndUpdate(filter, update as Update<T>, {
        returnDocument: 'after',
        // Lost with the power, it is applied and removed once more.
        durable: false,
      });
    }
  }
  return settledDocument ?? { ...document, pending: [] };
}
