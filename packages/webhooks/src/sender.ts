import type { Clock } from '@steward/kernel';
import type { AddressRules } from './address-rules.ts';
import type { Outcome } from './outcome.ts';

/** One request, of method POST. */
export interface WebhookRequest {
  readonly url: string;
  /** Further headers. `Host`, `Content-Length`, `Connection` and `User-Agent` are the sender's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the request with the reason `aborted`. */
  readonly signal?: AbortSignal;
}

/** Sends requests to permitted addresses. */
export interface Sender {
  /** Sends one request, and never throws. A second attempt is the caller's, and so is how many run at once. */
  post(request: WebhookRequest): Promise<Outcome>;
  /** Ends all requests with the reason `aborted`; later ones have this outcome too. */
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly rules: AddressRules;
  /** The longest time of a request, from the look-up of its host to the end of the answer. */
  readonly timeoutMs: number;
  /** The version of this program, for the `User-Agent`. */
  readonly release: string;
  readonly clock: Clock;
  /** All addresses of a host name. For tests; by default the name servers are asked. */
  readonly resolve?: (host: string, signal: AbortSignal) => Promise<readonly string[]>;
}

/** Makes a sender. */
export function createSender(_options: SenderOptions): Sender {
  throw new Error('Not implemented');
}
