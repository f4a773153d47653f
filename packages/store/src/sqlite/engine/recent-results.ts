import { LRUCache } from 'lru-cache';
import type { Revision } from './revision.ts';

/** The most results that are cached of a store. */
const MAX_RESULTS = 1_024;
/** The longest result that is cached, in characters. */
const MAX_LENGTH = 128 * 1024;
/** The most characters of all cached results of a store; in memory they take a few times as many bytes. */
const MAX_TOTAL_LENGTH = 512 * 1024;

/** What an index answered. */
export interface Result<V> {
  readonly values: readonly V[];
  /** About how long it is, in characters. */
  readonly length: number;
}

interface Entry extends Result<unknown> {
  readonly revision: number;
}

/**
 * A cache of what indexes answered, each until the revision of its collection rises. So a result depends on nothing but values
 * of indexes. It is given to many readers, which must not change it.
 */
export class RecentResults {
  /** Created with the first result, because a cache allocates its slots at once. */
  #results: LRUCache<string, Entry> | undefined;
  /** The revision of each collection when a result was last asked for. */
  readonly #seen = new Map<string, number>();

  /**
   * The result of a query, from the cache or from `read`. While each query meets another revision of the collection, nothing is
   * cached, because it would not be used.
   *
   * @param key of the query, among all of the collection
   */
  recall<V>(
    collection: string,
    { number: revision }: Revision,
    key: () => string,
    read: () => Result<V> | undefined,
  ): readonly V[] | undefined {
    if (this.#seen.get(collection) !== revision) {
      this.#seen.set(collection, revision);
      return read()?.values;
    }
    const name = `${collection} ${key()}`;
    const known = this.#results?.get(name);
    if (known?.revision === revision) return known.values as readonly V[];
    const found = read();
    if (!found || found.length > MAX_LENGTH) return found?.values;
    this.#results ??= new LRUCache({ max: MAX_RESULTS, maxSize: MAX_TOTAL_LENGTH });
    this.#results.set(name, { ...found, revision }, { size: name.length + found.length });
    return found.values;
  }
}
