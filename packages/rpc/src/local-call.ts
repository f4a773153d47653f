import type { DescMethod, DescService, Message } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  type ContextValues,
  createContextValues,
  type HandlerContext,
} from '@connectrpc/connect';
import { CallHeaders, type HeadersSource } from './call-headers.ts';

/** The method of a call in the process, and where it is served. */
export interface ServedMethod {
  readonly service: DescService;
  readonly method: DescMethod;
  readonly url: string;
}

/**
 * A call in the process, as its handler sees it. Most calls end with their answer, and nothing asks for their signal; so it
 * is made when it is first read.
 */
export class LocalCall implements HandlerContext {
  readonly protocolName = 'local';
  readonly requestMethod = 'POST';
  readonly service: DescService;
  readonly method: DescMethod;
  readonly url: string;
  readonly requestHeader: CallHeaders;
  readonly responseHeader = new CallHeaders();
  readonly responseTrailer = new CallHeaders();
  readonly values: ContextValues = createContextValues();
  #controller: AbortController | undefined;
  /** Whether the answer may leave fields out. */
  readonly sparse: boolean;
  #canEnd = false;
  #ended: { readonly reason: unknown } | undefined;
  #onEnd: ((reason: unknown) => void) | undefined;

  constructor({ service, method, url }: ServedMethod, header: HeadersSource, sparse = false) {
    this.service = service;
    this.method = method;
    this.url = url;
    this.requestHeader = new CallHeaders(header);
    this.sparse = sparse;
  }

  /** Raised when the call ends before its answer. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#ended) this.#controller.abort(this.#ended.reason);
    }
    return this.#controller.signal;
  }

  timeoutMs(): undefined {
    return undefined;
  }

  /** Ends the call before its answer. */
  end(reason: unknown): void {
    if (this.#ended) return;
    this.#ended = { reason };
    this.#controller?.abort(reason);
    this.#onEnd?.(reason);
  }

  /** Ends the call with its caller's signal, and at its deadline. Returns the function that releases both. */
  endWith(signal: AbortSignal | undefined, timeoutMs: number | undefined): () => void {
    this.#canEnd = signal !== undefined || timeoutMs !== undefined;
    const onAbort = signal && (() => this.end(signal.reason));
    if (signal?.aborted) onAbort?.();
    if (onAbort) signal.addEventListener('abort', onAbort, { once: true });
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs, this);
    return () => {
      clearTimeout(timer);
      if (onAbort) signal.removeEventListener('abort', onAbort);
    };
  }

  /** The result of the handler, or the end of the call if that comes first. */
  race<T>(work: T | Promise<T>): T | Promise<T> {
    if (!this.#canEnd) return work;
    return new Promise((resolve, reject) => {
      this.#onEnd = (reason) => reject(ConnectError.from(reason, Code.Canceled));
      if (this.#ended) this.#onEnd(this.#ended.reason);
      Promise.resolve(work).then(resolve, reject);
    });
  }
}

function expire(call: LocalCall): void {
  call.end(new ConnectError('The call took too long', Code.DeadlineExceeded));
}

/** The request of a unary call, as interceptors see it. */
export class LocalRequest {
  readonly stream = false;
  readonly requestMethod = 'POST';
  readonly service: DescService;
  readonly method: DescMethod;
  readonly url: string;
  readonly header: Headers;
  readonly contextValues: ContextValues;
  readonly message: Message;
  readonly call: LocalCall;

  constructor(call: LocalCall, message: Message) {
    this.call = call;
    this.message = message;
    this.service = call.service;
    this.method = call.method;
    this.url = call.url;
    this.header = call.requestHeader;
    this.contextValues = call.values;
  }

  get signal(): AbortSignal {
    return this.call.signal;
  }
}
