import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { headers } from './headers.ts';

/** The header by which a client sends an action once, however often it repeats the request. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

/** The header of an answer that was given before. */
export const REPLAYED_HEADER = 'Idempotent-Replayed';

/** The length limit of a key, in characters. */
const MAX_KEY_LENGTH = 255;

/** A string of a structured field (RFC 9651): in quotation marks, which a backslash escapes. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

const PRINTABLE = /^[\x20-\x7e]+$/;

/**
 * The key in an `Idempotency-Key`: a quoted string, as the draft of the IETF has it, or the same without quotation marks.
 *
 * @param sent the value of the header
 * @throws refuse.invalidParam for a key that is empty, has more than 255 characters, or others than those of printable ASCII
 */
export function parseIdempotencyKey(sent: string): string {
  const text = sent.trim();
  const key = QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? text;
  if (!PRINTABLE.test(key) || key.trim() === '' || (text.startsWith('"') && key === text))
    throw refuse.invalidParam(
      `The header ${IDEMPOTENCY_KEY_HEADER} must have a key of printable ASCII characters, bare or in quotation marks`,
    );
  if (key.length > MAX_KEY_LENGTH)
    throw refuse.invalidParam(
      `The key in the header ${IDEMPOTENCY_KEY_HEADER} has more than ${MAX_KEY_LENGTH} characters`,
    );
  return key;
}

/** States that an answer was given before. */
export function setReplayed(header: Headers): void {
  header.set(headers.replayed, 'true');
}

/** Whether an answer states that it was given before. */
export function isReplayed(header: Headers): boolean {
  return header.has(headers.replayed);
}

/** A call with an `Idempotency-Key`, all attempts of which are one action. */
export interface RepeatableCall {
  /** When the action was first asked for, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** Whether an earlier attempt failed or was interrupted, so that the action may have been carried out, at least in part. */
  readonly isRepeated: boolean;
  /** An id that all attempts have; `part` distinguishes those of one action. */
  id(part: string): string;
}

/** Carries the action of a call. */
export const repeatableKey = createContextKey<RepeatableCall | undefined>(undefined, {
  description: 'the action of which the call is an attempt',
});

/** The action of which a call is an attempt; `undefined` for a call without a key. */
export function repeatableCall({ values }: Pick<HandlerContext, 'values'>): RepeatableCall | undefined {
  return values.get(repeatableKey);
}

/**
 * The id of what a call creates or sends, with which it is done once although an attempt was interrupted before its answer was
 * kept; `undefined` for a call without a key.
 *
 * @param part distinguishes what one call creates
 */
export function callId(context: Pick<HandlerContext, 'values'>, part = ''): string | undefined {
  return repeatableCall(context)?.id(part);
}
