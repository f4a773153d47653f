/** The name of tasks that redact the events of a user; their key is the user id. */
export const REDACT_USER = 'room.redact_user';

/** The most events of each room that are redacted, unless a request has a limit. */
export const DEFAULT_REDACTION_LIMIT = 1_000;

/** The parameters of a redaction. */
export interface UserRedactionParams {
  /** Empty for all rooms that have events of the user. */
  readonly rooms: readonly string[];
  readonly reason: string | null;
  /** The most events of each room, the newest first. */
  readonly limit: number;
  /** The sender of the redactions, unless the room admits them of others only, see `chooseRedactor`. */
  readonly sender: string;
  /** Milliseconds since the Unix epoch; null for no bound. */
  readonly beforeMs: number | null;
  readonly afterMs: number | null;
}

/** The messages of refused redactions, by event id. */
export type FailedRedactions = Readonly<Record<string, string>>;

/** How many events were redacted, and how many were not: the result of the task. */
export interface RedactionCounts {
  readonly redacted: number;
  readonly failed: number;
}
