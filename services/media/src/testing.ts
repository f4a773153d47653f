/** For tests and benches that look behind the API: where the service keeps what. */
export { claims, media, usage } from './core/collections.ts';
export { type Media, mediaKey } from './core/model/media.ts';
export { newUsage, type Usage } from './core/model/usage.ts';
