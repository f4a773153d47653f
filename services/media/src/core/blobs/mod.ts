/** The storage of the bytes of media. */
export {
  BlobMissing,
  type BlobStore,
  BlobTooLarge,
  type ByteRange,
  PIECE_BYTES,
  type StoredBlob,
} from './blob-store.ts';
export { openBlobs } from './open-blobs.ts';
