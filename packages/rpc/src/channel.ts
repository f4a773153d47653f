import type { Settings } from 'node:http2';
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
import { createConnectTransport } from '@connectrpc/connect-node';
import { Health } from '@steward/proto/health/v1/health_pb.ts';
import { connectionLostError, isConnectionLost, neverHandled } from './call-failure.ts';
import { CallHeaders, type HeadersSource } from './call-headers.ts';
import { type AnswerForm, forwardedForm, WrittenAnswer } from './forwarded-answer.ts';
import { sendCredential } from './interceptors/credential.ts';
import { withErrors } from './interceptors/with-errors.ts';
import { CONNECTION_MEMORY_MB, MESSAGE_LIMIT_BYTES } from './limits.ts';
import { Link, NoLinks, Unanswered } from './link/link.ts';
import { LINK_WINDOW_BYTES } from './link/protocol.ts';
import { SessionManager } from './session-manager.ts';

/** The interval of pings on a silent connection with open calls, in milliseconds. */
const PING_INTERVAL_MS = 10_000;

/** How long a call waits for an instance to start, in milliseconds: a restart takes seconds on a busy machine. */
const CONNECT_WAIT_MS = 10_000;

/** The pause before all instances are tried again, in milliseconds. */
const CONNECT_PAUSE_MS = 50;

/** The default deadline of a call, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** A transport to the instances of one service. */
export interface Channel extends Transport {
  close(): void;
}

/** An instance of a service. */
interface Instance {
  /** Unary calls. */
  readonly link: Link;
  /** Streams, the calls of an instance of an earlier release, and questions for its health. */
  readonly transport: Transport;
  /** The connection of `transport`. */
  readonly sessions: SessionManager;
}

/**
 * A transport that distributes calls over the instances of a service, round robin. A call that reached no
 * handler, because the instance was stopped, stopping or full, goes to the next instance. A call that may have
 * reached a handler is repeated, once, only if its method declares no side effects. A streaming call is never
 * repeated.
 */
export function createChannel(options: {
  /** One URL for each instance. */
  readonly urls: readonly string[];
  readonly credential: string;
}): Channel {
  const { urls, credential } = options;
  const managers: SessionManager[] = [];
  const openSessions = (url: string, settings?: Settings) => {
    const sessions = new SessionManager(
      url,
      { pingIntervalMs: PING_INTERVAL_MS },
      { maxSessionMemory: CONNECTION_MEMORY_MB, ...(settings ? { settings } : {}) },
    );
    managers.push(sessions);
    return sessions;
  };
  const instances = urls.map((url): Instance => {
    const sessions = openSessions(url);
    return {
      // A connection of its own, whose window is larger than streams of bytes should have.
      link: new Link(openSessions(url, { initialWindowSize: LINK_WINDOW_BYTES }), credential),
      sessions,
      transport: createConnectTransport({
        httpVersion: '2',
        useBinaryFormat: true,
        baseUrl: url,
        sessionManager: sessions,
        interceptors: [sendCredential(credential)],
        readMaxBytes: MESSAGE_LIMIT_BYTES,
        writeMaxBytes: MESSAGE_LIMIT_BYTES,
        // Within a data centre compression costs more than it saves, most of all for media, which are compressed.
        acceptCompression: [],
        defaultTimeoutMs: DEFAULT_TIMEOUT_MS,
      }),
    };
  });
  let isClosed = false;
  let calls = 0;
  const next = () => instances[calls++ % instances.length] as Instance;

  // A stream cannot restart after its messages were read, so it waits for a connection first.
  const connected = async () => {
    const start = performance.now();
    for (let attempt = 1; ; attempt++) {
      const instance = next();
      const state = await instance.sessions.connect();
      if (state !== 'error' || performance.now() - start > CONNECT_WAIT_MS) return instance;
      if (attempt % instances.length === 0) await pause();
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
      const deadlineMs = timeoutMs ?? DEFAULT_TIMEOUT_MS;
      const waitMs = Math.min(CONNECT_WAIT_MS, deadlineMs);
      let repeated = false;
      for (let attempt = 1; ; attempt++) {
        const leftMs = Math.max(1, Math.ceil(deadlineMs - (performance.now() - start)));
        try {
          return await callOnce(next(), { method, signal, timeoutMs: leftMs, header, input, form });
        } catch (error) {
          if (!(error instanceof Unanswered)) throw error;
          const again = !error.mayBeHandled || (repeatable && !repeated);
          if (!again || isClosed || performance.now() - start > waitMs)
            throw connectionLostError(error.cause);
          repeated ||= error.mayBeHandled;
          if (attempt % instances.length === 0) await pause();
        }
      }
    },
    async stream(...call) {
      const { transport } = await connected();
      const [, signal] = call;
      const explain = (error: unknown) =>
        isConnectionLost(error) && !signal?.aborted ? connectionLostError(error) : error;
      try {
        const answer = await transport.stream(...call);
        return { ...answer, message: withErrors(answer.message, explain) };
      } catch (error) {
        throw explain(error);
      }
    },
    close() {
      isClosed = true;
      for (const manager of managers) manager.abort();
    },
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
}

/**
 * Makes a call to one instance, once.
 *
 * @throws Unanswered when the instance did not answer; any other error is the answer, or the caller's own
 */
async function callOnce<I extends DescMessage, O extends DescMessage>(
  { link, transport }: Instance,
  call: UnaryCall<I, O>,
): Promise<UnaryResponse<I, O>> {
  const { method, signal, timeoutMs, header, input } = call;
  // Health is asked as probes ask for it.
  if (method.parent.typeName !== Health.typeName) {
    try {
      return await callThrough(link, call);
    } catch (error) {
      if (!(error instanceof NoLinks)) throw error;
    }
  }
  try {
    return await transport.unary(method, signal, timeoutMs, header, input);
  } catch (error) {
    if (neverHandled(error)) throw new Unanswered(false, error);
    throw isConnectionLost(error) && !signal?.aborted ? new Unanswered(true, error) : error;
  }
}

async function callThrough<I extends DescMessage, O extends DescMessage>(
  link: Link,
  { method, signal, timeoutMs, header, input, form }: UnaryCall<I, O>,
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
  return new Promise((resolve) => setTimeout(resolve, CONNECT_PAUSE_MS));
}
