import { type Random, randomId } from '@steward/kernel';
import type { CredentialKind } from '@steward/rpc';

/** The outcome of a request; `unknown` until it is answered, and for ever when the server crashed before that. */
export type Outcome = 'unknown' | 'ok' | 'refused' | 'failed';

/** The kind of credential that a request was made with. */
export type TokenKind = 'device' | 'login_as' | 'shared_secret' | 'other' | CredentialKind;

/** A request as recorded before it is carried out. */
export interface Entry {
  readonly id: string;
  /** The time of the request, in milliseconds since the Unix epoch. */
  readonly ts: number;
  readonly action: string;
  /** The owner of the token; empty for a request with the shared secret. */
  readonly actor: string;
  /** The account that the token acts as, if it is not the owner; otherwise empty. */
  readonly actingAs: string;
  readonly tokenKind: TokenKind;
  /** Empty for a token without a device. */
  readonly deviceId: string;
  readonly address: string;
  readonly requestId: string;
  readonly targets: readonly string[];
  /** How often targets were added since it was recorded; never when unset. */
  readonly extensions?: number;
  /** JSON. */
  readonly request: string;
  readonly requestTruncated: boolean;
  /** Why it was made, in the words of the client; empty without a reason. */
  readonly reason: string;
  /** The type of the event of the feed that it makes if it succeeds; empty for none. */
  readonly eventType: string;
}

/** The answer to a request. */
export interface End {
  readonly outcome: Exclude<Outcome, 'unknown'>;
  /** The HTTP status. */
  readonly status: number;
  /** Empty for a success. */
  readonly errcode: string;
  /** The id of the task that the request started; empty for none. */
  readonly taskId: string;
  /** Further targets, which only the answer contains. */
  readonly targets: readonly string[];
  /** The event of the feed that a success makes: its type, and its payload as JSON; absent for none. */
  readonly event?: { readonly type: string; readonly dataJson: string };
}

/** The digits of times in ids: padded, so that ids sort by time. */
const TIME_DIGITS = 15;

/** The digits of the sequence numbers of entries within one millisecond. */
const SEQUENCE_DIGITS = 6;

/**
 * The id of an entry. Ids sort by `ts`, in milliseconds since the Unix epoch; those of one process and one
 * millisecond by `sequence`.
 */
export function entryId(ts: number, sequence: number, random: Random): string {
  return `${timePrefix(ts)}-${String(sequence).padStart(SEQUENCE_DIGITS, '0')}-${randomId(random)}`;
}

/** The common prefix of the ids of a time, in milliseconds since the Unix epoch; earlier ids sort before it. */
export function timePrefix(ts: number | bigint): string {
  return String(ts).padStart(TIME_DIGITS, '0');
}

/** The time of the id of an entry, in milliseconds since the Unix epoch. */
export function entryTime(id: string): number {
  return Number(id.slice(0, TIME_DIGITS));
}
