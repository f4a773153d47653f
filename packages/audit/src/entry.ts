import { type Random, randomId } from '@steward/kernel';

/** What became of a request; `unknown` until it is answered, and for ever when the server was stopped before. */
export type Outcome = 'unknown' | 'ok' | 'refused' | 'failed';

/** By which right a request was made. */
export type TokenKind = 'device' | 'login_as' | 'shared_secret' | 'other';

/** A request as it is recorded before it is carried out. */
export interface Entry {
  readonly id: string;
  /** When it was made, in milliseconds since the Unix epoch. */
  readonly ts: number;
  readonly action: string;
  /** Whose token it was; empty for who knows the shared secret. */
  readonly actor: string;
  /** The account that the token acts as, where this is another one; else empty. */
  readonly actingAs: string;
  readonly tokenKind: TokenKind;
  /** Empty for a token without a device. */
  readonly deviceId: string;
  readonly address: string;
  readonly requestId: string;
  readonly targets: readonly string[];
  /** JSON. */
  readonly request: string;
  readonly requestTruncated: boolean;
}

/** What a request was answered with. */
export interface End {
  readonly outcome: Exclude<Outcome, 'unknown'>;
  /** The HTTP status. */
  readonly status: number;
  /** Empty for a success. */
  readonly errcode: string;
  /** The task that it began; empty for none. */
  readonly taskId: string;
  /** Further things that it was about, which only the answer tells. */
  readonly targets: readonly string[];
}

/** As many digits as the times of entries have: ids are in the order of times. */
const TIME_DIGITS = 15;

/** As many digits as the turns of entries have that are of one millisecond. */
const TURN_DIGITS = 6;

/**
 * The id of an entry; ids are in the order of the times, in milliseconds since the Unix epoch, and those of one process
 * and time in the order of their turns.
 */
export function entryId(ts: number, turn: number, random: Random): string {
  return `${timePrefix(ts)}-${String(turn).padStart(TURN_DIGITS, '0')}-${randomId(random)}`;
}

/** What the ids of all entries of a time, in milliseconds since the Unix epoch, start with, and none before it exceeds. */
export function timePrefix(ts: number | bigint): string {
  return String(ts).padStart(TIME_DIGITS, '0');
}
