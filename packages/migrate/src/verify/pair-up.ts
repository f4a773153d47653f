/** An item of both lists, or of one alone. */
export interface Pair<T> {
  readonly key: string;
  readonly old: T | undefined;
  readonly now: T | undefined;
}

/**
 * Pairs the items of two lists that have about the same order. Only items whose counterpart has not come yet are in memory; those
 * without one come last.
 */
export async function* pairUp<T>(
  old: AsyncIterable<T>,
  now: AsyncIterable<T>,
  keyOf: (item: T) => string,
): AsyncGenerator<Pair<T>> {
  const sides = [old, now].map((items) => ({
    items: items[Symbol.asyncIterator](),
    alone: new Map<string, T>(),
    hasEnded: false,
  }));
  const [first, second] = sides as [(typeof sides)[number], (typeof sides)[number]];
  while (!(first.hasEnded && second.hasEnded)) {
    for (const [side, other] of [
      [first, second],
      [second, first],
    ] as const) {
      if (side.hasEnded) continue;
      const { done, value } = await side.items.next();
      if (done) {
        side.hasEnded = true;
        continue;
      }
      const key = keyOf(value);
      const partner = other.alone.get(key);
      if (partner === undefined) {
        side.alone.set(key, value);
        continue;
      }
      other.alone.delete(key);
      yield side === first ? { key, old: value, now: partner } : { key, old: partner, now: value };
    }
  }
  for (const [key, item] of first.alone) yield { key, old: item, now: undefined };
  for (const [key, item] of second.alone) yield { key, old: undefined, now: item };
}
