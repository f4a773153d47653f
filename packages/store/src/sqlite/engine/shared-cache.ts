import { LRUCache } from 'lru-cache';

/** The part of the bound that is freed together, because finding out which cache has the oldest entries costs microseconds. */
const FREED_PART = 1 / 32;

/** The bound of the sizes of all entries of several caches. What was used least recently in any of them goes first. */
export class SharedBound {
  readonly max: number;
  readonly #caches: Sharer[] = [];
  #uses = 0;

  constructor(max: number) {
    this.max = max;
  }

  /** Makes a cache count. */
  add(cache: Sharer): void {
    this.#caches.push(cache);
  }

  /** The number of one more use, by which entries of different caches are compared. */
  use(): number {
    return ++this.#uses;
  }

  /** Removes entries if there are too many, but not the one that was used last. */
  enforce(): void {
    let excess = this.#caches.reduce((sum, { size }) => sum + size, -this.max);
    if (excess <= 0) return;
    excess += FREED_PART * this.max;
    while (excess > 0) {
      const ages = this.#caches.map((cache) => ({ cache, leastUse: cache.leastUse }));
      const [oldest, next] = ages.sort((one, other) => one.leastUse - other.leastUse);
      if (!oldest || oldest.leastUse >= this.#uses) return;
      const { cache } = oldest;
      const before = cache.size;
      const limit = Math.min(next?.leastUse ?? this.#uses, this.#uses);
      do cache.removeLeast();
      while (before - cache.size < excess && cache.leastUse < limit);
      excess -= before - cache.size;
    }
  }
}

/** A cache that shares a bound. */
interface Sharer {
  /** The sizes of its entries together. */
  readonly size: number;
  /** The use of the entry that was used least recently; infinite without entries. */
  readonly leastUse: number;
  /** Removes that entry. */
  removeLeast(): void;
}

interface Entry<V> {
  readonly value: V;
  usedAt: number;
}

/** How a cache is bounded by itself. */
export interface SharedCacheOptions<V> {
  /** The most entries. */
  readonly max: number;
  /** Called with each entry that leaves or is replaced. */
  readonly dispose?: (value: V) => void;
}

/** A cache whose entries count in a bound that it shares with others. */
export class SharedCache<K extends string | number, V> {
  readonly #bound: SharedBound;
  readonly #entries: LRUCache<K, Entry<V>>;

  constructor(bound: SharedBound, { max, dispose }: SharedCacheOptions<V>) {
    this.#bound = bound;
    const entries = new LRUCache<K, Entry<V>>({
      max,
      maxSize: bound.max,
      ...(dispose && { dispose: ({ value }) => dispose(value) }),
    });
    this.#entries = entries;
    bound.add({
      get size() {
        return entries.calculatedSize;
      },
      get leastUse() {
        const { value } = entries.rvalues().next();
        return value?.usedAt ?? Number.POSITIVE_INFINITY;
      },
      removeLeast: () => void entries.pop(),
    });
  }

  /** The number of entries. */
  get count(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.usedAt = this.#bound.use();
    return entry.value;
  }

  /** Keeps a value, unless it alone exceeds the bound. Returns whether it is kept. */
  set(key: K, value: V, size: number): boolean {
    this.#entries.set(key, { value, usedAt: this.#bound.use() }, { size });
    this.#bound.enforce();
    return size <= this.#bound.max;
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  forEach(visit: (value: V) => void): void {
    for (const { value } of this.#entries.values()) visit(value);
  }
}
