import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import {
  Code,
  ConnectError,
  type ContextValues,
  type Transport,
  type UnaryResponse,
} from '@connectrpc/connect';
import type { Random } from '@steward/kernel';
import { Health } from '@steward/proto/health/v1/health_pb.ts';
import { connectionLostError, isConnectionLost, neverHandled } from './call-failure.ts';
import { CallHeaders, type HeadersSource } from './call-headers.ts';
import { type LookUp, lookUpHost } from './channel/addresses.ts';
import { DEFAULT_TIMEOUT_MS, type Instance } from './channel/instance.ts';
import { Instances } from './channel/instances.ts';
import { type AnswerForm, forwardedForm, WrittenAnswer } from './forwarded-answer.ts';
import { withErrors } from './interceptors/with-errors.ts';
import { MESSAGE_LIMIT_BYTES } from './limits.ts';
import { type Link, Unanswered } from './link/link.ts';
import type { Tls } from './tls.ts';

/** How long a call waits for an instance to start, in milliseconds: a restart takes seconds on a busy machine. */
const CONNECT_WAIT_MS = 10_000;

/** The pause before a call is made a third time, in milliseconds. */
const REPEAT_PAUSE_MS = 50;

/** A transport to the instances of one service. */
export interface Channel extends Transport {
  close(): void;
}

/** How the instances of a service are found and called. */
export interface ChannelOptions {
  /** URLs of single instances, or with host names that stand for several. */
  readonly urls: readonly string[];
  readonly credential: string;
  /** Connects over TLS, to instances with a certificate of the same authorities; the URLs are https ones then. */
  readonly tls?: Tls | undefined;
  readonly random: Random;
  /** Looks host names up; that of the machine by default. */
  readonly lookUp?: LookUp;
}

/**
 * A transport that distributes calls over the instances of a service: of two random ones it calls that with fewer calls in
 * progress. Instances are those at the addresses that the names of the URLs have at the time. A call that reached no handler,
 * because the instance was stopped, stopping or full, goes to another instance. A call that may have reached a handler is
 * repeated, once, only if its method declares that a second execution changes nothing more (`NO_SIDE_EFFECTS` or `IDEMPOTENT`):
 * when the instance is lost, and when it answers nothing while another one does. A streaming call is never repeated.
 */
export function createChannel(options: ChannelOptions): Channel {
  const instances = new Instances({ lookUp: lookUpHost, ...options });

  // A stream cannot restart after its messages were read, so it waits for a connection first.
  const connected = async (signal: AbortSignal | undefined) => {
    const until = performance.now() + CONNECT_WAIT_MS;
    for (;;) {
      const instance = await instances.next(until, signal);
      if ((await instance.connectStreams()) || performance.now() > until) return instance;
      await pause();
    }
  };

  return {
    async unary<I extends DescMessage, O extends DescMessage>(
      method: DescMethodUnary<I, O>,
      signal: AbortSignal | undefined,
      timeoutMs: number | undefined,
      header: HeadersSource,
      input: MessageInitShape<I>,
      hints?: ContextValues,
    ): Promise<UnaryResponse<I, O>> {
      const form = forwardedForm(hints);
      const repeatable = method.idempotency !== Idempotency.IDEMPOTENCY_UNKNOWN;
      const start = performance.now();
      // The deadline of the call as a whole, including repetitions.
      const deadline = start + (timeoutMs ?? DEFAULT_TIMEOUT_MS);
      let until = Math.min(start + CONNECT_WAIT_MS, deadline);
      let repeated = false;
      for (let attempt = 1; ; attempt++) {
        const instance = instances.pick() ?? (await instances.next(until, signal));
        const leftMs = Math.max(1, Math.ceil(deadline - performance.now()));
        const isMovable = repeatable && !repeated;
        try {
          return await callOnce(instance, {
            method,
            signal,
            timeoutMs: leftMs,
            header,
            input,
            form,
            isMovable,
          });
        } catch (error) {
          if (!(error instanceof Unanswered)) throw error;
          const now = performance.now();
          if (error.mayBeHandled) {
            if (!isMovable) throw connectionLostError(error.cause);
            repeated = true;
            until = Math.min(now + CONNECT_WAIT_MS, deadline);
          }
          if (now > until) throw connectionLostError(error.cause);
          if (attempt > 1) await pause();
        }
      }
    },
    async stream(...call) {
      const [, signal] = call;
      const instance = await connected(signal);
      const explain = (error: unknown) =>
        isConnectionLost(error) && !signal?.aborted ? connectionLostError(error) : error;
      try {
        const answer = await instance.opening(() => instance.transport.stream(...call));
        return { ...answer, message: withErrors(answer.message, explain) };
      } catch (error) {
        throw explain(error);
      }
    },
    close: () => instances.close(),
  };
}

/** A unary call. */
interface UnaryCall<I extends DescMessage, O extends DescMessage> {
  readonly method: DescMethodUnary<I, O>;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly header: HeadersSource;
  readonly input: MessageInitShape<I>;
  /** The form of JSON in which the caller passes the answer on, if it does. */
  readonly form: AnswerForm | undefined;
  /** Whether another instance may repeat it. */
  readonly isMovable: boolean;
}

/**
 * Makes a call to one instance, once.
 *
 * @throws Unanswered when the instance did not answer; any other error is the answer, or the caller's own
 */
async function callOnce<I extends DescMessage, O extends DescMessage>(
  instance: Instance,
  call: UnaryCall<I, O>,
): Promise<UnaryResponse<I, O>> {
  const { method, signal, timeoutMs, header, input } = call;
  const { link, transport } = instance;
  // Health is asked as probes ask for it.
  if (link && method.parent.typeName !== Health.typeName) return callThrough(link, call);
  try {
    return await transport.unary(method, signal, timeoutMs, header, input);
  } catch (error) {
    const isLost = isConnectionLost(error) && !signal?.aborted;
    if (!isLost && !neverHandled(error)) throw error;
    instance.lose();
    throw new Unanswered(!neverHandled(error), error);
  }
}

async function callThrough<I extends DescMessage, O extends DescMessage>(
  link: Link,
  { method, signal, timeoutMs, header, input, form, isMovable }: UnaryCall<I, O>,
): Promise<UnaryResponse<I, O>> {
  const service = method.parent;
  const request = toBinary(method.input, create(method.input, input));
  if (request.length > MESSAGE_LIMIT_BYTES)
    throw new ConnectError(`A request of ${request.length} bytes is too large`, Code.ResourceExhausted);
  const answer = await link.call({
    method: `${service.typeName}/${method.name}`,
    header: Object.fromEntries(new CallHeaders(header)),
    timeoutMs,
    signal,
    request,
    form,
    isMovable,
  });
  const { response } = answer;
  return {
    stream: false,
    service,
    method,
    header: answer.header,
    trailer: new CallHeaders(),
    message:
      response instanceof WrittenAnswer
        ? (response as unknown as MessageShape<O>)
        : fromBinary(method.output, response),
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, REPEAT_PAUSE_MS));
}
