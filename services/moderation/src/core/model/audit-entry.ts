import type { Doc } from '@steward/store';

/** What an administrator asked for, and what became of it. */
export interface AuditEntry extends Doc {
  /** Starts with the time: entries are in the order of their ids, see `entryId`. */
  readonly _id: string;
  /** When it was asked, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** Service and method: `user.deactivate`. */
  readonly action: string;
  /** Whose token it was; empty for who knew the shared secret. */
  readonly actor: string;
  /** The account that the token acted as, where this is another one; else null. */
  readonly acting_as: string | null;
  /** See `TokenKind`. */
  readonly token_kind: string;
  readonly device_id: string | null;
  readonly address: string;
  readonly request_id: string;
  /** What it is about. */
  readonly targets: readonly string[];
  /** JSON, without secrets. */
  readonly request: string;
  readonly request_truncated: boolean;
  /** See `Outcome`. */
  readonly outcome: string;
  /** The HTTP status; null while the outcome is unknown, as are the others below. */
  readonly status: number | null;
  readonly errcode: string | null;
  readonly task_id: string | null;
  /** In milliseconds since the Unix epoch. */
  readonly ended_ts: number | null;
}
