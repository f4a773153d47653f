import { createHash } from 'node:crypto';
import { BlobTooLarge, type StoredBlob } from './blob-store.ts';

/** Passes bytes on, and knows what they were when the last one has passed. */
export interface Measured {
  readonly bytes: AsyncGenerator<Uint8Array>;
  /** To be called at the end. */
  result(): StoredBlob;
}

/** Measures what a source yields; stops with `BlobTooLarge` as soon as it is more than `limitBytes`. */
export function measure(source: AsyncIterable<Uint8Array>, limitBytes: number): Measured {
  const hash = createHash('sha256');
  let length = 0;
  async function* pass() {
    for await (const piece of source) {
      length += piece.byteLength;
      if (length > limitBytes) throw new BlobTooLarge(`More than ${limitBytes} bytes`);
      hash.update(piece);
      yield piece;
    }
  }
  return { bytes: pass(), result: () => ({ length, sha256: hash.digest('hex') }) };
}
