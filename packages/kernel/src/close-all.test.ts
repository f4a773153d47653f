import { expect, it } from 'vitest';
import { closeAll } from './close-all.ts';

it('takes every step in order, whichever of them fail', async () => {
  const taken: number[] = [];
  const step = (number: number, error?: Error) => async () => {
    taken.push(number);
    if (error) throw error;
  };
  const second = new Error('second');
  const third = new Error('third');
  await expect(closeAll([step(1), step(2, second), step(3)])).rejects.toBe(second);
  await expect(closeAll([step(4), step(5, second), step(6, third), step(7)])).rejects.toMatchObject({
    errors: [second, third],
  });
  const synchronous = () => {
    throw second;
  };
  await expect(closeAll([synchronous, step(8)])).rejects.toBe(second);
  await closeAll([step(9)]);
  expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
