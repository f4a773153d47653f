/** The media service: uploads, thumbnails, quarantine and usage. */
export { type BlobStore, openBlobs } from './core/blobs/mod.ts';
export { type MediaService, type MediaServiceOptions, startMediaService } from './service.ts';
