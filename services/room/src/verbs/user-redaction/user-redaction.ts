/** The name of tasks that redact what a user has sent; their key is the user id. */
export const REDACT_USER = 'room.redact_user';

/** The parameters of a redaction. */
export interface UserRedactionParams {
  /** Empty for all rooms that the user is in or banned from. */
  readonly rooms: readonly string[];
  readonly reason: string | null;
  /** How many events of each room, the newest first. */
  readonly limit: number;
  /** The sender of the redactions. */
  readonly sender: string;
  /** Milliseconds since the Unix epoch; null for no bound. */
  readonly beforeMs: number | null;
  readonly afterMs: number | null;
}

/** Why events could not be redacted, by event id. */
export type FailedRedactions = Readonly<Record<string, string>>;
