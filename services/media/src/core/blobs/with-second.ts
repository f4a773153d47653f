import { BlobMissing, type BlobStore } from './blob-store.ts';

/**
 * Two stores as one: new bytes go to the first, and bytes are read and removed wherever they are. For a server whose media
 * are being moved from one to the other.
 */
export function withSecond(first: BlobStore, second: BlobStore): BlobStore {
  return {
    second,
    put: (key, source, limitBytes) => first.put(key, source, limitBytes),
    async *open(key, range) {
      let hasBegun = false;
      try {
        for await (const piece of first.open(key, range)) {
          hasBegun = true;
          yield piece;
        }
      } catch (error) {
        if (hasBegun || !(error instanceof BlobMissing)) throw error;
        yield* second.open(key, range);
      }
    },
    async delete(key) {
      await Promise.all([first.delete(key), second.delete(key)]);
    },
    freeBytes: () => first.freeBytes(),
    async close() {
      await first.close();
      await second.close();
    },
  };
}
