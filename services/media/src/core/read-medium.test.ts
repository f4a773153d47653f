import { expect, it } from 'vitest';
import { BlobMissing, type BlobStore } from './blobs/mod.ts';
import { readMedium } from './read-medium.ts';

const BYTES = Buffer.from('0123456789');

/** A store whose blob `old` is deleted while it is read: it ends early, or with an error. */
const losing = (error?: Error): { readonly blobs: Pick<BlobStore, 'open'> } => ({
  blobs: {
    async *open(key, { start, length } = { start: 0, length: BYTES.length }) {
      if (key !== 'old' && key !== 'new') throw new BlobMissing(key);
      const end = key === 'old' ? start + 3 : start + length;
      yield BYTES.subarray(start, end);
      if (key === 'old' && error) throw error;
    },
  },
});

async function read(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const medium = { blob: 'old', length: BYTES.length };
const moved = async () => ({ ...medium, blob: 'new' });

it.each([
  ['ends early', undefined],
  ['is missing from some byte on', new BlobMissing('old')],
])('goes on under the new key when the old one %s', async (_, error) => {
  expect(await read(readMedium(losing(error), medium, moved))).toBe('0123456789');
  expect(await read(readMedium(losing(error), medium, moved, { start: 2, length: 6 }))).toBe('234567');
});

it('fails when the bytes are missing under the key that the medium has now, and with other errors', async () => {
  const gone = { ...medium, blob: 'gone' };
  await expect(read(readMedium(losing(), gone, async () => gone))).rejects.toThrow(BlobMissing);
  await expect(read(readMedium(losing(new Error('away')), medium, moved))).rejects.toThrow('away');
});
