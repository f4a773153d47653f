/** A part of a blob: its first byte, and the maximum number of bytes. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

/** The size and the digest of stored bytes. */
export interface StoredBlob {
  /** In bytes. */
  readonly length: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/**
 * Stores bytes under keys that the service chooses: letters, digits, `-` and `.`, see `newBlobKey`. A blob
 * exists completely or not at all, and never changes.
 */
export interface BlobStore {
  /**
   * Stores the bytes of the source. An existing blob with the key is assumed to have the same bytes. When the
   * source or the store fails, `delete` removes everything that is left.
   *
   * @throws BlobTooLarge as soon as the source has yielded more than `limitBytes`
   */
  put(key: string, source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StoredBlob>;
  /**
   * Reads a blob, or a part of it, in pieces of at most `PIECE_BYTES`, on demand.
   *
   * @throws BlobMissing when the blob does not exist, possibly only at the first piece
   */
  open(key: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Removes a blob, complete or partly stored; a missing one is not an error. */
  delete(key: string): Promise<void>;
  /** How many bytes the storage can still take; infinite if it cannot say. */
  freeBytes(): Promise<number>;
  /** The store from which media are moved to this one; this one also reads and deletes what it has. Absent if there is none. */
  readonly second?: BlobStore;
  close(): Promise<void>;
}

/** The largest piece in which a blob is read, in bytes. */
export const PIECE_BYTES = 64 * 1024;

/** The key has no blob. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
}

/** The source yielded more bytes than the limit. */
export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge';
}
