import { LRUCache } from 'lru-cache';

/** How a cache is bounded by itself. */
export interface CacheOptions<K extends {}, V extends {}> {
  /** The most entries. */
  readonly max: number;
  /** Called with each entry that leaves or is replaced. */
  readonly dispose?: (value: V, key: K) => void;
}

/** The part of the bound that is freed at least when it is reached, so that not each addition sums the sizes of all caches. */
const FREED = 1 / 64;

/**
 * One limit on the memory of several caches; the largest evicts its least recently used entry. So a read costs no more than with one
 * cache, and entries of a small cache, which every request reads, stay while a pass over many documents fills a large one.
 */
export class SharedBound {
  readonly #max: number;
  readonly #caches: LRUCache<never, never>[] = [];
  /** What can be added before the sizes are summed again. */
  #free: number;

  constructor(max: number) {
    this.#max = max;
    this.#free = max;
  }

  /** Creates a cache that shares the bound. Entries are added with `set` of this class. */
  cache<K extends {}, V extends {}>(options: CacheOptions<K, V>): LRUCache<K, V> {
    const cache = new LRUCache<K, V>({ ...options, maxSize: this.#max });
    this.#caches.push(cache as unknown as LRUCache<never, never>);
    return cache;
  }

  /** Adds an entry to one of the caches, unless it alone exceeds the bound. Returns whether it was added. */
  set<K extends {}, V extends {}>(cache: LRUCache<K, V>, key: K, value: V, size: number): boolean {
    cache.set(key, value, { size });
    if (size > this.#max) return false;
    this.#free -= size;
    if (this.#free >= 0) return true;
    let total = this.#total();
    const most = total > this.#max ? this.#max * (1 - FREED) : this.#max;
    while (total > most) {
      // What was added last stays.
      const others = this.#caches.filter((each) => each.size > ((each as unknown) === cache ? 1 : 0));
      if (others.length === 0) break;
      others.reduce((one, other) => (other.calculatedSize > one.calculatedSize ? other : one)).pop();
      total = this.#total();
    }
    this.#free = this.#max - total;
    return true;
  }

  #total(): number {
    return this.#caches.reduce((sum, { calculatedSize }) => sum + calculatedSize, 0);
  }
}
