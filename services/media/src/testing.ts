/** For tests and benches that access the documents of the service directly. */
export { hashes, type ListedHash } from './core/model/listed-hash.ts';
export { findableOf, type Media, media } from './core/model/media.ts';
export { mediumOf } from './fixtures/medium.ts';
