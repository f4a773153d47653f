/** Bytes of a blob: from the first on, at most so many. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

/** What was stored. */
export interface StoredBlob {
  /** In bytes. */
  readonly length: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/**
 * Keeps bytes under keys that the service chooses: letters, digits, `-` and `.`, see `newBlobKey`. A blob
 * is there in full or not at all, and never changes.
 */
export interface BlobStore {
  /**
   * Stores what the source yields. What is there already under the key is taken for the same bytes. When
   * the source or the store fails, nothing is left that `delete` would not remove.
   *
   * @throws BlobTooLarge as soon as the source has yielded more than `limitBytes`
   */
  put(key: string, source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StoredBlob>;
  /**
   * Reads a blob, or a part of it, in pieces of at most `PIECE_BYTES`, as fast as they are taken.
   *
   * @throws BlobMissing, perhaps not before the first piece, when there is none
   */
  open(key: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Removes a blob, whole or half stored; none is fine. */
  delete(key: string): Promise<void>;
  close(): Promise<void>;
}

/** The largest piece in which a blob is read, in bytes. */
export const PIECE_BYTES = 64 * 1024;

/** There is no blob under the key. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
}

/** The source yielded more bytes than it was allowed. */
export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge';
}
