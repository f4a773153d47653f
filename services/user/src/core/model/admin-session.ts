import { declareCollection } from '@steward/store';
import { PROVIDER_SESSION_INDEXES, type ProviderSession } from './provider-session.ts';
import type { RightsLimit } from './rights-limit.ts';

/** The maximum of sessions of an account; a further one ends the oldest. */
export const MAX_ADMIN_SESSIONS = 20;

/** A session of an administrator's browser. Only the digest of its secret is stored, as of access tokens. */
export interface AdminSession extends Partial<ProviderSession> {
  /** The digest of the secret, see `tokenDigest`. */
  _id: string;
  /** Random; by which clients name it. */
  id: string;
  user_id: string;
  /** The account's session epoch in which it started. */
  epoch: number;
  /** Milliseconds since the Unix epoch. */
  created_ts: number;
  /** When it was last used, in milliseconds since the Unix epoch; not recorded for every use. */
  used_ts: number;
  /** The address and the program that used it then. */
  address: string;
  user_agent: string;
  /** When its user last proved who they are, in milliseconds since the Unix epoch; null if they have not. */
  proved_ts: number | null;
  /** The second factor that this proof included, by its `confirmed_ts`; null without one. */
  proved_factor: number | null;
  /** The passkey that it included, by its id; absent or null without one. */
  proved_passkey?: string | null;
  /** The id of the identity provider with which it began; absent for none. */
  provider?: string;
  /** Whether the sign-in there counts as a second factor; absent means no. */
  provider_factor?: boolean;
  /** What limits its rights; absent or null for nothing. */
  rights_limit?: RightsLimit;
  /** The term of the account in which it started, see `Account.rights_term`; absent for 0. */
  rights_term?: number;
}

/** Administrator sessions, by the digests of their secrets. */
export const adminSessions = declareCollection<AdminSession>({
  name: 'user.admin_sessions',
  shardKey: '_id',
  indexes: [
    ...PROVIDER_SESSION_INDEXES,
    {
      name: 'by_user',
      keys: [
        ['user_id', 1],
        ['created_ts', -1],
      ],
    },
    { name: 'age', keys: [['created_ts', 1]] },
  ],
});
