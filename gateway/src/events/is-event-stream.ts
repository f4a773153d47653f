import type { FastifyReply } from 'fastify';
import { EVENT_STREAM_TYPE } from './prefers-event-stream.ts';

/** Whether the answer is an event stream, which lasts as long as its client wants. */
export function isEventStream(reply: FastifyReply): boolean {
  return reply.getHeader('content-type') === EVENT_STREAM_TYPE;
}
