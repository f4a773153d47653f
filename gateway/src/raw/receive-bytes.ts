import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { DescMethodClientStreaming, DescService, Message } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import type { Binding } from '@steward/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RequestContexts, readCall, sendJson } from '../transcode.ts';
import { callStream } from './call-stream.ts';
import { watchStall } from './stall.ts';

/**
 * The handler of a binding whose request body is not JSON: forwards the body in pieces, as fast as the service reads
 * them.
 */
export function receiveBytes(
  binding: Binding<DescMethodClientStreaming>,
  transportOf: (service: DescService) => Transport,
  contexts: RequestContexts,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const { method } = binding;
  const transport = transportOf(binding.service);
  return async (request, reply) => {
    const sent = { ...request.headers, 'content-type': statedType(request.raw) };
    const { message, header } = readCall(binding, request, contexts, { body: undefined, headers: sent });
    const call = new AbortController();
    const abort = () => call.abort();
    reply.raw.once('close', abort);
    const body = watchStall(bytesOf(request.body as Readable | undefined), () => request.raw.destroy());
    try {
      const pieces = piecesOf(message, body);
      const answers = await callStream(transport, method, call.signal, header, pieces);
      let answer: Message | undefined;
      for await (const one of answers) answer = one;
      if (!answer) throw new Error(`${method} answered nothing`);
      const { status, body: json } = binding.write(answer, contexts.profileOf(request));
      return sendJson(reply, status, json);
    } finally {
      reply.raw.off('close', abort);
      call.abort();
      // Not awaited: the client may be slow to send the rest, which `drain` discards.
      void body.return(undefined).catch(() => {});
    }
  };
}

/** The message of the request, followed by messages with the bytes of its body. */
async function* piecesOf(head: Message, body: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  yield head;
  for await (const data of body) yield { $typeName: head.$typeName, data } as Message;
}

/** The bytes of a body. The body stays open when the reader stops, so that the client can receive the refusal. */
async function* bytesOf(body: Readable | undefined): AsyncGenerator<Uint8Array> {
  if (body) yield* body.iterator({ destroyOnReturn: false });
}

/** The content type of the request, which `readAnyBody` removes from the parsed headers. */
function statedType({ rawHeaders }: IncomingMessage): string | undefined {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-type');
  return at < 0 ? undefined : rawHeaders[at + 1];
}
