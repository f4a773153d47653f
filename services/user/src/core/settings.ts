import { BUILT_IN_USER_TYPES, type Config } from '@steward/config';
import { matchesGlob } from '@steward/kernel';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { scopeOf } from '@steward/rpc';
import type { PasswordPolicy } from './model/password-policy.ts';

/** The settings of the user service. */
export interface Settings {
  /** The secret of shared-secret registration; empty when there is none. */
  readonly registrationSecret: string;
  /** Whether users may create accounts themselves. */
  readonly registrationEnabled: boolean;
  /** Whether they need a registration token for it. */
  readonly registrationNeedsToken: boolean;
  /** Whether accounts that users register wait for the approval of an administrator. */
  readonly approvalRequired: boolean;
  /** The types that accounts can be given. */
  readonly userTypes: ReadonlySet<string>;
  /** The type of a new account for which none is given; null for none. */
  readonly defaultUserType: string | null;
  /** Whether the account with a localpart belongs to a bridge; undefined while no account does. */
  readonly isBridged: ((localpart: string) => boolean) | undefined;
  /** Whether taken user names are hidden until registration. */
  readonly takenNamesHidden: boolean;
  /** Whether guests are admitted, without a name or a password. */
  readonly guestsAdmitted: boolean;
  /** Whether clients may have access tokens that expire and are renewed. */
  readonly refreshTokens: boolean;
  /** How long such an access token is valid. */
  readonly accessTokenLifetimeMs: number;
  /** How long an administrator session may be unused, and how long it lasts at most. */
  readonly adminIdleMs: number;
  readonly adminLifetimeMs: number;
  /** How long a proof of who uses such a session counts. */
  readonly stepUpMs: number;
  /** The names of the roles that require a second factor, `admin` for the flag; `all` for all; undefined for none. */
  readonly secondFactorRoles: ReadonlySet<string> | 'all' | undefined;
  /** How long the console can be used without it, from the first sign-in at which it is required. */
  readonly secondFactorGraceMs: number;
  /** How long a token is valid at most with which an administrator acts as a user; undefined for no limit. */
  readonly loginAsMaxLifetimeMs: number | undefined;
  /** Whether profiles can be read with a token only. */
  readonly profilesNeedToken: boolean;
  /** For how long messages between devices wait, in milliseconds; undefined for ever. */
  readonly deviceMessagesMs: number | undefined;
  /** The contact for users beyond the monthly limit, as a URI. */
  readonly adminContact: string | undefined;
  /** Whether accounts are managed by an external service. */
  readonly delegatedAuthentication: boolean;
  /** Whether access tokens are those of the issuer of `delegated_authentication`. */
  readonly tokensDelegated: boolean;
  /** The `auth_provider` of the external ids of its users. */
  readonly delegatedProvider: string;
  /** Where clients reach the server; undefined when not configured. */
  readonly publicBaseUrl: string | undefined;
  /** The contacts for users. */
  readonly support: Config['support'];
  /** The version of rooms that are created without naming one. */
  readonly defaultRoomVersion: string;
  /** The apps that get the result of a sign-in with an identity provider without a question, see `oidc.redirect_allowlist`. */
  readonly redirectAllowlist: readonly string[];
  /** Whether users log in with passwords. */
  readonly passwordLogin: boolean;
  /** Whether users may have passwords of this server. */
  readonly passwordsMaySet: boolean;
  /** Whether this server stores passwords at all. */
  readonly passwordsStored: boolean;
  /** Whether expired accounts are refused. */
  readonly accountValidityEnabled: boolean;
  /** How long an account is valid once it is renewed. */
  readonly accountValidityPeriodMs: number;
  /** The names of the peppers of imported password hashes. */
  readonly peppers: ReadonlySet<string>;
  /** The rules for passwords that users choose. */
  readonly passwordPolicy: PasswordPolicy;
  /** How long a success of user-interactive authentication counts for harmless operations; 0 for not at all. */
  readonly interactiveGraceMs: number;
  /** The search for other users. */
  readonly userDirectory: {
    readonly enabled: boolean;
    /** Whether all users are found, rather than those who share a room with the searcher or are in a public one. */
    readonly searchAllUsers: boolean;
    readonly showLockedUsers: boolean;
  };
  /** The localpart of the user who sends server notices. */
  readonly noticesLocalpart: string;
  /** The scopes of the clients of services, by their names as the audit log has them. */
  readonly scopesOfClients: ReadonlyMap<string, readonly Scope[]>;
  /** Whether the server takes over an account with that localpart that it did not make. */
  readonly adoptsNoticesAccount: boolean;
  /** The localparts that the server uses for itself, in lower case: nobody else can make an account with one of them. */
  readonly reservedLocalparts: readonly string[];
  /** The rules for avatars; undefined for no rule. */
  readonly avatars: {
    readonly maxBytes: number | undefined;
    /** Media types in lower case. */
    readonly types: ReadonlySet<string> | undefined;
  };
  /** How long requests of shadow-banned users are delayed. */
  readonly shadowBanPause: { readonly minMs: number; readonly maxMs: number };
}

/** The settings of the user service in the configuration of the server. */
export function readSettings(config: Config): Settings {
  return {
    registrationSecret: config.registration.shared_secret ?? '',
    registrationEnabled: config.registration.enabled,
    registrationNeedsToken: config.registration.requires_token,
    approvalRequired: config.registration.require_approval,
    userTypes: new Set([...BUILT_IN_USER_TYPES, ...config.accounts.user_types]),
    defaultUserType: config.accounts.default_user_type ?? null,
    isBridged: bridgePatterns(config),
    takenNamesHidden: config.registration.inhibit_user_in_use,
    guestsAdmitted: config.registration.guests,
    refreshTokens: config.sessions.refresh_tokens,
    accessTokenLifetimeMs: config.sessions.access_token_lifetime_ms,
    adminIdleMs: config.sessions.admin_idle_ms,
    adminLifetimeMs: config.sessions.admin_lifetime_ms,
    stepUpMs: config.sessions.step_up_ms,
    secondFactorRoles: rolesWithSecondFactor(config),
    secondFactorGraceMs: config.sessions.second_factor_grace_ms,
    loginAsMaxLifetimeMs: config.login_as.max_lifetime_ms,
    profilesNeedToken: config.profiles.require_auth,
    deviceMessagesMs: config.retention.device_messages.max_age_ms,
    adminContact: config.monthly_active_users.admin_contact,
    publicBaseUrl: config.server.public_baseurl,
    support: config.support,
    defaultRoomVersion: config.rooms.default_version,
    delegatedAuthentication: config.delegated_authentication.enabled,
    tokensDelegated: config.delegated_authentication.issuer !== undefined,
    delegatedProvider: config.delegated_authentication.auth_provider,
    redirectAllowlist: config.oidc.redirect_allowlist,
    passwordLogin: config.passwords.enabled && config.delegated_authentication.issuer === undefined,
    passwordsMaySet:
      config.passwords.enabled &&
      config.passwords.localdb_enabled &&
      config.delegated_authentication.issuer === undefined,
    passwordsStored: config.passwords.localdb_enabled,
    accountValidityEnabled: config.account_validity.enabled,
    accountValidityPeriodMs: config.account_validity.period_ms,
    userDirectory: {
      enabled: config.user_directory.enabled,
      searchAllUsers: config.user_directory.search_all_users,
      showLockedUsers: config.user_directory.show_locked_users,
    },
    noticesLocalpart: config.notices.localpart,
    scopesOfClients: new Map(
      config.services.clients.map(({ name, scopes }) => [
        `client:${name}`,
        scopes.map(scopeOf).filter((scope) => scope !== undefined),
      ]),
    ),
    adoptsNoticesAccount: config.notices.adopt_account,
    reservedLocalparts: [config.notices.localpart].map((localpart) => localpart.toLowerCase()),
    avatars: avatarRules(config),
    shadowBanPause: { minMs: config.shadow_ban.pause_min_ms, maxMs: config.shadow_ban.pause_max_ms },
    peppers: new Set(config.passwords.peppers.map(({ name }) => name)),
    passwordPolicy: config.passwords.policy,
    interactiveGraceMs: config.ui_auth.session_timeout_ms,
  };
}

function rolesWithSecondFactor({ sessions }: Config): Settings['secondFactorRoles'] {
  const { require_second_factor: required } = sessions;
  if (required === 'off') return undefined;
  return required === 'administrators' ? 'all' : new Set(required);
}

function avatarRules({ media }: Config): Settings['avatars'] {
  const { max_avatar_bytes: maxBytes, allowed_avatar_types: allowed } = media;
  return { maxBytes, types: allowed && new Set(allowed.map((type) => type.toLowerCase())) };
}

function bridgePatterns({ accounts }: Config): Settings['isBridged'] {
  const patterns = accounts.bridge_patterns.map((pattern) => pattern.toLowerCase());
  if (patterns.length === 0) return undefined;
  return (localpart) => {
    const text = localpart.toLowerCase();
    return patterns.some((pattern) => matchesGlob(pattern, text, { questionMarks: true }));
  };
}
