import type { Collection, FindOptions, WriteOptions } from './port/collection.ts';
import type { Doc } from './port/declaration.ts';
import type { Filter, Projection, Sort } from './port/filter.ts';

/** The documents that are removed together unless a caller says otherwise; the embedded engine serves other requests in between. */
const BATCH = 500;

/** How documents are removed. */
export interface Removal<T extends Doc> {
  /** The order, for which there is an index with the filter; none in particular unless given. */
  readonly sort?: Sort<T>;
  /** The most documents in one removal; 500 unless given. */
  readonly size?: number;
  readonly options?: WriteOptions;
  /** Runs before each removal, with the ids of its documents; after a crash in between, again. */
  readonly before?: (ids: readonly string[]) => Promise<void>;
  /** Runs after each removal. */
  readonly after?: () => Promise<void>;
}

type Removable<T extends Doc> = Pick<Collection<T>, 'find' | 'deleteMany'>;

/**
 * Removes one batch of the documents that a filter selects. What no longer matches when the batch is removed stays.
 *
 * @returns how many documents were removed, and whether more may match
 */
export async function removeBatch<T extends Doc>(
  collection: Removable<T>,
  filter: Filter<T>,
  { sort, size = BATCH, options, before, after }: Removal<T> = {},
): Promise<{ readonly removed: number; readonly more: boolean }> {
  const projection = { _id: 1 } as Projection<T>;
  const found = await collection
    .find(filter, { ...(sort ? { sort } : {}), limit: size, projection })
    .toArray();
  const more = found.length === size;
  if (found.length === 0) return { removed: 0, more };
  const ids = found.map(({ _id }) => _id);
  await before?.(ids);
  const chosen = { ...filter, _id: { $in: ids } } as Filter<T>;
  const { deletedCount: removed } = await collection.deleteMany(chosen, options);
  await after?.();
  return { removed, more };
}

/**
 * Removes the documents that a filter selects, in batches. It can be interrupted, repeated, and run in several processes.
 *
 * @returns how many documents were removed
 */
export async function removeInBatches<T extends Doc>(
  collection: Removable<T>,
  filter: Filter<T>,
  removal?: Removal<T>,
): Promise<number> {
  for (let all = 0; ; ) {
    const { removed, more } = await removeBatch(collection, filter, removal);
    all += removed;
    if (!more) return all;
  }
}

/**
 * Reads the documents that a filter selects in batches, in the order of their ids, so that changes which they undergo
 * meanwhile neither repeat nor omit others.
 *
 * @param filter without a condition on `_id`
 * @param visit resolves to false to be called with the batch again, read anew, and to `stop` to end early
 */
export async function forEachBatch<T extends Doc>(
  collection: Pick<Collection<T>, 'find'>,
  filter: Filter<T>,
  { size, projection }: { readonly size: number; readonly projection?: FindOptions<T>['projection'] },
  visit: (batch: readonly T[]) => Promise<unknown>,
): Promise<void> {
  const options = { sort: { _id: 1 } as Sort<T>, limit: size, ...(projection ? { projection } : {}) };
  // A store that is open for loading serves no query without a condition.
  for (let last = ''; ; ) {
    const from = { ...filter, _id: { $gt: last } } as Filter<T>;
    const batch = await collection.find(from, options).toArray();
    const end = batch.at(-1);
    if (!end) return;
    const outcome = await visit(batch);
    if (outcome === 'stop') return;
    if (outcome === false) continue;
    if (batch.length < size) return;
    last = end._id;
  }
}
