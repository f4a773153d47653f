import type { ServerHttp2Stream } from 'node:http2';
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  toBinary,
} from '@bufbuild/protobuf';
import { Code, ConnectError, type Transport } from '@connectrpc/connect';
import type { AnswerSchema, Call } from '@steward/proto/steward/rpc/v1/link_pb.ts';
import { type ForwardedWriters, forwardedAs } from '../forwarded-answer.ts';
import { DEADLINE_LIMIT_MS, MESSAGE_LIMIT_BYTES } from '../limits.ts';
import type { Route } from '../routes.ts';
import { BatchReader, BatchWriter, sizeOf } from './batches.ts';
import { toFailure } from './failure.ts';

const OK = 200;

/** How many calls of a link may be in progress: more than a gateway has requests and long polls. */
const MAX_CALLS = 20_000;

/** The serving end of links. */
export interface LinkServer {
  /** Serves the calls of a stream whose caller is known. */
  accept(stream: ServerHttp2Stream): void;
  /** Accepts no more calls. Each stream ends when its running calls are answered. */
  close(): void;
}

/**
 * Serves the unary calls of links.
 *
 * @param routes what is served
 * @param transport calls it
 * @param writers write the answers that callers pass on
 */
export function serveLinks(
  routes: readonly Route[],
  transport: Transport,
  writers: ForwardedWriters,
): LinkServer {
  const methods = new Map<string, DescMethodUnary>();
  for (const { service } of routes) {
    for (const method of service.methods)
      if (isUnary(method)) methods.set(`${service.typeName}/${method.name}`, method);
  }
  const open = new Set<() => void>();
  let isClosing = false;

  const accept = (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': OK });
    const writer = new BatchWriter(stream);
    const running = new Map<number, AbortController>();
    let isOver = false;
    const endIfDone = () => {
      if (!isClosing || isOver || running.size > 0) return;
      writer.flush();
      stream.end();
      // After all that was written; a caller that hangs would otherwise never end the stream.
      stream.close();
    };
    const close = () => {
      writer.announceClosing();
      endIfDone();
    };
    const serve = async (call: Call) => {
      const { id } = call;
      const abort = new AbortController();
      running.set(id, abort);
      const answer = await answerTo(methods, transport, writers, call, abort.signal);
      running.delete(id);
      if (isOver) return;
      if (!abort.signal.aborted)
        writer.add(
          'answers',
          { id, ...answer },
          sizeOf(answer.header, answer.response ?? answer.written?.body),
        );
      endIfDone();
    };
    // Refused at once, because the end of the stream waits for the longest running call.
    const refuse = (calls: readonly Call[]) => {
      if (stream.writableEnded) return;
      for (const { id } of calls) writer.add('refused', id, 0);
    };
    const reader = new BatchReader();
    stream.on('data', (chunk: Buffer) => {
      try {
        for (const { calls, cancelled } of reader.read(chunk)) {
          if (isClosing) refuse(calls);
          else if (running.size + calls.length > MAX_CALLS)
            throw new RangeError('Too many calls are in progress');
          else for (const call of calls) void serve(call);
          // After the calls, because a call may be cancelled in its own batch.
          for (const id of cancelled) running.get(id)?.abort();
        }
      } catch (error) {
        stream.destroy(error as Error);
      }
    });
    stream.on('error', () => {});
    stream.once('close', () => {
      isOver = true;
      open.delete(close);
      for (const abort of running.values()) abort.abort();
    });
    open.add(close);
    if (isClosing) close();
  };

  return {
    accept,
    close() {
      isClosing = true;
      for (const close of open) close();
    },
  };
}

function isUnary(method: DescMethod): method is DescMethodUnary<DescMessage, DescMessage> {
  return method.methodKind === 'unary';
}

/** The frames of the answer to a call. */
type Sent = Pick<MessageInitShape<typeof AnswerSchema>, 'response' | 'failure' | 'written'> & {
  readonly header: { readonly [key: string]: string };
};

/** Makes a call, and returns what is sent as its answer. */
async function answerTo(
  methods: ReadonlyMap<string, DescMethodUnary>,
  transport: Transport,
  writers: ForwardedWriters,
  { method: name, header, timeoutMs, request, form }: Call,
  signal: AbortSignal,
): Promise<Sent> {
  try {
    const method = methods.get(name);
    if (!method) throw new ConnectError(`${name} is not served here`, Code.Unimplemented);
    const input = fromBinary(method.input, request);
    const deadlineMs = Math.min(timeoutMs, DEADLINE_LIMIT_MS);
    const write = form && writers(method, form);
    const hints = write && forwardedAs(form);
    const answer = await transport.unary(method, signal, deadlineMs, header, input, hints);
    const sent = { header: Object.fromEntries(answer.header) };
    if (write) {
      const { status, body: text } = write(answer.message);
      const body = Buffer.from(text);
      // A message is shorter.
      if (body.length <= MESSAGE_LIMIT_BYTES) return { ...sent, written: { status, body } };
    }
    const response = toBinary(method.output, create(method.output, answer.message));
    if (response.length > MESSAGE_LIMIT_BYTES)
      throw new ConnectError(`An answer of ${response.length} bytes is too large`, Code.ResourceExhausted);
    return { ...sent, response };
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    return { failure: toFailure(error), header: Object.fromEntries(error.metadata) };
  }
}
