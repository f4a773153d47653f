/** For tests and benches that look behind the API: where the service keeps what. */
export { claims, media, usage } from './collections.ts';
export { type Media, mediaKey } from './media/media.ts';
export { newUsage, type Usage } from './usage/usage.ts';
