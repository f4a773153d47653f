import { expect, it } from 'vitest';
import { linesOf } from './lines-of.ts';

async function* piecesOf(text: string, bytes: number) {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

it.each([1, 2, 3, 7, 1_000])('splits at line feeds only, in pieces of %i bytes', async (bytes) => {
  const lines = ['{"a":"\u2028\u2029\u0085\f\v"}', '', 'ä😀\r', 'x'.repeat(50), 'the end'];
  expect(await Array.fromAsync(linesOf(piecesOf(lines.join('\n'), bytes)))).toEqual(lines);
  expect(await Array.fromAsync(linesOf(piecesOf(`${lines.join('\n')}\n`, bytes)))).toEqual(lines);
  expect(await Array.fromAsync(linesOf(piecesOf('', bytes)))).toEqual([]);
});

it('refuses a line that is too long', async () => {
  await expect(Array.fromAsync(linesOf(piecesOf(`ok\n${'x'.repeat(11)}`, 4), 10))).rejects.toThrow(
    'A line has more than 10 characters.',
  );
});
