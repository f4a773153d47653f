/** Helpers for tests of engines and of their users. */
import type { Collection, FindOptions } from './port/collection.ts';
import type { Doc } from './port/declaration.ts';
import type { Filter } from './port/filter.ts';
import type { Explanation } from './sqlite/collection/explain.ts';
import { SqliteCollection } from './sqlite/collection/sqlite-collection.ts';

export { type Around, aroundCollection, type StoreOperation } from './around-collection.ts';
export type { Explanation } from './sqlite/collection/explain.ts';
export { type CrashableStore, type CrashPoint, crashableStore } from './testing/crashable-store.ts';
export { type Route, routeOf } from './testing/route-of.ts';
export { sharedStore } from './testing/shared-store.ts';
export { type OfferedStore, type OwnStore, stores } from './testing/stores.ts';
export { type IssuedQuery, watchQueries } from './testing/watch-queries.ts';

/**
 * How the embedded engine would answer a `find` if the collection were large.
 *
 * @throws TypeError for a collection of another engine
 */
export function explain<T extends Doc>(
  collection: Collection<T>,
  filter: Filter<T>,
  options: FindOptions<T> = {},
): Explanation {
  return embedded(collection).explain(filter, options);
}

/**
 * How the embedded engine would answer a `countDocuments` if the collection were large.
 *
 * @throws TypeError for a collection of another engine
 */
export function explainCount<T extends Doc>(collection: Collection<T>, filter: Filter<T>): Explanation {
  return embedded(collection).explainCount(filter);
}

function embedded<T extends Doc>(collection: Collection<T>): SqliteCollection<T> {
  if (!(collection instanceof SqliteCollection))
    throw new TypeError('Only the embedded engine explains its plans');
  return collection;
}
