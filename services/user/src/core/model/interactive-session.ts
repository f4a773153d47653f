import { declareCollection } from '@steward/store';

/** A session of user-interactive authentication. */
export interface InteractiveSession {
  _id: string;
  /** What is to be authenticated: method and path, which no later request may change. */
  operation: string;
  /** Whose session it is; null where somebody registers. */
  user_id: string | null;
  /**
   * The first request as JSON, as far as the operation needs it, passwords hashed; null when it is too
   * long to be remembered.
   */
  body: string | null;
  /** The stages done, of a flow that has more. */
  completed: readonly string[];
  /** The user id that was chosen when somebody registered; a repetition of the request is answered with it. */
  chosen: string | null;
  /** Milliseconds since the Unix epoch. */
  expires_ts: number;
}

/** Sessions of user-interactive authentication. */
export const interactiveSessions = declareCollection<InteractiveSession>({
  name: 'user.interactive_sessions',
  shardKey: '_id',
  indexes: [{ name: 'expiry', keys: [['expires_ts', 1]] }],
});
