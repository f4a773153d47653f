import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { DescMethodClientStreaming, DescService, Message } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import type { Binding } from '@steward/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RequestContext, readCall, sendJson } from '../transcode.ts';
import { callStream } from './call-stream.ts';
import { watchStall } from './stall.ts';

/**
 * The handler of a binding that takes a body which is no JSON: passes it on in pieces, as fast as the
 * service takes them.
 */
export function receiveBytes(
  binding: Binding<DescMethodClientStreaming>,
  transportOf: (service: DescService) => Transport,
  contextOf: (request: FastifyRequest) => RequestContext,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const { method } = binding;
  const transport = transportOf(binding.service);
  return async (request, reply) => {
    const context = contextOf(request);
    const sent = { ...request.headers, 'content-type': statedType(request.raw) };
    const { message, header } = readCall(binding, request, context, { body: undefined, headers: sent });
    const call = new AbortController();
    const giveUp = () => call.abort();
    reply.raw.once('close', giveUp);
    const body = watchStall(bytesOf(request.body as Readable | undefined), () => request.raw.destroy());
    try {
      const pieces = piecesOf(message, body);
      const answers = await callStream(transport, method, call.signal, header, pieces);
      let answer: Message | undefined;
      for await (const one of answers) answer = one;
      if (!answer) throw new Error(`${method} answered nothing`);
      const { status, body: json } = binding.write(answer, context.profile);
      return sendJson(reply, status, json);
    } finally {
      reply.raw.off('close', giveUp);
      call.abort();
      // Not awaited: whoever sends the rest may be slow, and it is thrown away elsewhere.
      void body.return(undefined).catch(() => {});
    }
  };
}

/** The message that the request was read into, then messages with its bytes. */
async function* piecesOf(head: Message, body: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  yield head;
  for await (const data of body) yield { $typeName: head.$typeName, data } as Message;
}

/** A body's bytes. It stays open when nobody wants the rest, so that the refusal can be read. */
async function* bytesOf(body: Readable | undefined): AsyncGenerator<Uint8Array> {
  if (body) yield* body.iterator({ destroyOnReturn: false });
}

/** The type that the client stated, which is hidden from the parsers of bodies. */
function statedType({ rawHeaders }: IncomingMessage): string | undefined {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-type');
  return at < 0 ? undefined : rawHeaders[at + 1];
}
