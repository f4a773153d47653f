import { BlobMissing, type BlobStore, type ByteRange } from './blobs/mod.ts';

/** A medium with bytes, as a request found it. */
interface WithBytes {
  readonly blob: string;
  /** In bytes. */
  readonly length: number;
}

/**
 * Reads the bytes of a medium, or a part of them. A move may store them under another key at any moment, and remove the
 * key that the request found; then it goes on under the other one.
 *
 * @param again finds the medium again; throws when it may no longer be read
 */
export async function* readMedium(
  { blobs }: { readonly blobs: Pick<BlobStore, 'open'> },
  medium: WithBytes,
  again: () => Promise<WithBytes>,
  range: ByteRange = { start: 0, length: medium.length },
): AsyncGenerator<Uint8Array> {
  const { start, length } = range;
  let read = 0;
  for (let { blob } = medium; ; ) {
    const isWhole = read === 0 && length === medium.length;
    let missing: BlobMissing | undefined;
    try {
      const rest = isWhole ? undefined : { start: start + read, length: length - read };
      for await (const piece of blobs.open(blob, rest)) {
        read += piece.length;
        yield piece;
      }
      if (read >= length) return;
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error;
      missing = error;
    }
    // A store may also end a blob early that is deleted while it is read.
    const now = await again();
    if (now.blob === blob && missing) throw missing;
    if (now.blob === blob) return;
    blob = now.blob;
  }
}
