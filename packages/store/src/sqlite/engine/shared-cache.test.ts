import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SharedBound, SharedCache } from './shared-cache.ts';

const MAX = 64;

it('what was used least recently in any cache goes first', () => {
  const bound = new SharedBound(MAX);
  const one = new SharedCache<string, string>(bound, { max: 10 });
  const other = new SharedCache<string, string>(bound, { max: 10 });
  one.set('a', 'A', 20);
  other.set('b', 'B', 20);
  one.set('c', 'C', 20);
  one.get('a');
  other.set('d', 'D', 20);
  expect([one.get('a'), other.get('b'), one.get('c'), other.get('d')]).toEqual(['A', undefined, 'C', 'D']);
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
      const caches = kept.map(
        (sizes) =>
          new SharedCache<number, { key: number; size: number }>(bound, {
            max: 8,
            dispose: ({ key }) => sizes.delete(key),
          }),
      );
      for (const { cache: index, key, size, reads } of operations) {
        const cache = caches[index] as (typeof caches)[number];
        const sizes = kept[index] as (typeof kept)[number];
        if (reads) {
          expect(cache.get(key)?.size).toBe(sizes.get(key));
          continue;
        }
        const isKept = cache.set(key, { key, size }, size);
        if (isKept) sizes.set(key, size);
        expect(isKept).toBe(size <= MAX);
        expect(cache.get(key)?.size).toBe(isKept ? size : undefined);
        const total = kept.flatMap((each) => [...each.values()]).reduce((sum, each) => sum + each, 0);
        expect(total).toBeLessThanOrEqual(MAX);
        expect(cache.count).toBe(sizes.size);
      }
    }),
  );
});
