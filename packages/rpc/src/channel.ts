import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import type { Interceptor, Transport, UnaryResponse } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { connectionLostError, isConnectionLost, neverHandled } from './call-failure.ts';
import { sendCredential } from './interceptors/credential.ts';
import { withErrors } from './interceptors/with-errors.ts';
import { CONNECTION_MEMORY_MB, MESSAGE_LIMIT_BYTES } from './limits.ts';
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
  readonly interceptors?: readonly Interceptor[];
}): Channel {
  const managers = options.urls.map(
    (url) =>
      new SessionManager(
        url,
        { pingIntervalMs: PING_INTERVAL_MS },
        { maxSessionMemory: CONNECTION_MEMORY_MB },
      ),
  );
  const transports = managers.map((sessionManager, index) =>
    // Servers also speak gRPC, but a unary call in the Connect protocol costs both sides half as much.
    createConnectTransport({
      httpVersion: '2',
      useBinaryFormat: true,
      baseUrl: options.urls[index] as string,
      sessionManager,
      interceptors: [...(options.interceptors ?? []), sendCredential(options.credential)],
      readMaxBytes: MESSAGE_LIMIT_BYTES,
      writeMaxBytes: MESSAGE_LIMIT_BYTES,
      // Within a data centre compression costs more than it saves, most of all for media, which are compressed.
      acceptCompression: [],
      defaultTimeoutMs: DEFAULT_TIMEOUT_MS,
    }),
  );
  let calls = 0;
  const next = () => {
    const index = calls++ % transports.length;
    return { transport: transports[index] as Transport, manager: managers[index] as SessionManager };
  };

  // A stream cannot restart after its messages were read, so it waits for a connection first.
  const connected = async () => {
    const start = performance.now();
    for (let attempt = 1; ; attempt++) {
      const instance = next();
      const state = await instance.manager.connect();
      if (state !== 'error' || performance.now() - start > CONNECT_WAIT_MS) return instance;
      if (attempt % transports.length === 0) await pause();
    }
  };

  return {
    async unary<I extends DescMessage, O extends DescMessage>(
      method: DescMethodUnary<I, O>,
      signal: AbortSignal | undefined,
      timeoutMs: number | undefined,
      header: ConstructorParameters<typeof Headers>[0],
      input: MessageInitShape<I>,
      contextValues?: Parameters<Transport['unary']>[5],
    ): Promise<UnaryResponse<I, O>> {
      const repeatable = method.idempotency !== Idempotency.IDEMPOTENCY_UNKNOWN;
      const start = performance.now();
      // The deadline of the call as a whole, including repetitions.
      const deadlineMs = timeoutMs ?? DEFAULT_TIMEOUT_MS;
      const waitMs = Math.min(CONNECT_WAIT_MS, deadlineMs);
      let repeated = false;
      for (let attempt = 1; ; attempt++) {
        const leftMs = Math.max(1, Math.ceil(deadlineMs - (performance.now() - start)));
        const { transport } = next();
        try {
          return await transport.unary(method, signal, leftMs, header, input, contextValues);
        } catch (error) {
          const lost = isConnectionLost(error) && !signal?.aborted;
          const again = neverHandled(error) || (lost && repeatable && !repeated);
          if (!again || performance.now() - start > waitMs) throw lost ? connectionLostError(error) : error;
          repeated ||= !neverHandled(error);
          if (attempt % transports.length === 0) await pause();
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
      for (const manager of managers) manager.abort();
    },
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, CONNECT_PAUSE_MS));
}
