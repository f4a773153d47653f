import type { Clock } from '@steward/kernel';
import type { AddressRules } from './address-rules.ts';
import { checkUrl } from './check-url.ts';
import { type Answer, exchange } from './exchange.ts';
import { Failure } from './failure.ts';
import { findAddresses, type Resolve } from './find-addresses.ts';
import { hostOf } from './host-of.ts';
import type { Outcome } from './outcome.ts';
import { resolveHost } from './resolve-host.ts';
import { parseRetryAfter } from './retry-after.ts';

/** One request without a body, of method GET. */
export interface ReadRequest {
  readonly url: string;
  /** Further headers. `Host`, `Content-Length`, `Connection` and `User-Agent` are the sender's. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request with the reason `aborted`. */
  readonly signal?: AbortSignal;
}

/** One request, of method POST. */
export interface WebhookRequest extends ReadRequest {
  readonly body: string;
}

/** Either request. */
type Outgoing = ReadRequest & Partial<Pick<WebhookRequest, 'body'>>;

/** Sends requests to permitted addresses only. */
export interface Sender {
  /**
   * Sends one request over a connection of its own, and never rejects. Repeating it is the caller's task, and so is limiting how
   * many run at once.
   */
  post(request: WebhookRequest): Promise<Outcome>;
  /** As `post`, without a body. */
  get(request: ReadRequest): Promise<Outcome>;
  /** Ends all requests with the reason `aborted`, and resolves when all have ended. Later ones have this outcome, too. */
  close(): Promise<void>;
}

/** What a sender needs. */
export interface SenderOptions {
  readonly rules: AddressRules;
  /** The longest time of a request, from the look-up of its host to the end of the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** The version of this program, for the `User-Agent`. */
  readonly release: string;
  readonly clock: Clock;
  /** All addresses of a host name, for tests. By default the name servers are asked. */
  readonly resolve?: Resolve;
}

/** Makes a sender. It holds nothing while no request runs. */
export function createSender(options: SenderOptions): Sender {
  const { clock } = options;
  const running = new Map<AbortController, Promise<Outcome>>();
  let closed = false;
  const sendOne = async (method: 'GET' | 'POST', request: Outgoing): Promise<Outcome> => {
    const startedAt = clock.now();
    const ending = new AbortController();
    const end = () => ending.abort(aborted());
    if (closed || request.signal?.aborted) end();
    request.signal?.addEventListener('abort', end, { once: true });
    const timer = setTimeout(() => {
      ending.abort(new Failure('timeout', `No answer within ${options.timeoutMs} ms`));
    }, options.timeoutMs);
    const outcome = send(method, request, options, ending.signal).then(
      ({ status, retryAfter, contentType, body }): Outcome => {
        const now = clock.now();
        const retryAfterMs = parseRetryAfter(retryAfter, now);
        const durationMs = Math.max(now - startedAt, 0);
        return { kind: 'answered', status, retryAfterMs, contentType, body, durationMs };
      },
      (error: unknown): Outcome => {
        const { reason, message } = asFailure(error);
        const durationMs = Math.max(clock.now() - startedAt, 0);
        return { kind: 'failed', reason, detail: message, durationMs };
      },
    );
    running.set(ending, outcome);
    try {
      return await outcome;
    } finally {
      running.delete(ending);
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', end);
    }
  };
  return {
    post: (request) => sendOne('POST', request),
    get: (request) => sendOne('GET', request),
    async close() {
      closed = true;
      for (const ending of running.keys()) ending.abort(aborted());
      await Promise.all(running.values());
    },
  };
}

function aborted(): Failure {
  return new Failure('aborted', 'The request was ended before the answer');
}

async function send(
  method: 'GET' | 'POST',
  { url: text, headers, body }: Outgoing,
  { rules, release, resolve = resolveHost }: SenderOptions,
  signal: AbortSignal,
): Promise<Answer> {
  signal.throwIfAborted();
  const refusal = checkUrl(text, rules);
  if (refusal !== undefined) throw new Failure('refused_address', `The URL ${refusal}`);
  const url = new URL(text);
  const addresses = await findAddresses(hostOf(url), rules, resolve, signal);
  return exchange({
    method,
    url,
    addresses,
    headers: { ...headers, 'user-agent': `steward/${release}`, 'accept-encoding': 'identity' },
    body,
    signal,
  });
}

/** Errors of other kinds are of what cannot be sent, such as a header with a line break; their texts contain it. */
function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure('protocol', 'The request cannot be sent');
}
