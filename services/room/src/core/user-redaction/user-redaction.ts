/** The name of tasks that redact the events of a user; their key is the user id. */
export const REDACT_USER = 'room.redact_user';

/** The most events of each room that are redacted, unless a request has a limit. */
export const DEFAULT_REDACTION_LIMIT = 1_000;

/** The parameters of a redaction. */
export interface UserRedactionParams {
  /** Empty for all rooms that the user has joined or is banned from. */
  readonly rooms: readonly string[];
  readonly reason: string | null;
  /** The most events of each room, the newest first. */
  readonly limit: number;
  /** The sender of the redactions. */
  readonly sender: string;
  /** Milliseconds since the Unix epoch; null for no bound. */
  readonly beforeMs: number | null;
  readonly afterMs: number | null;
}

/** The messages of refused redactions, by event id. */
export type FailedRedactions = Readonly<Record<string, string>>;
