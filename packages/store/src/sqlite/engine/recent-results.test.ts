import { expect, it } from 'vitest';
import { RecentResults } from './recent-results.ts';

/** Counts the reads of results with a length. */
function reading(length = 1) {
  const results = new RecentResults();
  const revision = { number: 1 };
  let reads = 0;
  const read = () => ({ values: [++reads], length });
  const recall = (key: string) => results.recall('things', revision, () => key, read)?.[0];
  return { revision, recall };
}

it('reads a result again when the revision has risen', () => {
  const { revision, recall } = reading();
  recall('first');
  expect([recall('a'), recall('b'), recall('a'), recall('b')]).toEqual([2, 3, 2, 3]);
  revision.number++;
  expect([recall('a'), recall('a'), recall('a')]).toEqual([4, 5, 5]);
});

it('caches nothing while each query meets another revision', () => {
  const { revision, recall } = reading();
  const seen = Array.from({ length: 3 }, () => {
    revision.number++;
    return recall('a');
  });
  expect(seen).toEqual([1, 2, 3]);
});

it('caches nothing long, and a bounded length', () => {
  const long = reading(200_000);
  long.recall('first');
  expect([long.recall('a'), long.recall('a')]).toEqual([2, 3]);
  const many = reading(100_000);
  many.recall('first');
  const first = many.recall('0');
  for (let n = 1; n < 10; n++) many.recall(String(n));
  expect(many.recall('0')).not.toBe(first);
});
