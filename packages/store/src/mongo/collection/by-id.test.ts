import { expect, it } from 'vitest';
import { readById } from './by-id.ts';

/** Reads that a test completes, in their order. */
function heldReads() {
  const reads: { readonly ids: readonly string[]; end(): void }[] = [];
  const read = (ids: readonly string[]) =>
    new Promise<{ _id: string; at: number }[]>((resolve) => {
      const at = reads.length;
      reads.push({ ids, end: () => resolve(ids.filter((id) => id !== 'none').map((_id) => ({ _id, at }))) });
    });
  const turn = () => new Promise(setImmediate);
  return { reads, read, turn };
}

it('reads what one turn of the event loop asks for together, each id once', async () => {
  const { reads, read, turn } = heldReads();
  const find = readById(read);
  const asked = Promise.all(['a', 'b', 'a', 'none'].map(find));
  await turn();
  await turn();
  expect(reads.map(({ ids }) => ids)).toEqual([['a', 'b', 'none']]);
  reads[0]?.end();
  const [a, b, again, none] = await asked;
  expect([a?._id, b?._id, again?._id, none]).toEqual(['a', 'b', 'a', null]);
  // Two have the same document, and neither can change what the other reads.
  expect(again).toBe(a);
  expect(() => Object.assign(again ?? {}, { at: 1 })).toThrow(TypeError);
  expect(Object.isFrozen(b)).toBe(false);
});

it('collects ids while two reads are in progress, for one that begins after it was asked for', async () => {
  const { reads, read, turn } = heldReads();
  const find = readById(read);
  const asked: Promise<{ at: number } | null>[] = [];
  for (const id of ['a', 'b', 'a', 'c', 'd']) {
    asked.push(find(id));
    await turn();
    await turn();
  }
  expect(reads.map(({ ids }) => ids)).toEqual([['a'], ['b']]);
  reads[1]?.end();
  await turn();
  await turn();
  expect(reads[2]?.ids).toEqual(['a', 'c', 'd']);
  reads[0]?.end();
  reads[2]?.end();
  expect((await Promise.all(asked)).map((found) => found?.at)).toEqual([0, 1, 2, 2, 2]);
});

it('continues after a read that failed', async () => {
  let calls = 0;
  const find = readById(async (ids) => {
    if (++calls <= 3) throw new Error('away');
    return ids.map((_id) => ({ _id }));
  });
  for (let n = 0; n < 3; n++) await expect(find('a')).rejects.toThrow('away');
  expect(await find('a')).toEqual({ _id: 'a' });
});
