import type { DescMethod } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  type Interceptor,
  type StreamResponse,
  type UnaryResponse,
} from '@connectrpc/connect';
import { codeToString } from '@connectrpc/connect/protocol-connect';
import type { Span, SpanDescription, SpanKind, Tracing } from '@steward/kernel';
import { headers } from '../headers.ts';
import { requesterKey } from '../requester.ts';

/** The codes by which a server says that it failed; others are refusals. */
const FAULTS: ReadonlySet<Code> = new Set([
  Code.Unknown,
  Code.DeadlineExceeded,
  Code.Unimplemented,
  Code.Internal,
  Code.Unavailable,
  Code.DataLoss,
]);

/**
 * Records calls as spans, below the span that the call's header names, or, for a call within the process, the span of the
 * caller. The handler finds the context of the call's own span in the header, so that facts name it.
 */
export function traceCalls(tracing: Tracing): Interceptor {
  const describe = describeCalls('server');
  return (next) => (request) => {
    const { header, method } = request;
    const traceparent = header.get(headers.traceparent);
    // A client is recognized before: its calls come from outside.
    const span = request.contextValues.get(requesterKey)
      ? tracing.begin({}, () => describe(method))
      : traceparent === null
        ? tracing.child(describe(method))
        : tracing.follow(describe(method), {
            traceparent,
            tracestate: header.get(headers.tracestate) ?? undefined,
          });
    if (!span) return next(request);
    header.set(headers.traceparent, span.context.traceparent);
    const call = () => span.run(() => next(request));
    return request.stream ? endWithStream(span, call, request.signal) : endWithCode(span, call);
  };
}

/** The descriptions of the spans of calls, one for each method. */
export function describeCalls(kind: SpanKind): (method: DescMethod) => SpanDescription {
  const known = new WeakMap<DescMethod, SpanDescription>();
  return (method) => {
    let description = known.get(method);
    if (!description) {
      const name = `${method.parent.typeName}/${method.name}`;
      const attributes = { 'rpc.system.name': 'connectrpc', 'rpc.method': name };
      description = { name, kind, attributes };
      known.set(method, description);
    }
    return description;
  };
}

/** Makes a call, and ends its span. */
export function endWithCode<T>(span: Span, call: () => Promise<T>): Promise<T> {
  return call().then(
    (answer) => {
      span.end();
      return answer;
    },
    (error) => {
      failWithCode(span, error);
      span.end();
      throw error;
    },
  );
}

/** Makes a call, and ends its span after the last message of a stream, or when the call is aborted, because its reader may never ask again. */
async function endWithStream<R extends UnaryResponse | StreamResponse>(
  span: Span,
  call: () => Promise<R>,
  signal: AbortSignal,
): Promise<R> {
  let isEnded = false;
  const end = () => {
    signal.removeEventListener('abort', end);
    if (!isEnded) span.end();
    isEnded = true;
  };
  signal.addEventListener('abort', end);
  try {
    const response = await call();
    if (response.stream) return { ...response, message: within(span, response.message, end) };
    end();
    return response;
  } catch (error) {
    failWithCode(span, error);
    end();
    throw error;
  }
}

/** Notes the code of a failed call; a refusal is not a failure of the server. */
function failWithCode(span: Span, error: unknown): void {
  const { code } = ConnectError.from(error);
  const name = codeToString(code);
  span.set({ 'rpc.response.status_code': name });
  if (FAULTS.has(code)) span.fail(name);
}

/** The messages of a stream, which are produced within a span. */
async function* within<T>(span: Span, stream: AsyncIterable<T>, end: () => void): AsyncGenerator<T> {
  const messages = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await span.run(() => messages.next());
      if (done) return;
      yield value;
    }
  } catch (error) {
    failWithCode(span, error);
    throw error;
  } finally {
    end();
    await span.run(async () => messages.return?.());
  }
}
