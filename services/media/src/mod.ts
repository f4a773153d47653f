/** The media service: what is uploaded, its thumbnails, and who may still see it. */
export { type BlobStore, openBlobs } from './core/blobs/mod.ts';
export { type MediaService, type MediaServiceOptions, startMediaService } from './service.ts';
