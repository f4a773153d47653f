import { Readable } from 'node:stream';
import type { DescService } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import type { Binding, EventStreamBinding } from '@steward/http';
import type { Random } from '@steward/kernel';
import { headers } from '@steward/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callStream } from '../raw/call-stream.ts';
import { type RequestContexts, readCall } from '../transcode.ts';
import { type EventStreams, stopping } from './event-streams.ts';
import { EVENT_STREAM_TYPE } from './prefers-event-stream.ts';
import { type StreamedPage, writeEventStream } from './write-event-stream.ts';

/** When clients connect again, in milliseconds: at random times, because a stopped gateway ends all streams at once. */
const RETRY_MS = { least: 1_000, most: 3_000 };

const HEADERS = {
  'content-type': EVENT_STREAM_TYPE,
  // A proxy that compresses would keep events until it has enough of them.
  'cache-control': 'no-store, no-transform',
  // Makes nginx pass on what it receives at once.
  'x-accel-buffering': 'no',
};

/**
 * The handler of a binding for requests that prefer an event stream. Refusals are answered as JSON, before the stream begins.
 */
export function sendEvents(
  binding: Binding,
  { method, read, writeEvent }: EventStreamBinding,
  transportOf: (service: DescService) => Transport,
  contexts: RequestContexts,
  { streams, random }: { readonly streams: EventStreams; readonly random: Random },
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const transport = transportOf(binding.service);
  const ofStream = { ...binding, method, read };
  return async (request, reply) => {
    const { message, header } = readCall(ofStream, request, contexts, {
      body: undefined,
      headers: request.headers,
    });
    const call = new AbortController();
    const end = () => call.abort();
    const leave = streams.open(header[headers.accessToken] ?? '', end, () => reply.raw.destroy());
    reply.raw.once('close', () => {
      leave();
      end();
    });
    const answers = await callStream(transport, method, call.signal, header, one(message));
    const pages = (answers as AsyncIterable<StreamedPage>)[Symbol.asyncIterator]();
    const first = await pages.next();
    if (first.done) throw stopping();
    reply.code(200).headers(HEADERS);
    if (request.method === 'HEAD') {
      end();
      // For an empty text Fastify would set the length to 0 instead of leaving it out.
      return reply.send(Readable.from([]));
    }
    const body = writeEventStream(
      { [Symbol.asyncIterator]: () => pages },
      {
        start: first.value.position,
        retryMs: RETRY_MS.least + random.below(RETRY_MS.most - RETRY_MS.least),
        writeEvent,
        isClogged: () => reply.raw.writableLength > 0,
      },
    );
    return reply.send(body);
  };
}

async function* one<T>(message: T): AsyncGenerator<T> {
  yield message;
}
