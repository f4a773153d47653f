import { createHash } from 'node:crypto';
import { BlobTooLarge, type StoredBlob } from './blob-store.ts';

/** Passes bytes on, and returns their size and digest at the end. */
export interface Measured {
  readonly bytes: AsyncGenerator<Uint8Array>;
  /** Callers call it after the last byte. */
  result(): StoredBlob;
}

/** Measures the bytes of a source; throws `BlobTooLarge` as soon as they exceed `limitBytes`. */
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
