import { expect, it } from 'vitest';
import { fittingRows, nextToken, windowOf } from './page.ts';

async function* rows(...lengths: readonly number[]) {
  for (const length of lengths) yield { reason: 'x'.repeat(length) };
}

const MIB = 1024 * 1024;

it('shortens a page whose comments are too long together, to at least one row', async () => {
  const cut = async (...lengths: readonly number[]) => {
    const { fitting, isWhole } = await fittingRows(rows(...lengths));
    return { rows: fitting.length, isWhole };
  };
  expect(await cut(1, 2, 3)).toEqual({ rows: 3, isWhole: true });
  expect(await cut(10 * MIB, 5 * MIB, 5 * MIB)).toEqual({ rows: 2, isWhole: false });
  expect(await cut(20 * MIB, 1)).toEqual({ rows: 1, isWhole: false });
});

it('continues where a page ended', () => {
  const window = windowOf({ from: 5n, limit: 10n });
  expect(nextToken(window, 10, 16)).toEqual({ nextToken: 15n });
  expect(nextToken(window, 10, 15)).toEqual({});
  expect(nextToken(window, 2, 15)).toEqual({ nextToken: 7n });
  expect(nextToken(window, 0, 5)).toEqual({});
});
