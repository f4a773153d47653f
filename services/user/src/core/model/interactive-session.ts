import { declareCollection } from '@steward/store';

/** A session of user-interactive authentication. */
export interface InteractiveSession {
  _id: string;
  /** The operation to authenticate: method and path, which no later request may change. */
  operation: string;
  /** The user of the session; null for a registration. */
  user_id: string | null;
  /** The user, or the address of a registration, that has opened it; earlier releases stored none. */
  opened_by?: string;
  /**
   * The part of the first request that the operation needs, as JSON, with passwords hashed; null when it is too
   * long to be stored.
   */
  body: string | null;
  /** The completed stages of a flow that has more. */
  completed: readonly string[];
  /** A sign-in with an identity provider that authenticates the operation, once; absent when there was none. */
  provided?: {
    /** The key of the external id of the user, see `externalIdKey`. */
    readonly key: string;
    /** Milliseconds since the Unix epoch. */
    readonly at_ts: number;
  };
  /** The user id that a registration has chosen; a repeated request gets the same one. */
  chosen: string | null;
  /** Milliseconds since the Unix epoch. */
  expires_ts: number;
}

/** Sessions of user-interactive authentication. */
export const interactiveSessions = declareCollection<InteractiveSession>({
  name: 'user.interactive_sessions',
  shardKey: '_id',
  indexes: [
    { name: 'expiry', keys: [['expires_ts', 1]] },
    {
      name: 'opener',
      keys: [
        ['opened_by', 1],
        ['expires_ts', 1],
      ],
    },
  ],
});
