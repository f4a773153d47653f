import type { DescMessage, DescMethod, DescMethodStreaming, DescMethodUnary } from '@bufbuild/protobuf';
import { create, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  type ContextValues,
  type Interceptor,
  type StreamResponse,
  type Transport,
  type UnaryResponse,
} from '@connectrpc/connect';
import { runStreamingCall } from '@connectrpc/connect/protocol';
import { accessOf, checkAccess } from './access.ts';
import type { HeadersSource } from './call-headers.ts';
import { forwardedForm } from './forwarded-answer.ts';
import { LocalCall, LocalRequest, type ServedMethod } from './local-call.ts';
import { methodRules } from './method-rules.ts';
import { requesterKey } from './requester.ts';
import type { Route } from './routes.ts';

type Handler = (request: unknown, call: LocalCall) => unknown;

interface Served extends ServedMethod {
  readonly handler: Handler;
  /** Carries a unary call out, through all interceptors. */
  readonly carryOut: (request: LocalRequest) => Promise<UnaryResponse>;
}

/**
 * A transport to services of the same process: the interceptors run as they do on a server, the
 * messages are passed by reference. Connect's own router transport would encode and decode every
 * message, which is most of the cost of a point read.
 *
 * No call enters a handler without the access that its method declares: where no interceptor has identified
 * the caller, as between services that call each other, only methods that need no token are admitted. Context
 * values belong to the server's side of a call, as over the network; a caller can pass those of `forwardedAs` only.
 *
 * A call past its deadline is answered with `DeadlineExceeded`; the handler goes on, so that a change
 * that has begun is completed. A stream produces a message when its reader asks for one; a handler releases
 * what it holds when `context.signal` is raised, because the reader may never ask again.
 */
export function createLocalTransport(
  routes: readonly Route[],
  options: { readonly interceptors?: readonly Interceptor[] } = {},
): Transport {
  const interceptors = [...(options.interceptors ?? [])];
  const methods = new Map<DescMethod, Served>();
  for (const { service, implementation } of routes) {
    for (const method of service.methods) {
      const implemented = implementation[method.localName] as Handler | undefined;
      if (!implemented) continue;
      const rules = methodRules(method);
      const handler: Handler = (request, call) => {
        checkAccess(accessOf(rules, call.requestHeader), rules, call.values.get(requesterKey));
        return implemented.call(implementation, request, call);
      };
      const url = `local:/${service.typeName}/${method.name}`;
      const carryOut = interceptors.reduceRight(
        (inner, each) => each(inner as never) as never,
        async ({ call, message }: LocalRequest) =>
          answerOf(call, (await call.race(handler(message, call))) as MessageInitShape<DescMessage>),
      ) as unknown as Served['carryOut'];
      methods.set(method, { service, method, url, handler, carryOut });
    }
  }

  return {
    async unary<I extends DescMessage, O extends DescMessage>(
      method: DescMethodUnary<I, O>,
      signal: AbortSignal | undefined,
      timeoutMs: number | undefined,
      header: HeadersSource,
      message: MessageInitShape<I>,
      hints?: ContextValues,
    ): Promise<UnaryResponse<I, O>> {
      const served = methods.get(method);
      if (!served) throw notServed(method);
      const call = new LocalCall(served, header, forwardedForm(hints) !== undefined);
      const release = call.endWith(signal, timeoutMs);
      try {
        return (await served.carryOut(
          new LocalRequest(call, asMessage(method.input, message)),
        )) as unknown as UnaryResponse<I, O>;
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
      header: HeadersSource,
      input: AsyncIterable<MessageInitShape<I>>,
    ): Promise<StreamResponse<I, O>> {
      // As over the network, 0 means no deadline.
      const deadlineMs = timeoutMs === 0 ? undefined : timeoutMs;
      const served = methods.get(method);
      if (!served) return Promise.reject(notServed(method));
      const call = new LocalCall(served, header);
      const { service, url, requestMethod, requestHeader, values } = call;
      return runStreamingCall<I, O>({
        req: {
          ...{ stream: true, service, method, url, requestMethod },
          ...{ header: requestHeader, contextValues: values, message: input },
        },
        interceptors,
        ...(signal ? { signal } : {}),
        ...(deadlineMs === undefined ? {} : { timeoutMs: deadlineMs }),
        next: async (request) => {
          const onAbort = () => call.end(request.signal.reason);
          request.signal.addEventListener('abort', onAbort, { once: true });
          return {
            ...{ stream: true, service, method },
            ...{ header: call.responseHeader, trailer: call.responseTrailer },
            message: answers(method, (message) => served.handler(message, call), request.message),
          };
        },
      });
    },
  };
}

function answerOf(call: LocalCall, result: MessageInitShape<DescMessage>): UnaryResponse {
  const { service, method, responseHeader: header, responseTrailer: trailer } = call;
  const message = call.sparse ? (result as MessageShape<DescMessage>) : asMessage(method.output, result);
  return { stream: false, service, method: method as DescMethodUnary, header, trailer, message };
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
