/** For tests and benches that look behind the API: where the service keeps what. */
export { type Media, media, mediaKey } from './core/model/media.ts';
export { newUsage, type Usage, usage } from './core/model/usage.ts';
