/** The media service: uploads, thumbnails, quarantine and usage. */
export { access } from './access.ts';
export { BlobMissing, type BlobStore, openBlobs } from './core/blobs/mod.ts';
export { blobsOf } from './core/blobs-of.ts';
export { collections as mediaCollections } from './core/collections.ts';
export { markDeleting } from './core/mark-deleting.ts';
export { hashes, type ListedHash } from './core/model/listed-hash.ts';
export { type Media, media, uriOf } from './core/model/media.ts';
export { furtherOfHash, furtherOfMedia } from './core/records/further-fields.ts';
export { recordKinds as mediaRecordKinds } from './core/records/record-kinds.ts';
export { exportedHash } from './export/exported-hash.ts';
export { exportedMedia } from './export/exported-media.ts';
export { storedBytes } from './export/stored-bytes.ts';
export { type MediaService, type MediaServiceOptions, startMediaService } from './service.ts';
