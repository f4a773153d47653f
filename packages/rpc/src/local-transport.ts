import type {
  DescMessage,
  DescMethod,
  DescMethodStreaming,
  DescMethodUnary,
  DescService,
} from '@bufbuild/protobuf';
import { create, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  createContextValues,
  type HandlerContext,
  type Interceptor,
  type StreamResponse,
  type Transport,
  type UnaryRequest,
  type UnaryResponse,
} from '@connectrpc/connect';
import { runStreamingCall } from '@connectrpc/connect/protocol';
import { accessOf, checkAccess } from './access.ts';
import { type MethodRules, methodRules } from './method-rules.ts';
import { requesterKey } from './requester.ts';
import type { Route } from './routes.ts';

type Handler = (request: unknown, context: HandlerContext) => unknown;

/**
 * A transport to services of the same process: the interceptors run as they do on a server, the
 * messages are passed by reference. Connect's own router transport would encode and decode every
 * message, which is most of the cost of a point read.
 *
 * No call enters a handler without the access that its method declares: where no interceptor has identified
 * the caller, as between services that call each other, only methods that need no token are admitted. Context
 * values belong to the server's side of a call, as over the network; a caller cannot pass any.
 *
 * A call past its deadline is answered with `DeadlineExceeded`; the handler goes on, so that a change
 * that has begun is completed. A stream produces a message when its reader asks for one; a handler releases
 * what it holds when `context.signal` is raised, because the reader may never ask again.
 */
export function createLocalTransport(
  routes: readonly Route[],
  options: { readonly interceptors?: readonly Interceptor[] } = {},
): Transport {
  const handlers = new Map<string, { service: DescService; handler: Handler; rules: MethodRules }>();
  for (const { service, implementation } of routes) {
    for (const method of service.methods) {
      const handler = implementation[method.localName] as Handler | undefined;
      if (handler) {
        const bound = handler.bind(implementation);
        const rules = methodRules(method);
        handlers.set(`${service.typeName}/${method.name}`, { service, handler: bound, rules });
      }
    }
  }
  const interceptors = [...(options.interceptors ?? [])];

  const open = <M extends DescMethod>(method: M, header: ConstructorParameters<typeof Headers>[0]) => {
    const path = `${method.parent.typeName}/${method.name}`;
    const found = handlers.get(path);
    if (!found) return undefined;
    const { handler, service, rules } = found;
    const values = createContextValues();
    const end = new AbortController();
    const url = `local:/${path}`;
    const context: HandlerContext = {
      service,
      method,
      protocolName: 'local',
      requestMethod: 'POST',
      url,
      values,
      requestHeader: new Headers(header),
      responseHeader: new Headers(),
      responseTrailer: new Headers(),
      signal: end.signal,
      timeoutMs: () => undefined,
    };
    return {
      handler(request: unknown) {
        checkAccess(accessOf(rules, context.requestHeader), values.get(requesterKey));
        return handler(request, context);
      },
      context,
      end,
      request: {
        service,
        method,
        requestMethod: 'POST',
        url,
        header: context.requestHeader,
        contextValues: values,
      },
      response: { service, method, header: context.responseHeader, trailer: context.responseTrailer },
    };
  };

  return {
    async unary<I extends DescMessage, O extends DescMessage>(
      method: DescMethodUnary<I, O>,
      signal: AbortSignal | undefined,
      timeoutMs: number | undefined,
      header: ConstructorParameters<typeof Headers>[0],
      message: MessageInitShape<I>,
    ): Promise<UnaryResponse<I, O>> {
      const call = open(method, header);
      if (!call) throw notServed(method);
      const { handler, context, end, request, response } = call;
      const handled = async ({ message }: UnaryRequest<I, O>): Promise<UnaryResponse<I, O>> => {
        const work = (async () => handler(message))();
        const result = (await raceWith(context.signal, work)) as MessageInitShape<O>;
        return { stream: false, ...response, message: asMessage(method.output, result) };
      };
      const around = interceptors.reduceRight((inner, each) => each(inner as never) as never, handled);
      const release = endWith(end, signal, timeoutMs);
      try {
        const typed = asMessage(method.input, message);
        return await around({ stream: false, ...request, message: typed, signal: context.signal });
      } catch (error) {
        throw ConnectError.from(error);
      } finally {
        release();
      }
    },
    stream<I extends DescMessage, O extends DescMessage>(
      method: DescMethodStreaming<I, O>,
      signal: AbortSignal | undefined,
      timeoutMs: number | undefined,
      header: ConstructorParameters<typeof Headers>[0],
      input: AsyncIterable<MessageInitShape<I>>,
    ): Promise<StreamResponse<I, O>> {
      // As over the network, 0 means no deadline.
      const deadlineMs = timeoutMs === 0 ? undefined : timeoutMs;
      const call = open(method, header);
      if (!call) return Promise.reject(notServed(method));
      const { handler, end } = call;
      return runStreamingCall<I, O>({
        req: { stream: true, ...call.request, message: input },
        interceptors,
        ...(signal ? { signal } : {}),
        ...(deadlineMs === undefined ? {} : { timeoutMs: deadlineMs }),
        next: async (request) => {
          const onAbort = () => end.abort(request.signal.reason);
          request.signal.addEventListener('abort', onAbort, { once: true });
          return {
            stream: true,
            ...call.response,
            message: answers(method, handler, request.message),
          };
        },
      });
    },
  };
}

/** The messages that the handler of a streaming method answers with. */
async function* answers<O extends DescMessage>(
  method: DescMethodStreaming<DescMessage, O>,
  handler: (request: unknown) => unknown,
  input: AsyncIterable<unknown>,
): AsyncGenerator<MessageShape<O>> {
  const request = method.methodKind === 'server_streaming' ? await only(input) : input;
  const answer = handler(request);
  if (method.methodKind === 'client_streaming') {
    yield asMessage(method.output, (await answer) as MessageInitShape<O>);
    return;
  }
  for await (const message of answer as AsyncIterable<MessageInitShape<O>>) {
    yield asMessage(method.output, message);
  }
}

async function only(messages: AsyncIterable<unknown>): Promise<unknown> {
  for await (const message of messages) return message;
  throw new ConnectError('There is no request', Code.InvalidArgument);
}

function notServed({ parent, name }: DescMethod): ConnectError {
  return new ConnectError(`${parent.typeName}/${name} is not served here`, Code.Unimplemented);
}

function asMessage<O extends DescMessage>(schema: O, value: MessageInitShape<O>): MessageShape<O> {
  const typed = value as { $typeName?: string };
  return typed.$typeName === schema.typeName ? (value as MessageShape<O>) : create(schema, value);
}

/**
 * Ends a call with its caller's signal, and at its deadline.
 *
 * @returns releases both, after the call
 */
function endWith(
  end: AbortController,
  signal: AbortSignal | undefined,
  timeoutMs: number | undefined,
): () => void {
  const onAbort = () => end.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const expire = () => end.abort(new ConnectError('The call took too long', Code.DeadlineExceeded));
  const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
}

function raceWith<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(ConnectError.from(signal.reason, Code.Canceled));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
