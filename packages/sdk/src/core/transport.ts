import { checkCallOptions, checkClientOptions } from './check-options.ts';
import { refusalOf, StewardError } from './errors.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import type { CallOptions, ClientOptions, ClientRequest, RequestBody } from './options.ts';
import { backOffMs, LONGEST_TIMER_MS, pause } from './pause.ts';
import { RecentChanges } from './recent-changes.ts';

/** A request without what the client adds to each. */
export interface Outgoing {
  readonly operation?: string | undefined;
  readonly method: string;
  /** Below the base URL, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: RequestBody | undefined;
  /** Whether a second execution changes nothing more; reads are, whatever this says. */
  readonly repeatable?: boolean | undefined;
  /** Whether it is a change that the server makes once for each idempotency key. */
  readonly keyed?: boolean | undefined;
}

/**
 * Sends a request until it succeeds, fails for good or has been repeated often enough.
 *
 * @param consume reads the answer, which has a status of success; the time for the request includes it
 * @throws StewardError for a refusal, and when no answer came; the reason of the signal when it is aborted
 */
export type Send = <T>(
  request: Outgoing,
  options: CallOptions,
  consume: (response: Response) => T | Promise<T>,
) => Promise<T>;

const DEFAULT_RETRIES = 4;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** A longer wait is the decision of the caller, who learns of it from the error. */
const LONGEST_RETRY_AFTER_MS = 60_000;
const READ_TIMEOUT_MS = 60_000;
const CHANGE_TIMEOUT_MS = 370_000;

const READS = new Set(['GET', 'HEAD']);
/** The request was refused for the moment, or did not reach the server. */
const PASSING = new Set([429, 502, 503, 504]);

/** Without an answer; and with one that says that an earlier attempt is still carried out. */
const PASSING_ERRCODES = new Set(['NETWORK_ERROR', 'TIMEOUT', 'STEWARD_ACTION_IN_PROGRESS']);

/** Every character that is not printable ASCII, and the percent sign, with which the server begins an escape. */
const ESCAPED_IN_REASON = /[^ -$&-~]+/g;

/**
 * Returns what sends the requests of a client.
 *
 * @throws TypeError for a base URL that is none, and for options that there are not
 */
export function createTransport(options: ClientOptions): Send {
  checkClientOptions(options);
  const base = baseOf(options.baseUrl);
  const dispatch = (options.middleware ?? []).reduceRight<(request: ClientRequest) => Promise<Response>>(
    (next, middleware) => (request) => middleware(request, next),
    (request) => fetchWithToken(request, options),
  );
  const changes = new RecentChanges();

  return async (request, call, consume) => {
    checkCallOptions(request.operation ?? 'request', call);
    const read = READS.has(request.method);
    const streamed = request.body instanceof ReadableStream;
    const key = keyOf(request, call);
    const repeatable =
      !streamed && (call.repeatable ?? (read || request.repeatable === true || key !== undefined));
    const retries = repeatable ? (call.maxRetries ?? options.maxRetries ?? DEFAULT_RETRIES) : 0;
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? (read ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS);
    const url = `${base}${request.path}`;
    const headers = headersOf(request, call, options);
    if (key !== undefined) headers.set('idempotency-key', key);
    if (read) changes.waitFor(headers);
    for (let attempt = 0; ; attempt++) {
      try {
        return await withTimeout(timeoutMs, url, call.signal, async (signal) => {
          const { operation, method, body } = request;
          const each = { operation, attempt, method, url, headers: new Headers(headers), body, signal };
          const response = await dispatch(each);
          if (!response.ok) throw await refusalOf(response);
          changes.add(response);
          return { response, value: await consumed(response, url, consume) };
        });
      } catch (error) {
        call.signal?.throwIfAborted();
        // What middleware and token functions throw is theirs.
        if (!(error instanceof StewardError)) throw error;
        if (error.errcode === 'INVALID_ANSWER') error.message += fromServer(url);
        const pauseMs = error.retryAfterMs ?? backOffMs(attempt, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
        if (attempt >= retries || !isPassing(error) || pauseMs > LONGEST_RETRY_AFTER_MS) throw error;
        await pause(pauseMs, call.signal);
      }
    }
  };
}

/** Whether a repetition may succeed. */
export function isPassing({ status, errcode }: StewardError): boolean {
  return PASSING.has(status) || PASSING_ERRCODES.has(errcode);
}

/** Logs and middleware never see the token. */
async function fetchWithToken(request: ClientRequest, options: ClientOptions): Promise<Response> {
  const { method, url, body, signal } = request;
  const headers = new Headers(request.headers);
  if (options.token !== undefined && !headers.has('authorization')) {
    const token = typeof options.token === 'function' ? await options.token() : options.token;
    headers.set('authorization', `Bearer ${requireToken(token)}`);
  }
  const send = options.fetch ?? fetch;
  const init = {
    method,
    headers,
    body: body ?? null,
    signal,
    cache: 'no-store',
    credentials: options.credentials ?? (options.token === undefined ? 'include' : 'omit'),
    // A redirection could turn a change into a read.
    redirect: 'error',
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  };
  try {
    return await send(url, init as RequestInit);
  } catch (error) {
    throw networkError(error, url);
  }
}

/** The message of the platform for a header that cannot be sent would have the token. */
function requireToken(token: unknown): string {
  const trimmed = typeof token === 'string' ? token.trim() : '';
  if (!/^[!-~]+$/.test(trimmed))
    throw new TypeError('the token is empty, or has characters that no token has');
  return trimmed;
}

async function consumed<T>(
  response: Response,
  url: string,
  consume: (response: Response) => T | Promise<T>,
): Promise<T> {
  try {
    return await consume(response);
  } catch (error) {
    throw error instanceof StewardError ? error : networkError(error, url);
  }
}

function headersOf(request: Outgoing, call: CallOptions, options: ClientOptions): Headers {
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
  const reason = call.reason ?? options.reason;
  if (reason !== undefined)
    headers.set(
      'x-steward-reason',
      // Half of a character, as of a text that was cut, cannot be encoded.
      reason.replace(/\p{Surrogate}/gu, '\ufffd').replace(ESCAPED_IN_REASON, encodeURIComponent),
    );
  return headers;
}

/** The key of all attempts of a change; `undefined` for requests without one. */
function keyOf({ keyed }: Outgoing, { idempotencyKey }: CallOptions): string | undefined {
  if (idempotencyKey === false || (idempotencyKey === undefined && !keyed)) return undefined;
  return idempotencyKey ?? newIdempotencyKey();
}

/** Runs an attempt, whose signal is aborted after a time and with the signal of the caller. */
async function withTimeout<T>(
  ms: number,
  url: string,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<{ readonly response: Response; readonly value: T }>,
): Promise<T> {
  outer?.throwIfAborted();
  const attempt = new AbortController();
  const timer = setTimeout(
    () => {
      const message = `no answer${fromServer(url)} within ${ms} ms`;
      attempt.abort(new StewardError(message, { status: 0, errcode: 'TIMEOUT' }));
    },
    Math.min(ms, LONGEST_TIMER_MS),
  );
  const abort = () => attempt.abort(outer?.reason);
  outer?.addEventListener('abort', abort, { once: true });
  let streaming = false;
  try {
    const { response, value } = await run(attempt.signal);
    // The caller still reads a stream, and can still end it.
    streaming = response.body !== null && !response.bodyUsed;
    return value;
  } catch (error) {
    throw attempt.signal.aborted ? attempt.signal.reason : error;
  } finally {
    clearTimeout(timer);
    if (!streaming) outer?.removeEventListener('abort', abort);
  }
}

/** @throws TypeError unless it is an absolute URL without a password, or empty or a path for the origin of a page */
function baseOf(url: string | URL): string {
  const base = String(url).replace(/\/+$/, '');
  if (!/^(?:https?:\/\/[^/?#@]+(?:\/[^?#]*)?|(?:\/[^?#]+)?)$/i.test(base)) {
    throw new TypeError('baseUrl must be a URL of http or https without a password and a query');
  }
  return base;
}

function networkError(error: unknown, url: string): StewardError {
  // What fetch says is in its cause: the message is the same for all failures.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new StewardError(`no answer${fromServer(url)}: ${message}`, {
    status: 0,
    errcode: 'NETWORK_ERROR',
    cause: error,
  });
}

/** Names the server of a URL, because a wrong one is the usual cause; in a page it is that of the page. */
function fromServer(url: string): string {
  const [server] = /^https?:\/\/[^/]+/i.exec(url) ?? [];
  return server === undefined ? '' : ` from ${server}`;
}
