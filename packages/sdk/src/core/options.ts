/** A request as middleware sees and changes it. The token is added after all middleware, so that no log contains it. */
export interface ClientRequest {
  /** The called method, such as `users.list`; undefined for requests by path. */
  readonly operation: string | undefined;
  /** The number of the attempt, from 0. */
  readonly attempt: number;
  method: string;
  url: string;
  readonly headers: Headers;
  body: RequestBody | undefined;
  readonly signal: AbortSignal;
}

/** What `fetch` sends. A stream is sent once: such a request is not repeated. */
export type RequestBody = string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;

/**
 * Works around each attempt of a request, for example to log it or to add a header: `next` sends the request, or calls the
 * next middleware. The body of the answer must be left unread, or the answer be replaced.
 */
export type Middleware = (
  request: ClientRequest,
  next: (request: ClientRequest) => Promise<Response>,
) => Promise<Response>;

/** How a single request is made. */
export interface CallOptions {
  /** Ends the request; the call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** How long an attempt may take, in milliseconds; Infinity for no limit. For streams, until the answer begins. */
  readonly timeoutMs?: number | undefined;
  /** How often the request is repeated at most, see {@link ClientOptions.maxRetries}. */
  readonly maxRetries?: number | undefined;
  /**
   * Whether a second execution changes nothing more, so that the request may be repeated. True for reads, for requests with a
   * transaction id, and for changes with an idempotency key; otherwise false, unless the caller knows better.
   */
  readonly repeatable?: boolean | undefined;
  /** Why the request is made, for the audit log; at most 512 characters. */
  readonly reason?: string | undefined;
  /**
   * The key by which the server makes a change once, however often the request is repeated: up to 255 printable ASCII characters. A new
   * one for each call when unset, so that the client repeats changes of the administrative API as it does reads; `false` for none.
   */
  readonly idempotencyKey?: string | false | undefined;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** How a client works. */
export interface ClientOptions {
  /**
   * Where the server is, such as `https://matrix.example.org`, possibly with a path before that of the API. For pages of the
   * server's own origin such a path alone, or empty.
   */
  readonly baseUrl: string | URL;
  /**
   * An access token or automation token, or a function that returns one, which each attempt calls. Without it, requests
   * carry the cookies of the browser, among them that of an administrator session.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** What browsers do with cookies; `include` without a token, `omit` with one. */
  readonly credentials?: 'include' | 'omit' | 'same-origin' | undefined;
  /**
   * How long an attempt may take, in milliseconds; 60,000 for reads and 370,000 for changes when unset: the server lets no
   * request wait longer.
   */
  readonly timeoutMs?: number | undefined;
  /** How often a request is repeated at most after a 429, 502, 503, 504 or without an answer; 4 when unset. */
  readonly maxRetries?: number | undefined;
  /** Why requests are made, for the audit log, unless a call says otherwise. */
  readonly reason?: string | undefined;
  /** What works around each attempt, the first one outermost. */
  readonly middleware?: readonly Middleware[] | undefined;
  /** What sends requests; that of the platform when unset. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}
