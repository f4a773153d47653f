import type { PendingEffect } from '@steward/service';
import type { Cause } from './cause.ts';

/** An effect that a change of an account has elsewhere, by kind. Each is idempotent. */
export type AccountEffect =
  | { readonly kind: 'created' }
  | { readonly kind: 'deactivated'; readonly erased: boolean; readonly previousAvatar?: string | null }
  | { readonly kind: 'reactivated' }
  | {
      readonly kind: 'profile_changed';
      readonly roomsUnaware?: boolean;
      readonly previousAvatar?: string | null;
    }
  | { readonly kind: 'sessions_ended' }
  | { readonly kind: 'threepids_claimed' }
  | { readonly kind: 'key_backup_deleted'; readonly backup: number }
  | { readonly kind: 'registration_token_used'; readonly token: string; readonly holder: string }
  | ({ readonly kind: 'event' } & AccountEvent);

/** An event of the feed about a change that no recorded administrative call makes. */
export type AccountEvent = EventOrigin &
  (
    | { readonly event: 'created' | 'deactivated' }
    | {
        readonly event: 'roles_provided';
        /** The identity provider whose claims gave or took roles. */
        readonly provider: string;
        /** The names of all roles of the account from now on. */
        readonly roles: readonly string[];
      }
    | {
        readonly event: 'roles_followed';
        /** The names of all roles of the account from now on, of which groups gave or took some. */
        readonly roles: readonly string[];
      }
  );

interface EventOrigin {
  /** Who made the change, as in the audit log; empty for the server. */
  readonly actor: string;
  /** The id of the HTTP request; empty for none. */
  readonly request_id: string;
}

/** The context of the commit that an effect belongs to. */
export interface CommitContext extends Cause {
  /** When the change was made, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The version of the account that the change made. */
  readonly version: number;
}

/** An effect as the account's document holds it; a fact that it publishes has the same id. */
export type PendingAccountEffect = AccountEffect & CommitContext & PendingEffect;
