const OK_FROM = 200;
const OK_UNTIL = 299;

/** The statuses with which a receiver can ask to wait. */
const ASKS_TO_WAIT: readonly number[] = [429, 503];

/**
 * Why a request has no answer.
 *
 * - `refused_address`: the URL is not permitted, or its host has an address that is not
 * - `dns`: the host has no address, or the name servers do not answer
 * - `connect`: no connection, or it ended before the answer
 * - `tls`: no TLS, or a certificate that is not accepted
 * - `protocol`: the answer is not HTTP, or its headers are too large
 * - `redirect`: the answer has a status from 300 to 399, which is not followed
 * - `timeout`: no answer in time
 * - `aborted`: the sender was closed, or the caller ended the request
 */
export type FailureReason =
  | 'refused_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'protocol'
  | 'redirect'
  | 'timeout'
  | 'aborted';

/** How a request ended. */
export type Outcome =
  | {
      readonly kind: 'answered';
      /** The status of the answer, outside 300 to 399. */
      readonly status: number;
      /** The Retry-After header, when it has one that is valid: milliseconds from now, at least 0. */
      readonly retryAfterMs: number | undefined;
      /** The Content-Type header as it was sent. */
      readonly contentType?: string | undefined;
      /** The beginning of the body of the answer, as far as it was read. */
      readonly body: string;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'failed';
      readonly reason: FailureReason;
      /** One line for people, of at most 200 characters, without addresses, headers or secrets. */
      readonly detail: string;
      readonly durationMs: number;
    };

/** Whether the receiver has taken what was sent. */
export function isAccepted(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= OK_FROM && outcome.status <= OK_UNTIL;
}

/** How long the receiver asks to wait before the next attempt, in milliseconds; undefined if it does not. */
export function pauseAsked(outcome: Outcome): number | undefined {
  return outcome.kind === 'answered' && ASKS_TO_WAIT.includes(outcome.status)
    ? outcome.retryAfterMs
    : undefined;
}
