/** For tests and benches that access the documents of the service directly. */
export { type Media, media } from './core/model/media.ts';
export { newUsage, type Usage, usage } from './core/model/usage.ts';
export { mediumOf } from './fixtures/medium.ts';
