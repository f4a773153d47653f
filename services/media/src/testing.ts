/** For tests that access the documents of the service directly. */
export { type Media, media } from './core/model/media.ts';
export { mediumOf } from './fixtures/medium.ts';
