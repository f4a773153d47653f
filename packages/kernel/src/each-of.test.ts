import { expect, it } from 'vitest';
import { eachOf } from './each-of.ts';

async function* upTo(count: number) {
  for (let n = 0; n < count; n++) yield n;
}

it('does the work for every item, for so many at a time', async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await eachOf(upTo(10), 3, async (n) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    done.push(n);
  });
  expect(done.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(most).toBe(3);
});

it('begins no further item after a failure, and throws it when all that were begun have ended', async () => {
  const begun: number[] = [];
  let ended = 0;
  const working = eachOf([0, 1, 2, 3, 4], 2, async (n) => {
    begun.push(n);
    await new Promise((resolve) => setImmediate(resolve));
    ended++;
    if (n === 0) throw new Error('zero');
  });
  await expect(working).rejects.toThrow('zero');
  expect(begun).toEqual([0, 1]);
  expect(ended).toBe(2);
});
