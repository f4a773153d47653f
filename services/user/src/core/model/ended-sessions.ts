import { declareCollection } from '@steward/store';

/** An account whose sessions were ended recently. */
export interface EndedSessions {
  /** The user id. */
  _id: string;
  /** When the clean-up is repeated, in milliseconds since the Unix epoch. */
  repeat_ts: number;
}

/** Accounts whose sessions were ended recently. */
export const endedSessions = declareCollection<EndedSessions>({
  name: 'user.ended_sessions',
  shardKey: '_id',
  indexes: [{ name: 'due', keys: [['repeat_ts', 1]] }],
});
