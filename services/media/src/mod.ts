/** The media service: uploads, thumbnails, quarantine and usage. */

export { BlobMissing, type BlobStore, openBlobs } from './core/blobs/mod.ts';
export { blobsOf } from './core/blobs-of.ts';
export { collections as mediaCollections } from './core/collections.ts';
export { markDeleting } from './core/mark-deleting.ts';
export { type Media, media } from './core/model/media.ts';
export { exportedMedia } from './export/exported-media.ts';
export { storedBytes } from './export/stored-bytes.ts';
export { type MediaService, type MediaServiceOptions, startMediaService } from './service.ts';
