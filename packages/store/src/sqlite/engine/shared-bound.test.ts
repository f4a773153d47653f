import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SharedBound } from './shared-bound.ts';

const MAX = 64;

it('the largest cache loses what was used least recently in it', () => {
  const bound = new SharedBound(MAX);
  const small = bound.cache<string, string>({ max: 10 });
  const large = bound.cache<string, string>({ max: 10 });
  bound.set(small, 'a', 'A', 20);
  for (const key of ['b', 'c']) bound.set(large, key, key, 20);
  large.get('b');
  bound.set(large, 'd', 'd', 20);
  expect([small.get('a'), large.get('b'), large.get('c'), large.get('d')]).toEqual([
    'A',
    'b',
    undefined,
    'd',
  ]);
});

it('the sizes of all entries stay within the bound, and the last one is kept', () => {
  const operation = fc.record({
    cache: fc.nat({ max: 2 }),
    key: fc.nat({ max: 20 }),
    size: fc.integer({ min: 1, max: MAX + 5 }),
    reads: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const bound = new SharedBound(MAX);
      const kept = [0, 1, 2].map(() => new Map<number, number>());
      const caches = kept.map((sizes) =>
        bound.cache<number, number>({ max: 8, dispose: (_, key) => sizes.delete(key) }),
      );
      for (const { cache: index, key, size, reads } of operations) {
        const cache = caches[index] as (typeof caches)[number];
        const sizes = kept[index] as (typeof kept)[number];
        if (reads) {
          expect(cache.get(key)).toBe(sizes.get(key));
          continue;
        }
        const isKept = bound.set(cache, key, size, size);
        if (isKept) sizes.set(key, size);
        expect(isKept).toBe(size <= MAX);
        expect(cache.get(key)).toBe(isKept ? size : undefined);
        const total = kept.flatMap((each) => [...each.values()]).reduce((sum, each) => sum + each, 0);
        expect(total).toBeLessThanOrEqual(MAX);
        expect(cache.size).toBe(sizes.size);
      }
    }),
  );
});
