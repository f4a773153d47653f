import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import type { Interceptor, Transport, UnaryResponse } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { connectionLost, gone, neverHandled } from './call-failure.ts';
import { presentCredential } from './interceptors/credential.ts';
import { withErrors } from './interceptors/with-errors.ts';
import { MESSAGE_LIMIT_BYTES } from './limits.ts';
import { SessionManager } from './session-manager.ts';

/** How often an idle-looking connection with open calls is asked whether it lives, in milliseconds. */
const PING_INTERVAL_MS = 10_000;

/** How long a call waits for an instance to come up, in milliseconds: a restart takes seconds on a busy machine. */
const CONNECT_PATIENCE_MS = 10_000;

/** The pause before all instances are tried again, in milliseconds. */
const CONNECT_PAUSE_MS = 50;

/** The deadline of a call that names none, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** A way to the instances of one service. */
export interface Channel extends Transport {
  close(): void;
}

/**
 * A transport to the instances of a service, in turn. A call that never reached a handler, because the
 * instance was gone, going or full, goes to the next one; one that may have reached it is repeated,
 * once, only where its method declares to have no side effects. A call that streams is not repeated.
 */
export function createChannel(options: {
  /** One URL for each instance. */
  readonly urls: readonly string[];
  readonly credential: string;
  readonly interceptors?: readonly Interceptor[];
}): Channel {
  const managers = options.urls.map((url) => new SessionManager(url, { pingIntervalMs: PING_INTERVAL_MS }));
  const transports = managers.map((sessionManager, index) =>
    // Servers speak gRPC as well; a unary call in Connect's own protocol costs both sides half as much.
    createConnectTransport({
      httpVersion: '2',
      useBinaryFormat: true,
      baseUrl: options.urls[index] as string,
      sessionManager,
      interceptors: [...(options.interceptors ?? []), presentCredential(options.credential)],
      readMaxBytes: MESSAGE_LIMIT_BYTES,
      writeMaxBytes: MESSAGE_LIMIT_BYTES,
      // Between neighbours it costs more than it spares, most of all for media, which are compressed already.
      acceptCompression: [],
      defaultTimeoutMs: DEFAULT_TIMEOUT_MS,
    }),
  );
  let turn = 0;
  const next = () => {
    const index = turn++ % transports.length;
    return { transport: transports[index] as Transport, manager: managers[index] as SessionManager };
  };

  // A stream cannot be begun again once its messages are read: it waits for its connection.
  const connected = async () => {
    const start = performance.now();
    for (let attempt = 1; ; attempt++) {
      const instance = next();
      const state = await instance.manager.connect();
      if (state !== 'error' || performance.now() - start > CONNECT_PATIENCE_MS) return instance;
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
      // Of the call as a whole, however often it is tried.
      const deadlineMs = timeoutMs ?? DEFAULT_TIMEOUT_MS;
      const patienceMs = Math.min(CONNECT_PATIENCE_MS, deadlineMs);
      let repeated = false;
      for (let attempt = 1; ; attempt++) {
        const leftMs = Math.max(1, Math.ceil(deadlineMs - (performance.now() - start)));
        const { transport } = next();
        try {
          return await transport.unary(method, signal, leftMs, header, input, contextValues);
        } catch (error) {
          const lost = connectionLost(error) && !signal?.aborted;
          const again = neverHandled(error) || (lost && repeatable && !repeated);
          if (!again || performance.now() - start > patienceMs) throw lost ? gone(error) : error;
          repeated ||= !neverHandled(error);
          if (attempt % transports.length === 0) await pause();
        }
      }
    },
    async stream(...call) {
      const { transport } = await connected();
      const [, signal] = call;
      const explained = (error: unknown) => (connectionLost(error) && !signal?.aborted ? gone(error) : error);
      try {
        const answer = await transport.stream(...call);
        return { ...answer, message: withErrors(answer.message, explained) };
      } catch (error) {
        throw explained(error);
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
