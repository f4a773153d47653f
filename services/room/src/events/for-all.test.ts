import { refuse } from '@steward/errors';
import { expect, it } from 'vitest';
import { forAll } from './for-all.ts';

async function* pagesOf(...pages: readonly (readonly number[])[]) {
  yield* pages;
}

const items = Array.from({ length: 25 }, (_, n) => n);
const notAborted = new AbortController().signal;

it('runs the work for every item, and reports failures but not refusals', async () => {
  const done: number[] = [];
  const work = async (n: number) => {
    if (n % 10 === 0) throw new Error(`failed: ${n}`);
    if (n % 10 === 1) throw refuse.forbidden('refused');
    done.push(n);
  };
  const running = forAll(pagesOf(items.slice(0, 20), items.slice(20)), work, notAborted);
  await expect(running).rejects.toMatchObject({
    message: '3 changes in rooms failed',
    errors: [0, 10, 20].map((n) => new Error(`failed: ${n}`)),
  });
  expect(done).toEqual(items.filter((n) => n % 10 > 1));
});

it('stops when the signal is aborted', async () => {
  const closing = new AbortController();
  const done: number[] = [];
  const work = async (n: number) => {
    done.push(n);
    closing.abort();
  };
  await expect(forAll(pagesOf(items), work, closing.signal)).rejects.toThrow('aborted');
  expect(done.length).toBeLessThan(items.length);
});
