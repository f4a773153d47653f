import type { Collection, Doc, Filter, FindOptions, WriteOptions } from '@steward/store';

/** How documents are removed. */
export interface Removal<T extends Doc> {
  /** The order, for which there is an index with the filter. */
  readonly sort: NonNullable<FindOptions<T>['sort']>;
  /** The number of documents in one removal. */
  readonly size: number;
  readonly options?: WriteOptions;
  /** Runs before each removal, with the ids of its documents; after a crash in between, again. */
  readonly before?: (ids: readonly string[]) => Promise<void>;
}

/** Removes the documents that a filter selects, in batches. What no longer matches when its batch is removed stays. */
export async function removeInBatches<T extends Doc>(
  collection: Collection<T>,
  filter: Filter<T>,
  { sort, size, options, before }: Removal<T>,
): Promise<void> {
  for (;;) {
    const found = await collection
      .find(filter, { sort, limit: size, projection: { _id: 1 } as { [K in keyof T & string]?: 1 } })
      .toArray();
    const ids = found.map(({ _id }) => _id);
    if (ids.length > 0) {
      await before?.(ids);
      await collection.deleteMany({ ...filter, _id: { $in: ids } } as Filter<T>, options);
    }
    if (found.length < size) return;
  }
}
