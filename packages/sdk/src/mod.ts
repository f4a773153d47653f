/** The client library of the administrative API, for Node and browsers. */
export type { ByteStream } from './core/byte-stream.ts';
export { type ClientErrcode, type Errcode, type StepUpFlow, StewardError } from './core/errors.ts';
export { newIdempotencyKey } from './core/idempotency-key.ts';
export type { Listing } from './core/listing.ts';
export type { CallOptions, ClientOptions, ClientRequest, Middleware, RequestBody } from './core/options.ts';
export { type Client, createClient, type RawRequest } from './create-client.ts';
export type { StewardEvent, SubscribeOptions, SubscribeParams } from './events/subscribe.ts';
export type { AuditedAction } from './gen/audited.ts';
export type { DocumentedErrcode } from './gen/errcodes.ts';
export type * from './gen/methods.ts';
export type * from './gen/schemas.ts';
export type { WaitOptions } from './tasks/wait-for-task.ts';
