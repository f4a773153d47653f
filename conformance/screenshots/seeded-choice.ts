/** Chooses in the same way in every run. */
export interface Choice {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** One of the items, which are not empty. */
  of<T>(items: readonly T[]): T;
}

/** Returns choices that the seed determines (the generator mulberry32). */
export function createChoice(seed: number): Choice {
  let state = seed;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return { below, of: <T>(items: readonly T[]) => items[below(items.length)] as T };
}
