/** The transcoder between HTTP with JSON and RPCs, compiled from descriptors at start. */
export { accessReference } from './access-reference.ts';
export { asyncApi, type Channel } from './asyncapi/document.ts';
export { type Binding, type BoundMethod, compile, type EventStreamBinding, type Verb } from './bindings.ts';
export { type CheckMessage, messageCheck } from './check-message.ts';
export { type DocumentedEvent, eventsReference } from './events-reference.ts';
export { forwardedWriters } from './forwarded-writers.ts';
export { grpcReference } from './grpc-reference.ts';
export { type Comments, readComments } from './openapi/comments.ts';
export { type OpenApiInfo, openApi } from './openapi/document.ts';
export type { Variants } from './openapi/schema.ts';
export type { Segment } from './path-template.ts';
export type { Profile } from './profile.ts';
export type { ReadRequest, ReadResult, RequestInput } from './read-request.ts';
export type { Answer, WriteAnswer } from './write-answer.ts';
