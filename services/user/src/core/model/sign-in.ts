import { declareCollection } from '@steward/store';

/** The beginning of a session of a user. It outlives the session. */
export interface SignIn {
  /** Random. */
  readonly _id: string;
  readonly user_id: string;
  readonly device_id: string;
  /** In milliseconds since the Unix epoch. */
  readonly ts: number;
  /** Of the client; empty for a call without a gateway. */
  readonly address: string;
  readonly user_agent: string;
}

/** The sign-ins of the last weeks, see `pruneSignIns`. */
export const storedSignIns = declareCollection<SignIn>({
  name: 'user.sign_ins',
  shardKey: 'user_id',
  indexes: [
    {
      name: 'by_user',
      keys: [
        ['user_id', 1],
        ['ts', -1],
      ],
    },
    { name: 'age', keys: [['ts', 1]] },
  ],
});
