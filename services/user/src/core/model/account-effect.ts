import type { Owed } from '@steward/store';
import type { Cause } from './cause.ts';

/** What is done after a change of an account, by kind. Each may be done twice. */
export type AccountOwed = Cause & {
  /** Unique; the fact that follows has the same id. */
  readonly id: Owed['id'];
  /** When the change was made, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The version of the account that the change made. */
  readonly version: number;
} & (
    | { readonly kind: 'created' }
    | { readonly kind: 'deactivated'; readonly erased: boolean }
    | { readonly kind: 'reactivated' }
    | { readonly kind: 'profile_changed'; readonly roomsUnaware?: boolean }
    | { readonly kind: 'sessions_ended' }
    | { readonly kind: 'threepids_claimed' }
    | { readonly kind: 'key_backup_deleted'; readonly backup: number }
    | { readonly kind: 'registration_token_used'; readonly token: string; readonly holder: string }
  );

type Stamp = 'id' | 'at' | 'version' | keyof Cause;
type Distribute<T> = T extends unknown ? Omit<T, Stamp> : never;

/** What a change owes, before it is stamped with the circumstances of its commit. */
export type Debt = Distribute<AccountOwed>;
