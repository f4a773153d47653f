import { declareCollection } from '@steward/store';

/** An account whose sessions were ended a moment ago. */
export interface EndedSessions {
  /** The user id. */
  _id: string;
  /** When the clean-up is to be repeated, in milliseconds since the Unix epoch. */
  repeat_ts: number;
}

/** Accounts whose sessions were ended a moment ago. */
export const endedSessions = declareCollection<EndedSessions>({
  name: 'user.ended_sessions',
  shardKey: '_id',
  indexes: [{ name: 'due', keys: [['repeat_ts', 1]] }],
});
