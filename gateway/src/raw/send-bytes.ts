import { Readable } from 'node:stream';
import type { DescMethodServerStreaming, DescService, Message } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import type { Binding } from '@steward/http';
import type { ContentHead } from '@steward/proto/steward/http/v1/content_pb.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RequestContexts, readCall } from '../transcode.ts';
import { callStream } from './call-stream.ts';
import { watchStall } from './stall.ts';

/** How many bytes are buffered for a client that is slower than the service. */
const BUFFER_BYTES = 64 * 1024;

/** A piece of a streamed answer, in the form that `compile` checks. */
interface Piece extends Message {
  readonly head?: ContentHead;
  readonly data: Uint8Array;
}

/**
 * The handler of a binding whose answer is not JSON: forwards the answer in pieces, as fast as the client reads them.
 */
export function sendBytes(
  binding: Binding<DescMethodServerStreaming>,
  transportOf: (service: DescService) => Transport,
  contexts: RequestContexts,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const { method } = binding;
  const transport = transportOf(binding.service);
  return async (request, reply) => {
    const read = { body: undefined, headers: request.headers };
    const { message, header } = readCall(binding, request, contexts, read);
    const call = new AbortController();
    reply.raw.once('close', () => call.abort());
    const answers = await callStream(transport, method, call.signal, header, one(message));
    const pieces = (answers as AsyncIterable<Piece>)[Symbol.asyncIterator]();
    const first = await pieces.next();
    const head = first.done ? undefined : first.value.head;
    if (!head) throw new Error(`${method} answered without a head`);
    reply.code(head.status).headers(head.headers);
    if (head.status === 304) {
      await readEnd(pieces);
      return reply.send();
    }
    if (!head.openEnded) reply.header('content-length', String(head.length));
    if (request.method === 'HEAD') {
      // The bytes that follow are not read: they may be many.
      call.abort();
      // For an empty text Fastify would set the length to 0 instead of that of the answer to GET.
      return reply.send(Readable.from([]));
    }
    const bytes = head.openEnded ? allBytesOf(pieces) : bytesOf(pieces, Number(head.length));
    const body = watchStall(bytes, () => reply.raw.destroy());
    return reply.send(Readable.from(body, { objectMode: false, highWaterMark: BUFFER_BYTES }));
  };
}

async function* one<T>(message: T): AsyncGenerator<T> {
  yield message;
}

/** The bytes up to the end of the stream; a stream that fails cuts the answer off, which its chunked coding shows. */
async function* allBytesOf(pieces: AsyncIterator<Piece>): AsyncGenerator<Uint8Array> {
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value.data;
}

/** @throws Error when there are fewer bytes than announced, so that a truncated answer does not look complete */
async function* bytesOf(pieces: AsyncIterator<Piece>, length: number): AsyncGenerator<Uint8Array> {
  let left = length;
  while (left > 0) {
    const { done, value } = await pieces.next();
    if (done) throw new Error(`${left} bytes of an answer are missing`);
    left -= value.data.length;
    yield value.data;
  }
  await readEnd(pieces);
}

/** Reads the end of a complete answer: a stream that is left before its end is aborted, which the service counts. */
async function readEnd(pieces: AsyncIterator<Piece>): Promise<void> {
  while (!(await pieces.next()).done);
}
