// Generated from docs/openapi.json; change the contracts in proto/, then run npm run generate.

/** The nonce. */
export interface GetNonceResponse {
  /** The nonce: 128 lower-case hexadecimal characters. */
  readonly nonce: string;
}

/** The new account, logged in unless inhibit_login was set. */
export interface RegisterWithSecretResponse {
  /** The access token; absent with inhibit_login. */
  readonly access_token?: string;
  /** The user id. */
  readonly user_id: string;
  /** The server name. */
  readonly home_server: string;
  /** The device id; absent with inhibit_login. */
  readonly device_id?: string;
  /** The refresh token; absent when the access token does not expire. */
  readonly refresh_token?: string;
  /** The lifetime of the access token in milliseconds; absent when it does not expire. */
  readonly expires_in_ms?: number;
}

/** Identifies the account that logs in. */
export interface LoginIdentifier {
  /** m.id.user, m.id.thirdparty or m.id.phone. */
  readonly type: string;
  /** Localpart or user id, for m.id.user. */
  readonly user?: string;
  /** The medium: email or msisdn, for m.id.thirdparty. */
  readonly medium?: string;
  /** The address, for m.id.thirdparty. */
  readonly address?: string;
  /** The two-letter code of the country whose dialling rules apply to the number, for m.id.phone. */
  readonly country?: string;
  /** The telephone number, for m.id.phone. */
  readonly phone?: string;
  /** The deprecated name of phone. */
  readonly number?: string;
}

/** The tokens. */
export interface ListRegistrationTokensResponse {
  /** The tokens, ascending by text. */
  readonly registration_tokens: readonly RegistrationToken[];
}

/** A registration token. */
export interface RegistrationToken {
  /** The text of the token. */
  readonly token: string;
  /** The number of registrations that it permits; null for no limit. */
  readonly uses_allowed: number | null;
  /** The number of registrations in progress that hold one of its uses. */
  readonly pending: number;
  /** The number of completed registrations. */
  readonly completed: number;
  /** When it expires, in milliseconds since the Unix epoch; null for never. */
  readonly expiry_time: number | null;
}

/** An empty response. */
export type DeleteRegistrationTokenResponse = { readonly [key: string]: unknown };

/** The details of an account. */
export interface User {
  /** The user id. */
  readonly name: string;
  /** The display name; null when unset. */
  readonly displayname: string | null;
  /** The validated third-party identifiers. */
  readonly threepids: readonly Threepid[];
  /** The avatar's content URI; null when unset. */
  readonly avatar_url: string | null;
  /** Whether the account is a guest. */
  readonly is_guest: 0 | 1;
  /** Whether the account is a server administrator. */
  readonly admin: 0 | 1;
  /** Whether the account is deactivated. */
  readonly deactivated: 0 | 1;
  /** Whether the account is erased. */
  readonly erased: boolean;
  /** Whether the account is shadow-banned. */
  readonly shadow_banned: 0 | 1;
  /** When the account was created, in milliseconds since the Unix epoch (seconds under the compatibility prefix). */
  readonly creation_ts: number;
  /** The id of the application service that owns the account; null when none does. */
  readonly appservice_id: string | null;
  /** The policy version of the last consent notice that was sent; null when none was. */
  readonly consent_server_notice_sent: string | null;
  /** The policy version to which the user agreed; null when the user agreed to none. */
  readonly consent_version: string | null;
  /** When the user agreed, in milliseconds since the Unix epoch; null when the user did not. */
  readonly consent_ts: number | null;
  /** The ids at external identity providers. */
  readonly external_ids: readonly ExternalId[];
  /** The account type: bot, support or a configured one; null for an ordinary account. */
  readonly user_type: string | null;
  /** Whether the account is locked. */
  readonly locked: boolean;
  /** When the account was last active, in milliseconds since the Unix epoch; null if never. */
  readonly last_seen_ts: number | null;
  /** Whether the account is suspended. */
  readonly suspended: boolean;
  /** Whether an administrator has approved the account, or none needs to; absent unless the server requires approval. */
  readonly approved?: boolean;
}

/** A third-party identifier: an e-mail address or telephone number validated for an account. */
export interface Threepid {
  /** The medium: email or msisdn. */
  readonly medium: string;
  /** The address, in canonical form. */
  readonly address: string;
  /** When it was added, in milliseconds since the Unix epoch. */
  readonly added_at: number;
  /** When it was validated, in milliseconds since the Unix epoch. */
  readonly validated_at: number;
}

/** An id of an account at an external identity provider. */
export interface ExternalId {
  /** The id of the provider in the login flow, at most 512 characters. */
  readonly auth_provider: string;
  /** The id of the user at the provider, at most 512 characters. */
  readonly external_id: string;
}

/** A third-party identifier for an account. */
export interface ThreepidInput {
  /** The medium: email or msisdn. */
  readonly medium: string;
  /** The address, at most 512 characters. */
  readonly address: string;
}

/** An id of an account at an external identity provider. */
export interface ExternalIdInput {
  /** The id of the provider in the login flow, at most 512 characters. */
  readonly auth_provider: string;
  /** The id of the user at the provider, at most 512 characters. */
  readonly external_id: string;
}

/** The account after the change. */
export interface PutUserResponse {
  /** The user id. */
  readonly name: string;
  /** The display name; null when unset. */
  readonly displayname: string | null;
  /** The validated third-party identifiers. */
  readonly threepids: readonly Threepid[];
  /** The avatar's content URI; null when unset. */
  readonly avatar_url: string | null;
  /** Whether the account is a guest. */
  readonly is_guest: 0 | 1;
  /** Whether the account is a server administrator. */
  readonly admin: 0 | 1;
  /** Whether the account is deactivated. */
  readonly deactivated: 0 | 1;
  /** Whether the account is erased. */
  readonly erased: boolean;
  /** Whether the account is shadow-banned. */
  readonly shadow_banned: 0 | 1;
  /** When the account was created, in milliseconds since the Unix epoch (seconds under the compatibility prefix). */
  readonly creation_ts: number;
  /** The id of the application service that owns the account; null when none does. */
  readonly appservice_id: string | null;
  /** The policy version of the last consent notice that was sent; null when none was. */
  readonly consent_server_notice_sent: string | null;
  /** The policy version to which the user agreed; null when the user agreed to none. */
  readonly consent_version: string | null;
  /** When the user agreed, in milliseconds since the Unix epoch; null when the user did not. */
  readonly consent_ts: number | null;
  /** The ids at external identity providers. */
  readonly external_ids: readonly ExternalId[];
  /** The account type: bot, support or a configured one; null for an ordinary account. */
  readonly user_type: string | null;
  /** Whether the account is locked. */
  readonly locked: boolean;
  /** When the account was last active, in milliseconds since the Unix epoch; null if never. */
  readonly last_seen_ts: number | null;
  /** Whether the account is suspended. */
  readonly suspended: boolean;
  /** Whether an administrator has approved the account, or none needs to; absent unless the server requires approval. */
  readonly approved?: boolean;
  /** Why sessions that begin with the current password of the account do not have all its rights yet, and what to do; absent if they have. */
  readonly rights_pending?: string;
}

/** A page of accounts. */
export interface ListUsersResponse {
  /** The accounts, in the requested order. */
  readonly users: readonly UserListEntry[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
  /** The number of matching accounts. */
  readonly total: number;
}

/** An account in a list. */
export interface UserListEntry {
  /** The user id. */
  readonly name: string;
  /** Whether the account is a guest. */
  readonly is_guest: 0 | 1;
  /** Whether the account is a server administrator. */
  readonly admin: 0 | 1;
  /** The account type: bot, support or a configured one; null for an ordinary account. */
  readonly user_type: string | null;
  /** Whether the account is deactivated. */
  readonly deactivated: 0 | 1;
  /** Whether the account is erased. */
  readonly erased: boolean;
  /** Whether the account is shadow-banned. */
  readonly shadow_banned: 0 | 1;
  /** The display name; null when unset. */
  readonly displayname: string | null;
  /** The avatar's content URI; null when unset. */
  readonly avatar_url: string | null;
  /** When the account was created, in milliseconds since the Unix epoch. */
  readonly creation_ts: number;
  /** When the account was last active, in milliseconds since the Unix epoch; null if never. */
  readonly last_seen_ts: number | null;
  /** Whether the account is locked. */
  readonly locked: boolean;
  /** Whether an administrator has approved the account, or none needs to; absent unless the server requires approval. */
  readonly approved?: boolean;
  /** The validated third-party identifiers, if the request asks for ids. */
  readonly threepids?: readonly Threepid[];
  /** The ids at external identity providers, if the request asks for ids. */
  readonly external_ids?: readonly ExternalId[];
}

/** A page of accounts. */
export interface ListUsersByStateResponse {
  /** The accounts, in the requested order. */
  readonly users: readonly UserListEntry[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
  /** The number of matching accounts. */
  readonly total: number;
}

/** The names of those of the users who have an account on this server. */
export interface GetUserNamesResponse {
  /** The names by user id. */
  readonly users: { readonly [key: string]: UserName };
}

/** How a user is shown. */
export interface UserName {
  /** The display name; null when unset. */
  readonly displayname: string | null;
  /** The avatar's content URI; null when unset. */
  readonly avatar_url: string | null;
  /** Whether the account is deactivated. */
  readonly deactivated: boolean;
  /** Whether the account is locked. */
  readonly locked: boolean;
  /** Whether the account is suspended. */
  readonly suspended: boolean;
}

/** An account that matches the search. */
export interface FoundAccount {
  /** The user id. */
  readonly name: string;
  /** Whether the account is a guest. */
  readonly is_guest: 0 | 1;
  /** Whether the account is a server administrator. */
  readonly admin: 0 | 1;
  /** The account type: bot, support or a configured one; null for an ordinary account. */
  readonly user_type: string | null;
}

/** The account. */
export interface FindUserByExternalIdResponse {
  /** The user id. */
  readonly user_id: string;
}

/** The account. */
export interface FindUserByThreepidResponse {
  /** The user id. */
  readonly user_id: string;
}

/** The result at identity servers. */
export interface DeactivateResponse {
  /** The result: success or no-support. */
  readonly id_server_unbind_result: string;
}

/** An empty response. */
export type ResetPasswordResponse = { readonly [key: string]: unknown };

/** The administrator flag. */
export interface GetAdminFlagResponse {
  /** Whether the account is a server administrator. */
  readonly admin: boolean;
}

/** The flag is set. */
export interface PutAdminFlagResponse {
  /** Why sessions that begin with the current password of the account do not have all its rights yet, and what to do; absent if they have. */
  readonly rights_pending?: string;
}

/** The username is available. */
export interface CheckUsernameResponse {
  /** Always true: an unavailable username is refused. */
  readonly available: boolean;
}

/** A page of groups. */
export interface ListGroupsResponse {
  /** The groups. */
  readonly groups: readonly Group[];
  /** Where the next page begins; absent on the last page. */
  readonly next_token?: string;
  /** How many groups match. */
  readonly total: number;
}

/** A group. */
export interface Group {
  /** The id. */
  readonly id: string;
  /** The name, which no other group has in any case. */
  readonly name: string;
  /** What it is for. */
  readonly description: string;
  /** The id at the directory that keeps it; null for none. */
  readonly external_id: string | null;
  /** The names of the roles that its members have, in ascending order; admin for server administrators. */
  readonly roles: readonly string[];
  /** Whether what it says is kept in force. While it is not, members are added and removed, and what they have by the group is left. */
  readonly enforced: boolean;
  /** What happens to a role that was taken by hand from a member: restore gives it again, keep leaves it. */
  readonly hand_edits: string;
  /** When it was created, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** How many accounts are in it; absent in lists. */
  readonly members?: number;
}

/** An empty response. */
export type DeleteGroupResponse = { readonly [key: string]: unknown };

/** A page of members. */
export interface ListGroupMembersResponse {
  /** The members. */
  readonly members: readonly GroupMember[];
  /** Where the next page begins; absent on the last page. */
  readonly next_token?: string;
  /** How many accounts are in the group. */
  readonly total: number;
}

/** A member of a group. */
export interface GroupMember {
  /** The user id. */
  readonly user_id: string;
  /** The display name; null for none. */
  readonly displayname: string | null;
  /** Who says so, in ascending order: hand for an administrator, scim for a directory, oidc: and the id for an identity provider. */
  readonly by: readonly string[];
}

/** An empty response. */
export type AddGroupMemberResponse = { readonly [key: string]: unknown };

/** An empty response. */
export type RemoveGroupMemberResponse = { readonly [key: string]: unknown };

/** A page of the plan. */
export interface PlanGroupResponse {
  /** What would change, for those members for whom something would. */
  readonly changes: readonly GroupChange[];
  /** Where the next page begins; absent on the last page. */
  readonly next_token?: string;
  /** How many accounts are in the group. */
  readonly total: number;
}

/** What would change for a member. */
export interface GroupChange {
  /** The user id. */
  readonly user_id: string;
  /** The names of the roles that it would be given. */
  readonly roles_given: readonly string[];
  /** The names of the roles that it would lose. */
  readonly roles_taken: readonly string[];
}

/** The roles. */
export interface ListRolesResponse {
  /** All roles. */
  readonly roles: readonly Role[];
}

/** A role. */
export interface Role {
  /** The name. */
  readonly name: string;
  /** What it is for. */
  readonly description: string;
  /** The scopes that it contains, such as users:read. */
  readonly scopes: readonly string[];
  /** Whether it is a built-in role, which cannot be changed or deleted. */
  readonly built_in: boolean;
  /** How many accounts have it, deactivated ones included; on MongoDB the number may be a second old. */
  readonly holders: number;
  /** How many automation tokens have it. */
  readonly tokens: number;
}

/** An empty response. */
export type DeleteRoleResponse = { readonly [key: string]: unknown };

/** The rights of the account. */
export interface GetAccountRolesResponse {
  /** The names of its roles; admin for a server administrator. */
  readonly roles: readonly string[];
  /** The scopes of its roles together. */
  readonly scopes: readonly string[];
}

/** The rights of the account after the change. */
export interface SetAccountRolesResponse {
  /** The names of its roles; admin for a server administrator. */
  readonly roles: readonly string[];
  /** The scopes of its roles together. */
  readonly scopes: readonly string[];
  /** Why sessions that begin with the current password of the account do not have all its rights yet, and what to do; absent if they have. */
  readonly rights_pending?: string;
}

/** The caller. */
export interface GetMeResponse {
  /** The account that the caller acts as; token: and the id for an automation token, client: and the name for a client of services. */
  readonly user_id: string;
  /** The names of the roles of the account, or of the automation token; admin for a server administrator. */
  readonly roles: readonly string[];
  /** The scopes of the caller. */
  readonly scopes: readonly string[];
  /** The kind of the credential: device for an access token of a device, login_as for a token with which another account acts as this one, automation_token, session for the cookie of an administrator session, client for a client of services, otherwise other. */
  readonly token_kind: string;
  /** The device of the session; null for tokens without one. */
  readonly device_id: string | null;
  /** The account that the token belongs to; null unless the token acts as another account. */
  readonly owner: string | null;
  /** The id of the administrator session; null for other credentials. */
  readonly session_id: string | null;
  /** When the user of the administrator session last proved who they are, in milliseconds since the Unix epoch; null if they have not, and for other credentials. */
  readonly proved_ts: number | null;
  /** The name of the automation token; absent for other callers. */
  readonly name?: string;
  /** When the automation token expires, in milliseconds since the Unix epoch; absent if it does not, and for other callers. */
  readonly expires_ts?: number;
  /** The scopes that the account has and the caller does not; absent for none. */
  readonly withheld_scopes?: readonly string[];
  /** Why: suspended while the account is suspended, credential if a caller with fewer rights set the password, or made the token, with which the session began. Absent if no scope is withheld. */
  readonly withheld_reason?: string;
  /** When the administrator session has no rights any more unless the account has a second factor by then, in milliseconds since the Unix epoch; in the past if it has none already. Absent if no second factor is required, the account has one, or its identity provider proves one, and for other credentials. */
  readonly second_factor_due_ts?: number;
}

/** What a browser answers when it proves that it has a passkey, in URL-safe base64. */
export interface PasskeyAssertion {
  /** The id of the credential. */
  readonly id?: string;
  /** clientDataJSON. */
  readonly client_data?: string;
  /** authenticatorData. */
  readonly authenticator_data?: string;
  /** The signature. */
  readonly signature?: string;
}

/** The new session. */
export interface CreateAdminSessionResponse {
  /** The session, whose secret is in the cookie only. */
  readonly session?: AdminSession;
  /** The user id of its account. */
  readonly user_id: string;
  /** The names of the account's roles; admin for a server administrator. */
  readonly roles: readonly string[];
  /** The scopes of its roles together. */
  readonly scopes: readonly string[];
}

/** An administrator session. */
export interface AdminSession {
  /** The id, which is not a secret. */
  readonly id: string;
  /** When it started, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** When it ends at the latest, in milliseconds since the Unix epoch. */
  readonly expires_ts: number;
  /** When it ends unless it is used before, in milliseconds since the Unix epoch. */
  readonly idle_expires_ts: number;
  /** When it was last used, in milliseconds since the Unix epoch; recorded at most once a minute. */
  readonly last_used_ts: number;
  /** The address from which it was used then. */
  readonly address: string;
  /** The user agent that used it then. */
  readonly user_agent: string;
  /** When its user last proved who they are, in milliseconds since the Unix epoch; null if they have not. */
  readonly proved_ts: number | null;
  /** Whether it is the session of the request. */
  readonly current: boolean;
  /** The id of the identity provider with which it began; absent for a session that began with a password. */
  readonly provider?: string;
}

/** The session of the request. */
export interface GetAdminSessionResponse {
  /** The session. */
  readonly session?: AdminSession;
  /** The user id of its account. */
  readonly user_id: string;
}

/** An empty response. */
export type EndAdminSessionResponse = { readonly [key: string]: unknown };

/** The session after the proof. */
export interface StepUpResponse {
  /** The session. */
  readonly session?: AdminSession;
}

/** The sessions of the account. */
export interface ListOwnAdminSessionsResponse {
  /** The sessions, the latest first. */
  readonly sessions: readonly AdminSession[];
}

/** An empty response. */
export type EndOwnAdminSessionResponse = { readonly [key: string]: unknown };

/** The sessions of the account. */
export interface ListAccountAdminSessionsResponse {
  /** The sessions, the latest first. */
  readonly sessions: readonly AdminSession[];
}

/** An empty response. */
export type EndAccountAdminSessionResponse = { readonly [key: string]: unknown };

/** What creates a passkey. */
export interface BeginPasskeyResponse {
  /** The challenge, in URL-safe base64. */
  readonly challenge: string;
  /** The id of the relying party: the host of server.public_baseurl. */
  readonly rp_id: string;
  /** The name of the server. */
  readonly rp_name: string;
  /** The handle of the user, in URL-safe base64. */
  readonly user_handle: string;
  /** The user id. */
  readonly user_id: string;
  /** The ids of the credentials that the account has, which are not to be created again. */
  readonly exclude: readonly string[];
  /** Until when the challenge works, in milliseconds since the Unix epoch. */
  readonly expires_ts: number;
}

/** A passkey, without its key. */
export interface Passkey {
  /** The id, which is not a secret. */
  readonly id: string;
  /** The name that its user gave it. */
  readonly name: string;
  /** When it was added, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** When it was last used, in milliseconds since the Unix epoch; null if it was not. */
  readonly last_used_ts: number | null;
}

/** The passkeys of the account. */
export interface ListOwnPasskeysResponse {
  /** The passkeys, the oldest first. */
  readonly passkeys: readonly Passkey[];
}

/** An empty response. */
export type RenamePasskeyResponse = { readonly [key: string]: unknown };

/** An empty response. */
export type RemovePasskeyResponse = { readonly [key: string]: unknown };

/** The passkeys of the account. */
export interface ListAccountPasskeysResponse {
  /** The passkeys, the oldest first. */
  readonly passkeys: readonly Passkey[];
}

/** An empty response. */
export type RemoveAccountPasskeyResponse = { readonly [key: string]: unknown };

/** What proves a passkey. */
export interface BeginPasskeySignInResponse {
  /** The challenge, in URL-safe base64. */
  readonly challenge: string;
  /** The id of the relying party: the host of server.public_baseurl. */
  readonly rp_id: string;
  /** Until when the challenge works, in milliseconds since the Unix epoch. */
  readonly expires_ts: number;
}

/** What proves a passkey. */
export interface BeginPasskeyStepUpResponse {
  /** The challenge, in URL-safe base64. */
  readonly challenge: string;
  /** The id of the relying party: the host of server.public_baseurl. */
  readonly rp_id: string;
  /** Until when the challenge works, in milliseconds since the Unix epoch. */
  readonly expires_ts: number;
}

/** Whether an account has a second factor. */
export interface TotpStatus {
  /** Whether the account has a second factor. */
  readonly enabled: boolean;
  /** When its enrolment was confirmed, in milliseconds since the Unix epoch; null without one. */
  readonly confirmed_ts: number | null;
  /** Until when an enrolment can be confirmed, in milliseconds since the Unix epoch; null when none has begun. */
  readonly enrolment_expires_ts: number | null;
  /** How many recovery codes were not used. */
  readonly recovery_codes_left: number;
  /** The time of the server, in milliseconds since the Unix epoch. */
  readonly server_ts: number;
}

/** What the app needs. */
export interface BeginTotpResponse {
  /** The secret, in base32. */
  readonly secret: string;
  /** The secret as an otpauth URI, for a QR code. Its issuer is the name of the server. */
  readonly uri: string;
  /** Until when the enrolment can be confirmed, in milliseconds since the Unix epoch. */
  readonly expires_ts: number;
}

/** The recovery codes. */
export interface ConfirmTotpResponse {
  /** Ten codes, each of which can be used once in place of a code of the app. */
  readonly recovery_codes: readonly string[];
}

/** The recovery codes. */
export interface RenewRecoveryCodesResponse {
  /** Ten codes, each of which can be used once in place of a code of the app. */
  readonly recovery_codes: readonly string[];
}

/** An empty response. */
export type RemoveTotpResponse = { readonly [key: string]: unknown };

/** An empty response. */
export type ResetTotpResponse = { readonly [key: string]: unknown };

/** A page of automation tokens. */
export interface ListAutomationTokensResponse {
  /** The tokens, newest first. */
  readonly tokens: readonly AutomationToken[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
  /** How many tokens there are. */
  readonly total: number;
}

/** An automation token, without its secret. */
export interface AutomationToken {
  /** The id: 28 hexadecimal digits. Later tokens have greater ids. Elsewhere, such as in the audit log, the token is named by token: and the id. */
  readonly id: string;
  /** What it is for. */
  readonly name: string;
  /** The scopes that it has now. */
  readonly scopes: readonly string[];
  /** The role that gives it its scopes, as far as its maker had them; null for a token with scopes of its own. */
  readonly role: string | null;
  /** When it was created, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** Who created it: a user id, token: and the id of an automation token, or client: and the name of a client of services. */
  readonly created_by: string;
  /** When it expires, in milliseconds since the Unix epoch; null for never. It is deleted a week later. */
  readonly expires_ts: number | null;
  /** The addresses and ranges from which it is accepted; all when empty. */
  readonly allowed_addresses: readonly string[];
  /** Until when the secret before the last rotation works, in milliseconds since the Unix epoch; null when it does not. */
  readonly previous_secret_expires_ts: number | null;
  /** Its last use, at most some minutes old; null when it was never used. */
  readonly last_used: AutomationTokenUse | null;
}

/** A use of an automation token. */
export interface AutomationTokenUse {
  /** When, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** From which address. */
  readonly address: string;
}

/** The new token. */
export interface CreateAutomationTokenResponse {
  /** The id: 28 hexadecimal digits. Later tokens have greater ids. Elsewhere, such as in the audit log, the token is named by token: and the id. */
  readonly id: string;
  /** What it is for. */
  readonly name: string;
  /** The scopes that it has now. */
  readonly scopes: readonly string[];
  /** The role that gives it its scopes, as far as its maker had them; null for a token with scopes of its own. */
  readonly role: string | null;
  /** When it was created, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** Who created it: a user id, token: and the id of an automation token, or client: and the name of a client of services. */
  readonly created_by: string;
  /** When it expires, in milliseconds since the Unix epoch; null for never. It is deleted a week later. */
  readonly expires_ts: number | null;
  /** The addresses and ranges from which it is accepted; all when empty. */
  readonly allowed_addresses: readonly string[];
  /** Until when the secret before the last rotation works, in milliseconds since the Unix epoch; null when it does not. */
  readonly previous_secret_expires_ts: number | null;
  /** Its last use, at most some minutes old; null when it was never used. */
  readonly last_used: AutomationTokenUse | null;
  /** Its secret: stw_ and 55 lower-case letters and digits. */
  readonly token: string;
}

/** The token with its new secret. */
export interface RotateAutomationTokenResponse {
  /** The id: 28 hexadecimal digits. Later tokens have greater ids. Elsewhere, such as in the audit log, the token is named by token: and the id. */
  readonly id: string;
  /** What it is for. */
  readonly name: string;
  /** The scopes that it has now. */
  readonly scopes: readonly string[];
  /** The role that gives it its scopes, as far as its maker had them; null for a token with scopes of its own. */
  readonly role: string | null;
  /** When it was created, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** Who created it: a user id, token: and the id of an automation token, or client: and the name of a client of services. */
  readonly created_by: string;
  /** When it expires, in milliseconds since the Unix epoch; null for never. It is deleted a week later. */
  readonly expires_ts: number | null;
  /** The addresses and ranges from which it is accepted; all when empty. */
  readonly allowed_addresses: readonly string[];
  /** Until when the secret before the last rotation works, in milliseconds since the Unix epoch; null when it does not. */
  readonly previous_secret_expires_ts: number | null;
  /** Its last use, at most some minutes old; null when it was never used. */
  readonly last_used: AutomationTokenUse | null;
  /** The new secret. */
  readonly token: string;
}

/** An empty response. */
export type RevokeAutomationTokenResponse = { readonly [key: string]: unknown };

/** An empty response. */
export type ShadowBanResponse = { readonly [key: string]: unknown };

/** An empty response. */
export type LiftShadowBanResponse = { readonly [key: string]: unknown };

/** The rate limit override; empty when there is none. */
export interface GetRateLimitResponse {
  /** Actions per second in the long run, 0 for no limit; absent without an override. */
  readonly messages_per_second?: number;
  /** The maximum burst of actions; absent without an override. */
  readonly burst_count?: number;
}

/** The rate limit override after the change. */
export interface SetRateLimitResponse {
  /** Actions per second in the long run; 0 for no limit. */
  readonly messages_per_second: number;
  /** The maximum burst of actions. */
  readonly burst_count: number;
}

/** An empty response. */
export type ClearRateLimitResponse = { readonly [key: string]: unknown };

/** The expiry after the change. */
export interface SetValidityResponse {
  /** When the account expires, in milliseconds since the Unix epoch. */
  readonly expiration_ts: number;
}

/** The experimental features of the account. */
export interface GetExperimentalFeaturesResponse {
  /** Whether a feature is enabled for the account, for every known feature by name. */
  readonly features: { readonly [key: string]: boolean };
}

/** An empty response. */
export type SetExperimentalFeaturesResponse = { readonly [key: string]: unknown };

/** The end of the period. */
export interface AllowCrossSigningReplacementResponse {
  /** When the permission ends, in milliseconds since the Unix epoch. */
  readonly updatable_without_uia_before_ms: number;
}

/** The quotas of the user. */
export interface GetQuotasResponse {
  /** The quota of each kind, by its name in the configuration. */
  readonly quotas: { readonly [key: string]: Quota };
}

/** The use and the quota of one kind. */
export interface Quota {
  /** How much the user stores. */
  readonly used: number;
  /** How much the user may store; -1 for no limit. May be less than what is stored already. */
  readonly quota: number;
  /** Whether it is a quota of the user's own, rather than the server's. */
  readonly own: boolean;
}

/** The quotas of the user after the change. */
export interface SetQuotasResponse {
  /** The quota of each kind, by its name in the configuration. */
  readonly quotas: { readonly [key: string]: Quota };
}

/** The devices. */
export interface ListDevicesResponse {
  /** The devices, ascending by device id. */
  readonly devices: readonly Device[];
  /** The number of devices. */
  readonly total: number;
}

/** A device. */
export interface Device {
  /** The device id, unique within the account. */
  readonly device_id: string;
  /** The display name; absent when there is none. */
  readonly display_name?: string;
  /** The IP address at which it was last seen; null if never seen. */
  readonly last_seen_ip: string | null;
  /** The user agent with which it was last seen; null if never seen. */
  readonly last_seen_user_agent: string | null;
  /** When it was last seen, in milliseconds since the Unix epoch; null if never. */
  readonly last_seen_ts: number | null;
  /** The user id of its owner. */
  readonly user_id: string;
  /** Whether it is a dehydrated device, which has no session. In the list, absent if the user has no such device; in the look-up of one device, absent for any other device. */
  readonly dehydrated?: boolean;
}

/** An empty response. */
export type CreateDeviceResponse = { readonly [key: string]: unknown };

/** An empty response. */
export type DeleteDevicesResponse = { readonly [key: string]: unknown };

/** An empty response. */
export type UpdateDeviceResponse = { readonly [key: string]: unknown };

/** An empty response. */
export type DeleteDeviceResponse = { readonly [key: string]: unknown };

/** An identity provider. */
export interface LoginProvider {
  /** Its id, which the path of the redirect to it names, and external ids of accounts. */
  readonly id: string;
  /** Its name, for users. */
  readonly name: string;
}

/** The new session. */
export interface LoginAsResponse {
  /** The access token. */
  readonly access_token: string;
}

/** The recent connections of the account. */
export interface WhoIsResponse {
  /** The user id. */
  readonly user_id: string;
  /** The connections by device id; all are listed under the empty id. */
  readonly devices: { readonly [key: string]: ConnectedDevice };
}

/** The sessions of a device. */
export interface ConnectedDevice {
  /** The sessions; always exactly one. */
  readonly sessions: readonly ConnectedSession[];
}

/** A group of connections; all connections of an account form one group. */
export interface ConnectedSession {
  /** The connections, newest first. */
  readonly connections: readonly Connection[];
}

/** The use of an access token from an address. */
export interface Connection {
  /** The IP address. */
  readonly ip: string;
  /** When the address was last used, in milliseconds since the Unix epoch. */
  readonly last_seen: number;
  /** The user agent of the last use. */
  readonly user_agent: string;
  /** The id of the user as whom the account acted, if it was an administrator who logged in as another user; otherwise absent. */
  readonly acting_as?: string;
}

/** The identity providers. */
export interface GetSignInProvidersResponse {
  /** All of them, in the order of the settings. */
  readonly providers: readonly LoginProvider[];
  /** Whether administrators can sign in with passkeys: server.public_baseurl has the name of a host. */
  readonly passkeys: boolean;
}

/** A page of rooms. */
export interface ListRoomsResponse {
  /** The rooms. */
  readonly rooms: readonly RoomListEntry[];
  /** The number of rooms skipped. */
  readonly offset: number;
  /** The number of matching rooms. */
  readonly total_rooms: number;
  /** The position of the next page; absent on the last page. */
  readonly next_batch?: number;
  /** The same as next_batch. */
  readonly next_token?: number;
  /** The position of the previous page; absent on the first page. */
  readonly prev_batch?: number;
}

/** A room in a list. */
export interface RoomListEntry {
  /** The room id. */
  readonly room_id: string;
  /** The room name. */
  readonly name: string | null;
  /** The canonical alias. */
  readonly canonical_alias: string | null;
  /** The number of joined members. */
  readonly joined_members: number;
  /** The number of joined members of this server. */
  readonly joined_local_members: number;
  /** The room version. */
  readonly version: string;
  /** The user id of the creator. */
  readonly creator: string;
  /** The algorithm of the end-to-end encryption; null when the room is not encrypted. */
  readonly encryption: string | null;
  /** Whether users of other servers may join. */
  readonly federatable: boolean;
  /** Whether the directory lists the room. */
  readonly public: boolean;
  /** The join rule. */
  readonly join_rules: string | null;
  /** The guest access. */
  readonly guest_access: string | null;
  /** The history visibility. */
  readonly history_visibility: string | null;
  /** The number of state events. */
  readonly state_events: number;
  /** The room type; null for an ordinary room. */
  readonly room_type: string | null;
  /** Present in lists with details. */
  readonly details?: RoomDetails;
}

/** What lists say of a room with details. */
export interface RoomDetails {
  /** The time of the last event, in milliseconds since the Unix epoch: when it was sent, but not later than when this server received it. */
  readonly last_activity_ts: number;
  /** The number of stored messages, which are events of the types m.room.message, m.room.encrypted and m.sticker, redacted ones included. Null until the messages of a room of an earlier release are counted. */
  readonly message_count: number | null;
  /** The approximate size of the stored events, in bytes. */
  readonly stored_bytes: number;
  /** When the room was created, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** Whether the room is blocked. */
  readonly blocked: boolean;
  /** Whether the room has a tombstone. */
  readonly tombstoned: boolean;
  /** The id of the room that replaces it; null without one. */
  readonly replacement_room: string | null;
}

/** The names of those of the rooms that this server knows. */
export interface GetRoomNamesResponse {
  /** The names by room id. */
  readonly rooms: { readonly [key: string]: RoomName };
}

/** How a room is shown. */
export interface RoomName {
  /** The room name; null when there is none. */
  readonly name: string | null;
  /** The canonical alias; null when there is none. */
  readonly canonical_alias: string | null;
  /** The avatar's content URI; null when there is none. */
  readonly avatar: string | null;
  /** The room type, such as m.space; null for an ordinary room. */
  readonly room_type: string | null;
}

/** The room. */
export interface GetRoomResponse {
  /** The room id. */
  readonly room_id: string;
  /** The room name. */
  readonly name: string | null;
  /** The canonical alias. */
  readonly canonical_alias: string | null;
  /** The number of joined members. */
  readonly joined_members: number;
  /** The number of joined members of this server. */
  readonly joined_local_members: number;
  /** The room version. */
  readonly version: string;
  /** The user id of the creator. */
  readonly creator: string;
  /** The algorithm of the end-to-end encryption; null when the room is not encrypted. */
  readonly encryption: string | null;
  /** Whether users of other servers may join. */
  readonly federatable: boolean;
  /** Whether the directory lists the room. */
  readonly public: boolean;
  /** The join rule. */
  readonly join_rules: string | null;
  /** The guest access. */
  readonly guest_access: string | null;
  /** The history visibility. */
  readonly history_visibility: string | null;
  /** The number of state events. */
  readonly state_events: number;
  /** The room type; null for an ordinary room. */
  readonly room_type: string | null;
  /** Present in lists with details. */
  readonly details?: RoomDetails;
  /** The topic. */
  readonly topic: string | null;
  /** The avatar's content URI. */
  readonly avatar: string | null;
  /** The number of devices of the joined members of this server. */
  readonly joined_local_devices: number;
  /** Whether every user of this server who ever had a membership has forgotten the room. */
  readonly forgotten: boolean;
  /** Whether the room has a tombstone. */
  readonly tombstoned: boolean;
  /** The id of the room that replaces it. */
  readonly replacement_room: string | null;
}

/** The joined members. */
export interface ListRoomMembersResponse {
  /** The user ids, ascending. */
  readonly members: readonly string[];
  /** The number of members. */
  readonly total: number;
}

/** A page of reading positions. */
export interface ListRoomReceiptsResponse {
  /** The receipts. */
  readonly receipts: readonly RoomReceipt[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
  /** The number of receipts. */
  readonly total: number;
}

/** How far a user has read a room, or a thread of it. */
export interface RoomReceipt {
  /** The user. */
  readonly user_id: string;
  /** m.read, which all members see, or m.read.private. */
  readonly type: string;
  /** The last event that was read. */
  readonly event_id: string;
  /** When it was read, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** The event with which the thread begins, or main; absent for the room as a whole. */
  readonly thread_id?: string;
}

/** The room state. */
export interface ListRoomStateResponse {
  /** The state events. */
  readonly state: readonly unknown[];
}

/** A page of events. */
export interface ListRoomMessagesResponse {
  /** The events that pass the filter. */
  readonly chunk: readonly unknown[];
  /** The token of the start of the page: that of the request, if it had one. */
  readonly start: string;
  /** The token of the next page; absent when this page had no events before filtering. */
  readonly end?: string;
  /** The member events of the senders, where the filter asks for lazy-loaded members. */
  readonly state: readonly unknown[];
}

/** The event. */
export interface FindRoomEventByTimeResponse {
  /** The event id. */
  readonly event_id: string;
  /** When it was sent, in milliseconds since the Unix epoch. */
  readonly origin_server_ts: number;
}

/** The event and the events around it. */
export interface GetRoomEventContextResponse {
  /** The token for reading backwards from these events. */
  readonly start: string;
  /** The token for reading forwards from these events. */
  readonly end: string;
  /** The event. */
  readonly event: unknown;
  /** The events before it, nearest first. */
  readonly events_before: readonly unknown[];
  /** The events after it, nearest first. */
  readonly events_after: readonly unknown[];
  /** The room state after the last of these events. */
  readonly state: readonly unknown[];
}

/** The event. */
export interface FetchEventResponse {
  /** The event in its stored form, as JSON. */
  readonly event: unknown;
}

/** A page of the hierarchy; no room appears twice. */
export interface GetHierarchyResponse {
  /** The rooms; the first page starts with the space itself. */
  readonly rooms: readonly HierarchyRoom[];
  /** The token of the next page; absent on the last page. */
  readonly next_batch?: string;
}

/** A room in a hierarchy. */
export interface HierarchyRoom {
  /** The room id. */
  readonly room_id: string;
  /** The room name. */
  readonly name?: string;
  /** The topic. */
  readonly topic?: string;
  /** The canonical alias. */
  readonly canonical_alias?: string;
  /** The avatar's content URI. */
  readonly avatar_url?: string;
  /** The number of joined members. */
  readonly num_joined_members: number;
  /** Whether anyone may read the room. */
  readonly world_readable: boolean;
  /** Whether guests may join. */
  readonly guest_can_join: boolean;
  /** The join rule. */
  readonly join_rule: string;
  /** The room type; absent for an ordinary room. */
  readonly room_type?: string;
  /** For a space: the stripped state events that name its children. */
  readonly children_state: readonly unknown[];
}

/** Whether the room is blocked. */
export interface GetBlockResponse {
  /** Whether the room is blocked. */
  readonly block: boolean;
  /** The id of the user who first blocked the room; absent when it is not blocked. */
  readonly user_id?: string;
}

/** The block. */
export interface PutBlockResponse {
  /** Whether the room is blocked now. */
  readonly block: boolean;
}

/** An empty response. */
export type MakeRoomAdminResponse = { readonly [key: string]: unknown };

/** The room. */
export interface JoinUserResponse {
  /** The room id. */
  readonly room_id: string;
}

/** The forward extremities. */
export interface ListForwardExtremitiesResponse {
  /** The number of forward extremities. */
  readonly count: number;
  /** The forward extremities, in the order of arrival. */
  readonly results: readonly ForwardExtremity[];
}

/** A forward extremity: an event that no other event follows. */
export interface ForwardExtremity {
  /** The event id. */
  readonly event_id: string;
  /** The number of the room state after this event. */
  readonly state_group: number;
  /** The depth of the event in the room. */
  readonly depth: number;
  /** When this server received the event, in milliseconds since the Unix epoch. */
  readonly received_ts: number;
}

/** The result. */
export interface DeleteForwardExtremitiesResponse {
  /** The number of deleted forward extremities. */
  readonly deleted: number;
}

/** A page of blocked rooms. */
export interface ListBlockedRoomsResponse {
  /** The rooms. */
  readonly rooms: readonly BlockedRoom[];
  /** The number of matching rooms. */
  readonly total: number;
  /** The from of the next page; absent on the last page. */
  readonly next_token?: string;
}

/** A blocked room. */
export interface BlockedRoom {
  /** The room id. */
  readonly room_id: string;
  /** The administrator who blocked it first. */
  readonly user_id: string;
  /** When it was blocked, in milliseconds since the Unix epoch; null if an earlier release blocked it. */
  readonly blocked_ts: number | null;
  /** Whether this server has the room. */
  readonly exists: boolean;
  /** The name of the room; null without one. */
  readonly name: string | null;
  /** The canonical alias of the room; null without one. */
  readonly canonical_alias: string | null;
}

/** The member event, or the task. */
export interface KickUserResponse {
  /** The id of the event that was sent, or of the one that had this effect already; absent with a task. */
  readonly event_id?: string;
  /** The member in whose name it was sent; absent with a task. */
  readonly sender?: string;
  /** Whether the request sent the event; absent with a task. */
  readonly changed?: boolean;
  /** The id of the task, which GetRoomOrder and the tasks report; absent unless the request has several targets. */
  readonly task_id?: string;
}

/** The member event, or the task. */
export interface BanUserResponse {
  /** The id of the event that was sent, or of the one that had this effect already; absent with a task. */
  readonly event_id?: string;
  /** The member in whose name it was sent; absent with a task. */
  readonly sender?: string;
  /** Whether the request sent the event; absent with a task. */
  readonly changed?: boolean;
  /** The id of the task, which GetRoomOrder and the tasks report; absent unless the request has several targets. */
  readonly task_id?: string;
}

/** The member event, or the task. */
export interface UnbanUserResponse {
  /** The id of the event that was sent, or of the one that had this effect already; absent with a task. */
  readonly event_id?: string;
  /** The member in whose name it was sent; absent with a task. */
  readonly sender?: string;
  /** Whether the request sent the event; absent with a task. */
  readonly changed?: boolean;
  /** The id of the task, which GetRoomOrder and the tasks report; absent unless the request has several targets. */
  readonly task_id?: string;
}

/** The member event, or the task. */
export interface InviteUserResponse {
  /** The id of the event that was sent, or of the one that had this effect already; absent with a task. */
  readonly event_id?: string;
  /** The member in whose name it was sent; absent with a task. */
  readonly sender?: string;
  /** Whether the request sent the event; absent with a task. */
  readonly changed?: boolean;
  /** The id of the task, which GetRoomOrder and the tasks report; absent unless the request has several targets. */
  readonly task_id?: string;
}

/** The redaction, or the task. */
export interface RedactEventResponse {
  /** The id of the redaction, or of the earlier one; absent with a task. */
  readonly redaction_id?: string;
  /** The member in whose name it was sent; absent with a task. */
  readonly sender?: string;
  /** Whether the request sent the redaction; absent with a task. */
  readonly changed?: boolean;
  /** The id of the task, which GetRoomOrder and the tasks report; absent unless the request has several targets. */
  readonly task_id?: string;
}

/** The state event. */
export interface SetStateResponse {
  /** The id of the event that was sent, or of the one that had this effect already. */
  readonly event_id: string;
  /** The member in whose name it was sent. */
  readonly sender: string;
  /** Whether the request sent the event. */
  readonly changed: boolean;
}

/** The message. */
export interface SendRoomNoticeResponse {
  /** The id of the event that was sent, or of the one that had this effect already. */
  readonly event_id: string;
  /** The member in whose name it was sent. */
  readonly sender: string;
  /** Whether the request sent the event. */
  readonly changed: boolean;
}

/** The task. */
export interface BanUserFromRoomsResponse {
  /** The id of the task, which GetRoomOrder and the tasks report. */
  readonly task_id: string;
}

/** The task. */
export interface UnbanUserFromRoomsResponse {
  /** The id of the task, which GetRoomOrder and the tasks report. */
  readonly task_id: string;
}

/** The progress of an order with many targets. */
export interface GetRoomOrderResponse {
  /** The id of the task. */
  readonly task_id: string;
  /** What was ordered: kick, ban, unban, invite or redact. */
  readonly action: string;
  /** The status: scheduled, active, complete, failed or cancelled. */
  readonly status: string;
  /** The room in which it is done; absent for an order for several rooms. */
  readonly room_id?: string;
  /** The user whom an order for several rooms concerns. */
  readonly user_id?: string;
  /** The space whose rooms it is for. */
  readonly space?: string;
  /** How many targets or rooms have been looked at. */
  readonly processed: number;
  /** How many there are in all; an estimate for all rooms, and 0 while it is unknown. */
  readonly total: number;
  /** How many events were sent. */
  readonly done: number;
  /** How many targets were as ordered already. */
  readonly unchanged: number;
  /** How many targets were refused. */
  readonly refused: number;
  /** The error of a failed task, or who cancelled it; absent otherwise. */
  readonly error?: string;
  /** The outcomes of the targets, in the order in which they were processed. Of an order for all rooms, rooms that do not have the user and where no local member may carry it out are left out. */
  readonly results: readonly RoomOrderResult[];
  /** The from of the next page; absent on the last page of what has been done so far. */
  readonly next_token?: string;
}

/** The outcome of one target. */
export interface RoomOrderResult {
  /** The room. */
  readonly room_id: string;
  /** The user; absent for an event. */
  readonly user_id?: string;
  /** The event that was to be redacted. */
  readonly redacts?: string;
  /** done, unchanged (it was as ordered already) or refused. */
  readonly outcome: string;
  /** The event that was sent, or the one that had this effect already. */
  readonly event_id?: string;
  /** The member in whose name it was sent. */
  readonly sender?: string;
  /** Why it was refused. */
  readonly errcode?: string;
  /** The same for people. */
  readonly error?: string;
}

/** What happened to the members of the room. */
export interface DeleteRoomResponse {
  /** The ids of the users who were removed, and of those whose invitation or knock has ended. */
  readonly kicked_users: readonly string[];
  /** The ids of the users who could not be removed. */
  readonly failed_to_kick_users: readonly string[];
  /** The aliases that were moved to the new room. */
  readonly local_aliases: readonly string[];
  /** The id of the new room; null when none was created. */
  readonly new_room_id: string | null;
}

/** The deletion. */
export interface BeginRoomDeletionResponse {
  /** The deletion id. */
  readonly delete_id: string;
}

/** The deletions of the room. */
export interface ListRoomDeletionsResponse {
  /** The deletions, oldest first. */
  readonly results: readonly RoomDeletion[];
}

/** A deletion. */
export interface RoomDeletion {
  /** The deletion id. */
  readonly delete_id: string;
  /** The status: shutting_down, purging, complete or failed. */
  readonly status: string;
  /** The error; absent unless the deletion failed. */
  readonly error?: string;
  /** What happened so far to the members of the room. */
  readonly shutdown_room?: DeleteRoomResponse;
  /** The room id. */
  readonly room_id: string;
}

/** The progress of the deletion. */
export interface GetRoomDeletionResponse {
  /** The status: shutting_down, purging, complete or failed. */
  readonly status: string;
  /** The error; absent unless the deletion failed. */
  readonly error?: string;
  /** What happened so far to the members of the room. */
  readonly shutdown_room?: DeleteRoomResponse;
  /** The room id. */
  readonly room_id: string;
  /** The deletion id. */
  readonly delete_id: string;
}

/** The started purge. */
export interface PurgeHistoryResponse {
  /** The purge id. */
  readonly purge_id: string;
}

/** The started purge. */
export interface PurgeHistoryUpToEventResponse {
  /** The purge id. */
  readonly purge_id: string;
}

/** The status of the purge. */
export interface GetHistoryPurgeResponse {
  /** The status: active, complete or failed. */
  readonly status: string;
  /** The error; absent unless the purge failed. */
  readonly error?: string;
}

/** The redaction. */
export interface RedactUserResponse {
  /** The redaction id. */
  readonly redact_id: string;
}

/** The progress of the redaction. */
export interface GetUserRedactionResponse {
  /** The status: scheduled, active, complete or failed. It is complete only if every event is redacted. */
  readonly status: string;
  /** Once it has ended: the events that could not be redacted, with the reasons. */
  readonly failed_redactions?: unknown;
  /** The error; absent unless the redaction failed. */
  readonly error?: string;
}

/** The joined rooms. */
export interface ListUserJoinedRoomsResponse {
  /** The room ids, ascending. */
  readonly joined_rooms: readonly string[];
  /** The number of rooms. */
  readonly total: number;
}

/** The memberships. */
export interface ListUserMembershipsResponse {
  /** The memberships, by room id: join, invite, knock, leave or ban. */
  readonly memberships: { readonly [key: string]: string };
}

/** The number of invitations. */
export interface CountSentInvitesResponse {
  /** The number of invitations that this server received at or after the time. */
  readonly invite_count: number;
}

/** The number of rooms. */
export interface CountJoinedRoomsResponse {
  /** The number of rooms joined at or after the time. */
  readonly cumulative_joined_room_count: number;
}

/** How the pushes go. */
export interface ListPushStatesResponse {
  /** The states, ascending by application id and push key. */
  readonly push_states: readonly PushState[];
  /** The number of states. */
  readonly total: number;
}

/** How pushes to a pusher go. */
export interface PushState {
  /** The application id of the pusher. */
  readonly app_id: string;
  /** The push key of the pusher. */
  readonly pushkey: string;
  /** The number of rooms with events that wait for it. */
  readonly waiting_rooms: number;
  /** When the gateway accepted a push last, in milliseconds since the Unix epoch; it may have accepted others within the minute after. Null for never. */
  readonly last_success_ts: number | null;
  /** When an attempt failed last, in milliseconds since the Unix epoch; null for never. */
  readonly last_failure_ts: number | null;
  /** How that attempt failed; null for never. */
  readonly last_failure: PushFailure | null;
  /** Since when no attempt has succeeded, in milliseconds since the Unix epoch; null when the last one did. */
  readonly failing_since_ts: number | null;
  /** When the next attempt is due after failures, in milliseconds since the Unix epoch; null when the last attempt succeeded. */
  readonly next_attempt_ts: number | null;
}

/** How a push failed. */
export interface PushFailure {
  /** The status that the gateway answered; null without an answer. */
  readonly status: number | null;
  /** Why there was no answer, or why it did not count: timeout, refused_address, dns, connect, tls, redirect, protocol or another word of a later release; null after an answer. */
  readonly failure: string | null;
  /** More about the failure, for people; null after an answer. */
  readonly detail: string | null;
}

/** The media of the room. */
export interface GetRoomMediaResponse {
  /** Content URIs of this server's media, without duplicates, newest event first. */
  readonly local: readonly string[];
  /** Content URIs of other servers' media, without duplicates, newest event first. */
  readonly remote: readonly string[];
}

/** The present figures of the server. */
export interface GetOverviewResponse {
  /** The time of the figures, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** All accounts, deactivated ones and guests included. */
  readonly accounts: number | null;
  /** The accounts that are not deactivated. */
  readonly active_accounts: number | null;
  /** The locked ones among them. */
  readonly locked_accounts: number | null;
  /** The suspended ones among them. */
  readonly suspended_accounts: number | null;
  /** The users seen within 24 hours, except guests and support accounts. */
  readonly daily_active_users: number | null;
  /** The users seen within 7 days, except guests and support accounts. */
  readonly weekly_active_users: number | null;
  /** The users seen within 30 days, except guests and support accounts. */
  readonly monthly_active_users: number | null;
  /** The rooms. */
  readonly rooms: number | null;
  /** The media that were uploaded to this server and are stored. */
  readonly local_media: number | null;
  /** Their total size in bytes, without thumbnails. */
  readonly local_media_bytes: number | null;
  /** The cases of reports that are not resolved. */
  readonly open_reports: number;
  /** The tasks that wait to run, or to be repeated; counted up to 1,000 of a service. */
  readonly scheduled_tasks: number | null;
  /** The tasks that run; counted up to 1,000 of a service. */
  readonly active_tasks: number | null;
  /** The accounts that were created in this hour and in the 23 hours before it. */
  readonly registrations_last_day: number | null;
  /** The sign-ins that failed in this hour and in the 23 hours before it. */
  readonly failed_sign_ins_last_day: number | null;
}

/** The figures of the intervals. */
export interface GetHistoryResponse {
  /** One point for each interval, oldest first. Where nothing happened, counts are 0. */
  readonly points: readonly HistoryPoint[];
}

/** The figures of one interval. */
export interface HistoryPoint {
  /** The start of the interval, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** All accounts, deactivated ones and guests included, as they were when they were last counted in the interval, as a rule at the beginning of each hour; null when they were not. */
  readonly accounts: number | null;
  /** The users seen within the 24 hours before that, except guests and support accounts; null when they were not counted in the interval. */
  readonly daily_active_users: number | null;
  /** The rooms at that time; null when they were not counted in the interval. */
  readonly rooms: number | null;
  /** The total size in bytes of the media of this server at that time; null when they were not counted in the interval. */
  readonly local_media_bytes: number | null;
  /** The cases of reports that were not resolved at that time; null when they were not counted in the interval. */
  readonly open_reports: number | null;
  /** The accounts that were created within the interval, guests included, imported ones not. */
  readonly registrations: number | null;
  /** The sessions of users and of administrators that began within the interval, except by registration. */
  readonly sign_ins: number | null;
  /** The logins that were refused within the interval because the name, the password or the code of the second factor was wrong. */
  readonly failed_sign_ins: number | null;
  /** The messages sent within the interval. */
  readonly messages: number | null;
  /** The media uploaded within the interval. */
  readonly uploads: number | null;
  /** The reports received within the interval. */
  readonly reports: number;
}

/** The largest rooms. */
export interface ListLargestRoomsResponse {
  /** The rooms, at most 10, largest first. */
  readonly rooms: readonly RoomSize[];
}

/** The size of a room. */
export interface RoomSize {
  /** The room id. */
  readonly room_id: string;
  /** The estimated size of its events in bytes. */
  readonly estimated_size: number;
}

/** A page of media. */
export interface ListUserMediaResponse {
  /** The media, in the requested order. */
  readonly media: readonly UserMedia[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: number;
  /** The total number of the user's media. */
  readonly total: number;
}

/** A media item in a list. */
export interface UserMedia {
  /** When it was uploaded, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** When it was last downloaded, in milliseconds since the Unix epoch; null if never. */
  readonly last_access_ts: number | null;
  /** The media id. */
  readonly media_id: string;
  /** The size in bytes. */
  readonly media_length: number;
  /** The MIME type. */
  readonly media_type: string;
  /** The id of the administrator who quarantined it; system if its bytes were in quarantine when it was uploaded; null when it is not quarantined. */
  readonly quarantined_by: string | null;
  /** Whether it is protected from quarantine. */
  readonly safe_from_quarantine: boolean;
  /** The file name; null when there is none. */
  readonly upload_name: string | null;
}

/** The deleted media. */
export interface DeleteUserMediaResponse {
  /** The media ids, in the order in which they were selected. */
  readonly deleted_media: readonly string[];
  /** The number of deleted media. */
  readonly total: number;
}

/** An empty response. */
export type QuarantineMediaResponse = { readonly [key: string]: unknown };

/** An empty response. */
export type UnquarantineMediaResponse = { readonly [key: string]: unknown };

/** The result of the quarantine. */
export interface QuarantineRoomMediaResponse {
  /** The number of media, including those with the same bytes and those that were already quarantined. */
  readonly num_quarantined: number;
}

/** The result of the quarantine. */
export interface QuarantineUserMediaResponse {
  /** The number of quarantined media, including those with the same bytes. */
  readonly num_quarantined: number;
}

/** An empty response. */
export type ProtectMediaResponse = { readonly [key: string]: unknown };

/** An empty response. */
export type UnprotectMediaResponse = { readonly [key: string]: unknown };

/** The deleted media. */
export interface DeleteMediaResponse {
  /** The media ids. */
  readonly deleted_media: readonly string[];
  /** The number of deleted media. */
  readonly total: number;
}

/** The deleted media. */
export interface DeleteMediaBeforeResponse {
  /** The media ids, in no particular order. */
  readonly deleted_media: readonly string[];
  /** The number of deleted media. */
  readonly total: number;
  /** The number of media that were kept because the caller has no authority over their owners; absent for none. */
  readonly skipped?: number;
}

/** The deleted media. */
export interface PurgeMediaCacheResponse {
  /** The number of deleted media. */
  readonly deleted: number;
}

/** The move. */
export interface MoveMediaResponse {
  /** The id of the task. Its result has the numbers of media that were moved, of those whose bytes neither store has, and of those that stay where they are because their bytes are damaged. */
  readonly task_id: string;
}

/** A page of changes. */
export interface ListQuarantineChangesResponse {
  /** The position of the next page: 1 before the first change, and one more after each change. */
  readonly next_batch: number;
  /** The changes, at most 100, oldest first. */
  readonly changes: readonly QuarantineChange[];
}

/** A media item was quarantined or released. A change may be reported twice. */
export interface QuarantineChange {
  /** The name of the server to which the media was uploaded. */
  readonly origin: string;
  /** The media id on that server. */
  readonly media_id: string;
  /** Whether it was quarantined; false when it was released. */
  readonly quarantined: boolean;
}

/** The media item. */
export interface GetMediaInfoResponse {
  /** The stored information. */
  readonly media_info?: MediaInfo;
}

/** All stored information about a media item. */
export interface MediaInfo {
  /** The name of the server to which the media was uploaded; null for this server. */
  readonly media_origin: string | null;
  /** The id of the user who uploaded it; null for media of other servers. */
  readonly user_id: string | null;
  /** The media id. */
  readonly media_id: string;
  /** The MIME type. */
  readonly media_type: string;
  /** The size in bytes. */
  readonly media_length: number;
  /** The file name; null when there is none. */
  readonly upload_name: string | null;
  /** When it was uploaded, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** The id under which its bytes are stored; null for this server's media. */
  readonly filesystem_id: string | null;
  /** The URL of the page that it is a preview of; null for other media. */
  readonly url_cache: string | null;
  /** When it was last downloaded, in milliseconds since the Unix epoch; null if never. */
  readonly last_access_ts: number | null;
  /** The id of the administrator who quarantined it; system if its bytes were in quarantine when it was uploaded; null when it is not quarantined. */
  readonly quarantined_by: string | null;
  /** Whether downloads require an access token. */
  readonly authenticated: boolean;
  /** Whether it is protected from quarantine; null for media of other servers. */
  readonly safe_from_quarantine: boolean | null;
  /** The SHA-256 hash of its bytes in hexadecimal; null when the bytes were never stored. */
  readonly sha256: string | null;
}

/** A page of hashes. */
export interface ListMediaHashesResponse {
  /** The hashes, in ascending order. */
  readonly hashes: readonly MediaHash[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
  /** How many hashes there are that the filters select. */
  readonly total: number;
}

/** A listed hash. */
export interface MediaHash {
  /** The SHA-256 hash of the bytes, in lower-case hexadecimal. */
  readonly sha256: string;
  /** What happens to an upload of these bytes: refuse, it is refused with 403 M_FORBIDDEN and nothing is stored; or quarantine, it is stored and quarantined. */
  readonly action: string;
  /** Whether an upload of these bytes opens a report of its uploader. */
  readonly open_report: boolean;
  /** Which list it is from; null when it was not said. */
  readonly source: string | null;
  /** Why it is listed; null when it was not said. */
  readonly note: string | null;
  /** When it was added, in milliseconds since the Unix epoch. */
  readonly added_ts: number;
  /** Who added it, as the audit log names callers. */
  readonly added_by: string;
  /** When it last matched an upload, in milliseconds since the Unix epoch; null if never. */
  readonly last_match_ts: number | null;
}

/** The result of adding hashes. */
export interface AddMediaHashesResponse {
  /** How many hashes were not on the list before. */
  readonly added: number;
  /** How many hashes were on the list already, and have the new values. */
  readonly updated: number;
  /** The task that quarantines existing media; absent if none was requested. */
  readonly task_id?: string;
}

/** The result of importing hashes. */
export interface ImportMediaHashesResponse {
  /** How many hashes were not on the list before. */
  readonly added: number;
  /** How many hashes were on the list already, and have the new values. */
  readonly updated: number;
  /** How many lines were not imported. */
  readonly failed: number;
  /** The first 100 of these lines. */
  readonly problems: readonly MediaHashProblem[];
  /** The task that quarantines existing media; absent if none was requested. */
  readonly task_id?: string;
}

/** A line that was not imported. */
export interface MediaHashProblem {
  /** The number of the line, starting at 1. */
  readonly line: number;
  /** Why it was not imported. */
  readonly problem: string;
}

/** The result of removing a hash. */
export interface DeleteMediaHashResponse {
  /** How many hashes were removed: 1. */
  readonly deleted: number;
}

/** The result of removing hashes. */
export interface DeleteSourceMediaHashesResponse {
  /** How many hashes were removed. */
  readonly deleted: number;
}

/** A page of media. */
export interface ListMediaResponse {
  /** The media, in the requested order. */
  readonly media: readonly InventoryMedia[];
  /** The from of the next page; absent on the last page. */
  readonly next_token?: string;
  /** The number of media that the filters select; only on the first page. */
  readonly total?: number;
  /** The size of the media that the filters select, in bytes; only on the first page. */
  readonly total_bytes?: number;
}

/** A media item in the inventory. */
export interface InventoryMedia {
  /** The name of the server to which the media was uploaded. */
  readonly origin: string;
  /** The media id on that server. */
  readonly media_id: string;
  /** The id of the user who uploaded it; null for media of other servers. */
  readonly user_id: string | null;
  /** The MIME type, as the uploader stated it. */
  readonly media_type: string;
  /** The file name; null when there is none. */
  readonly upload_name: string | null;
  /** The size in bytes. */
  readonly media_length: number;
  /** When it was uploaded, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** When it was last downloaded, in milliseconds since the Unix epoch; null if never. */
  readonly last_access_ts: number | null;
  /** The id of the administrator who quarantined it; system if its bytes were in quarantine when it was uploaded; null when it is not quarantined. */
  readonly quarantined_by: string | null;
  /** Whether it is protected from quarantine. */
  readonly protected: boolean;
  /** Whether no event of a room and no profile shows it; null until the server has looked. */
  readonly orphaned: boolean | null;
  /** The SHA-256 hash of its bytes in hexadecimal; null when the bytes were never stored. */
  readonly sha256: string | null;
}

/** The order. */
export interface OrderQuarantineResponse {
  /** The id of the task; absent for a trial. Its progress counts media that the filters select; its result has their number and size. */
  readonly task_id?: string;
  /** The number of media that the filters select now. */
  readonly total: number;
  /** The size of the media that the filters select now, in bytes. */
  readonly total_bytes: number;
}

/** The order. */
export interface OrderReleaseResponse {
  /** The id of the task; absent for a trial. Its progress counts media that the filters select; its result has their number and size. */
  readonly task_id?: string;
  /** The number of media that the filters select now. */
  readonly total: number;
  /** The size of the media that the filters select now, in bytes. */
  readonly total_bytes: number;
}

/** The order. */
export interface OrderProtectionResponse {
  /** The id of the task; absent for a trial. Its progress counts media that the filters select; its result has their number and size. */
  readonly task_id?: string;
  /** The number of media that the filters select now. */
  readonly total: number;
  /** The size of the media that the filters select now, in bytes. */
  readonly total_bytes: number;
}

/** The order. */
export interface OrderEndOfProtectionResponse {
  /** The id of the task; absent for a trial. Its progress counts media that the filters select; its result has their number and size. */
  readonly task_id?: string;
  /** The number of media that the filters select now. */
  readonly total: number;
  /** The size of the media that the filters select now, in bytes. */
  readonly total_bytes: number;
}

/** The order. */
export interface OrderDeletionResponse {
  /** The id of the task; absent for a trial. Its progress counts media that the filters select; its result has their number and size. */
  readonly task_id?: string;
  /** The number of media that the filters select now. */
  readonly total: number;
  /** The size of the media that the filters select now, in bytes. */
  readonly total_bytes: number;
}

/** A page of users. */
export interface ListUsageResponse {
  /** The users, in the requested order. */
  readonly users: readonly UserUsage[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: number;
  /** The number of matching users. */
  readonly total: number;
}

/** The media usage of a user. */
export interface UserUsage {
  /** The display name; null when unset. */
  readonly displayname: string | null;
  /** The number of media. */
  readonly media_count: number;
  /** The total size in bytes. */
  readonly media_length: number;
  /** The user id. */
  readonly user_id: string;
}

/** A page of the timeline. */
export interface ListUserActivityResponse {
  /** The entries, newest first. */
  readonly activity: readonly ActivityEntry[];
  /** The position of the next page; absent on the last page. Entries that came about since the first page are not on later ones. */
  readonly next_token?: string;
  /** The types that were left out because the caller lacks a scope for them. */
  readonly omitted: readonly string[];
}

/** Something that a user did, or that concerned the user. It has the fields of its type. */
export interface ActivityEntry {
  /** sign_in: the user began a session on a device. address: a session was used from an address; there is one entry for each session and address, at its last use. membership: the membership or profile of the user in a room changed. media: the user uploaded a medium. report_made: the user reported something. report_received: the user, an event that the user sent, or a medium that the user uploaded, was reported. change: an administrative change with the user among its targets. */
  readonly type: string;
  /** When it happened, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** sign_in: the device of the session. */
  readonly device_id?: string;
  /** sign_in, address: the address of the client. */
  readonly address?: string;
  /** sign_in, address: the program. */
  readonly user_agent?: string;
  /** address: the user as whom an administrator, whose activity this is, acted; absent for uses of the own account. */
  readonly acting_as?: string;
  /** membership, report_made, report_received: the room. */
  readonly room_id?: string;
  /** membership: the membership since: join, invite, knock, leave or ban. */
  readonly membership?: string;
  /** membership: the membership before, or none; the same for a change of the profile alone. */
  readonly previous_membership?: string;
  /** membership: the sender of the event. */
  readonly sender?: string;
  /** membership: the event; report_made, report_received: the reported event. */
  readonly event_id?: string;
  /** media: the content URI; report_received: that of the reported medium. */
  readonly content_uri?: string;
  /** media: the MIME type. */
  readonly media_type?: string;
  /** media: the size in bytes. */
  readonly media_length?: number;
  /** media: who quarantined it; absent if it is not quarantined. */
  readonly quarantined_by?: string;
  /** report_made, report_received: the kind and the number of the report: event-12, user-3, room-4 or media-5. */
  readonly report_id?: string;
  /** report_received: the reporter; absent for reports by the server. */
  readonly reporter?: string;
  /** report_made: the reported user, or the sender of the reported event; absent if that is not known, or a room was reported. */
  readonly reported_user?: string;
  /** change: the event of the feed. */
  readonly event?: Event;
}

/** An event of the feed: one administrative change. */
export type Event = AccountCreatedEvent | AccountChangedEvent | AccountDeactivatedEvent | AccountReactivatedEvent | AccountPasswordResetEvent | AccountAdminSetEvent | AccountRolesSetEvent | AccountShadowBannedEvent | AccountShadowBanLiftedEvent | AccountSuspendedEvent | AccountSuspensionLiftedEvent | AccountRateLimitSetEvent | AccountRateLimitClearedEvent | AccountValiditySetEvent | AccountExperimentalFeaturesSetEvent | AccountCrossSigningReplacementAllowedEvent | AccountQuotasSetEvent | AccountRedactionOrderedEvent | AccountLoggedInAsEvent | DeviceCreatedEvent | DeviceChangedEvent | DeviceDeletedEvent | AdminSessionCreatedEvent | AdminSessionSteppedUpEvent | AdminSessionEndedEvent | SecondFactorEnabledEvent | SecondFactorRecoveryCodesRenewedEvent | SecondFactorRemovedEvent | PasskeyAddedEvent | PasskeyRenamedEvent | PasskeyRemovedEvent | AccountRoomOrderCreatedEvent | RoomCreatedEvent | RoomBlockedEvent | RoomUnblockedEvent | RoomAdminMadeEvent | RoomMemberJoinedEvent | RoomAliasCreatedEvent | RoomAliasDeletedEvent | RoomListingSetEvent | RoomForwardExtremitiesDeletedEvent | RoomDeletionOrderedEvent | RoomDeletedEvent | RoomHistoryPurgeOrderedEvent | RoomMemberKickedEvent | RoomMemberBannedEvent | RoomMemberUnbannedEvent | RoomMemberInvitedEvent | RoomEventRedactedEvent | RoomStateSetEvent | RoomNoticeSentEvent | RoomOrderCreatedEvent | MediaQuarantinedEvent | MediaReleasedEvent | MediaProtectedEvent | MediaUnprotectedEvent | MediaDeletedEvent | MediaCachePurgedEvent | MediaMoveOrderedEvent | MediaHashesAddedEvent | MediaHashesRemovedEvent | MediaUploadMatchedEvent | MediaOrderGivenEvent | EventReportCreatedEvent | EventReportDeletedEvent | RoomReportCreatedEvent | UserReportCreatedEvent | UserReportDeletedEvent | NoticeSentEvent | AuditCheckpointCreatedEvent | RequestUnresolvedEvent | ReportCreatedEvent | ReportChangedEvent | ReportResolvedEvent | TaskCreatedEvent | TaskStartedEvent | TaskProgressedEvent | TaskCompletedEvent | TaskFailedEvent | TaskCancelledEvent | TaskCancellationRequestedEvent | BulkCreatedEvent | RoleCreatedEvent | RoleChangedEvent | RoleDeletedEvent | AutomationTokenCreatedEvent | AutomationTokenRotatedEvent | AutomationTokenRevokedEvent | RegistrationTokenCreatedEvent | RegistrationTokenChangedEvent | RegistrationTokenDeletedEvent | GroupCreatedEvent | GroupChangedEvent | GroupDeletedEvent | GroupMemberAddedEvent | GroupMemberRemovedEvent | WebhookCreatedEvent | WebhookUpdatedEvent | WebhookDeletedEvent | WebhookDisabledEvent | WebhookSecretRotatedEvent | WebhookReplayRequestedEvent | DeadLetterCreatedEvent | DeadLetterReplayedEvent | DeadLetterDroppedEvent | FederationConnectionResetEvent | BackgroundUpdatesSetEvent | BackgroundJobStartedEvent;

/** An account was created: by an administrator, with the shared secret, or by its user. */
export interface AccountCreated {
  /** The account. */
  readonly user_id: string;
  /** Whether the user is a server administrator, if that was set. */
  readonly admin?: boolean;
}

/** An account was created: by an administrator, with the shared secret, or by its user. */
export interface AccountCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountCreated;
}

/** An administrator changed an account. */
export interface AccountChanged {
  /** The account. */
  readonly user_id: string;
  /** The names of the fields that were set, possibly to the value that they had: `displayname`, `threepids`, `password`. Values that are personal or secret do not appear. */
  readonly changed: readonly string[];
  /** Whether the account is locked, if that was set. */
  readonly locked?: boolean;
  /** Whether the account is approved, if that was set. */
  readonly approved?: boolean;
  /** Whether the user is a server administrator, if that was set. */
  readonly admin?: boolean;
}

/** An administrator changed an account. */
export interface AccountChangedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.changed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountChanged;
}

/** An account was deactivated, or erased after that: by an administrator or by its user. */
export interface AccountDeactivated {
  /** The account. */
  readonly user_id: string;
  /** Whether it was erased as well. */
  readonly erased?: boolean;
}

/** An account was deactivated, or erased after that: by an administrator or by its user. */
export interface AccountDeactivatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.deactivated';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountDeactivated;
}

/** A deactivated account became active again. */
export interface AccountReactivated {
  /** The account. */
  readonly user_id: string;
  /** The names of the other fields that the same request set. */
  readonly changed: readonly string[];
}

/** A deactivated account became active again. */
export interface AccountReactivatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.reactivated';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountReactivated;
}

/** An administrator gave an account another password. */
export interface AccountPasswordReset {
  /** The account. */
  readonly user_id: string;
  /** Whether its sessions were ended. */
  readonly logout_devices?: boolean;
}

/** An administrator gave an account another password. */
export interface AccountPasswordResetEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.password_reset';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountPasswordReset;
}

/** A user was made a server administrator, or is none any more. */
export interface AccountAdminSet {
  /** The account. */
  readonly user_id: string;
  /** Whether the user is a server administrator. */
  readonly admin: boolean;
}

/** A user was made a server administrator, or is none any more. */
export interface AccountAdminSetEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.admin_set';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountAdminSet;
}

/** The roles of an account were set. */
export interface AccountRolesSet {
  /** The account. */
  readonly user_id: string;
  /** Its roles from now on. */
  readonly roles: readonly string[];
  /** Whether the list was shortened. */
  readonly truncated: boolean;
  /** The id of the identity provider whose claims gave or took roles, at a sign-in; absent for an administrator. */
  readonly provider?: string;
  /** Whether groups gave or took roles; absent for others. */
  readonly by_groups?: boolean;
}

/** The roles of an account were set. */
export interface AccountRolesSetEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.roles_set';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountRolesSet;
}

/** An account was shadow-banned. */
export interface AccountShadowBanned {
  /** The account. */
  readonly user_id: string;
}

/** An account was shadow-banned. */
export interface AccountShadowBannedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.shadow_banned';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountShadowBanned;
}

/** An account is not shadow-banned any more. */
export interface AccountShadowBanLifted {
  /** The account. */
  readonly user_id: string;
}

/** An account is not shadow-banned any more. */
export interface AccountShadowBanLiftedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.shadow_ban_lifted';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountShadowBanLifted;
}

/** An account was suspended. */
export interface AccountSuspended {
  /** The account. */
  readonly user_id: string;
}

/** An account was suspended. */
export interface AccountSuspendedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.suspended';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountSuspended;
}

/** The suspension of an account was lifted. */
export interface AccountSuspensionLifted {
  /** The account. */
  readonly user_id: string;
}

/** The suspension of an account was lifted. */
export interface AccountSuspensionLiftedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.suspension_lifted';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountSuspensionLifted;
}

/** An account got rate limits of its own. */
export interface AccountRateLimitSet {
  /** The account. */
  readonly user_id: string;
  /** How many messages it may send per second; 0 means no limit. */
  readonly messages_per_second: number;
  /** How many messages it may send at once. */
  readonly burst_count: number;
}

/** An account got rate limits of its own. */
export interface AccountRateLimitSetEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.rate_limit_set';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountRateLimitSet;
}

/** An account has the rate limits of the server again. */
export interface AccountRateLimitCleared {
  /** The account. */
  readonly user_id: string;
}

/** An account has the rate limits of the server again. */
export interface AccountRateLimitClearedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.rate_limit_cleared';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountRateLimitCleared;
}

/** The end of the validity of an account was set. */
export interface AccountValiditySet {
  /** The account. */
  readonly user_id: string;
  /** When the account expires, in milliseconds since the Unix epoch. */
  readonly expiration_ts: number;
}

/** The end of the validity of an account was set. */
export interface AccountValiditySetEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.validity_set';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountValiditySet;
}

/** Experimental features of an account were switched on or off. */
export interface AccountExperimentalFeaturesSet {
  /** The account. */
  readonly user_id: string;
  /** The features that were set, and whether each is on. */
  readonly features: { readonly [key: string]: boolean };
  /** Whether the map was shortened. */
  readonly truncated: boolean;
}

/** Experimental features of an account were switched on or off. */
export interface AccountExperimentalFeaturesSetEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.experimental_features_set';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountExperimentalFeaturesSet;
}

/** An account may replace its cross-signing keys once without user-interactive authentication. */
export interface AccountCrossSigningReplacementAllowed {
  /** The account. */
  readonly user_id: string;
  /** Until when, in milliseconds since the Unix epoch. */
  readonly updatable_without_uia_before_ms: number;
}

/** An account may replace its cross-signing keys once without user-interactive authentication. */
export interface AccountCrossSigningReplacementAllowedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.cross_signing_replacement_allowed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountCrossSigningReplacementAllowed;
}

/** Quotas of an account were set. */
export interface AccountQuotasSet {
  /** The account. */
  readonly user_id: string;
  /** The names of the quotas that were set. */
  readonly changed: readonly string[];
}

/** Quotas of an account were set. */
export interface AccountQuotasSetEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.quotas_set';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountQuotasSet;
}

/** The redaction of events of an account was ordered; the task does it. */
export interface AccountRedactionOrdered {
  /** The account. */
  readonly user_id: string;
  /** The rooms whose events are redacted; none stands for all. */
  readonly rooms: readonly string[];
  /** Whether the list was shortened. */
  readonly truncated: boolean;
}

/** The redaction of events of an account was ordered; the task does it. */
export interface AccountRedactionOrderedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.redaction_ordered';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountRedactionOrdered;
}

/** An administrator got a token with which they act as the user. */
export interface AccountLoggedInAs {
  /** The account. */
  readonly user_id: string;
  /** Until when the token is valid, in milliseconds since the Unix epoch; absent without an end. */
  readonly valid_until_ms?: number;
}

/** An administrator got a token with which they act as the user. */
export interface AccountLoggedInAsEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.logged_in_as';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountLoggedInAs;
}

/** An administrator created a device of an account. */
export interface DeviceCreated {
  /** The account. */
  readonly user_id: string;
  /** The device. */
  readonly device_id: string;
}

/** An administrator created a device of an account. */
export interface DeviceCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'device.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: DeviceCreated;
}

/** An administrator changed a device of an account. */
export interface DeviceChanged {
  /** The account. */
  readonly user_id: string;
  /** The device. */
  readonly device_id: string;
  /** The names of the fields that were set. */
  readonly changed: readonly string[];
}

/** An administrator changed a device of an account. */
export interface DeviceChangedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'device.changed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: DeviceChanged;
}

/** An administrator deleted devices of an account, and so ended their sessions. */
export interface DeviceDeleted {
  /** The account. */
  readonly user_id: string;
  /** The devices. */
  readonly device_ids: readonly string[];
  /** Whether the list was shortened. */
  readonly truncated: boolean;
}

/** An administrator deleted devices of an account, and so ended their sessions. */
export interface DeviceDeletedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'device.deleted';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: DeviceDeleted;
}

/** An administrator session began. */
export interface AdminSessionCreated {
  /** The account. */
  readonly user_id: string;
  /** The session. */
  readonly session_id: string;
}

/** An administrator session began. */
export interface AdminSessionCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'admin_session.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AdminSessionCreated;
}

/** An administrator proved again who uses an administrator session. */
export interface AdminSessionSteppedUp {
  /** The account. */
  readonly user_id: string;
  /** The session. */
  readonly session_id: string;
}

/** An administrator proved again who uses an administrator session. */
export interface AdminSessionSteppedUpEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'admin_session.stepped_up';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AdminSessionSteppedUp;
}

/** An administrator session was ended: by its user, or by another administrator. */
export interface AdminSessionEnded {
  /** The account. */
  readonly user_id: string;
  /** The session. */
  readonly session_id: string;
}

/** An administrator session was ended: by its user, or by another administrator. */
export interface AdminSessionEndedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'admin_session.ended';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AdminSessionEnded;
}

/** The second factor of an account was confirmed, and is required from now on. */
export interface SecondFactorEnabled {
  /** The account. */
  readonly user_id: string;
}

/** The second factor of an account was confirmed, and is required from now on. */
export interface SecondFactorEnabledEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'second_factor.enabled';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: SecondFactorEnabled;
}

/** The recovery codes of the second factor of an account were replaced. */
export interface SecondFactorRecoveryCodesRenewed {
  /** The account. */
  readonly user_id: string;
}

/** The recovery codes of the second factor of an account were replaced. */
export interface SecondFactorRecoveryCodesRenewedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'second_factor.recovery_codes_renewed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: SecondFactorRecoveryCodesRenewed;
}

/** The second factor of an account was removed: by its user, or by another administrator. */
export interface SecondFactorRemoved {
  /** The account. */
  readonly user_id: string;
}

/** The second factor of an account was removed: by its user, or by another administrator. */
export interface SecondFactorRemovedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'second_factor.removed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: SecondFactorRemoved;
}

/** A passkey was added to an account: a second factor, which is required from now on, and a sign-in without a password. */
export interface PasskeyAdded {
  /** The account. */
  readonly user_id: string;
}

/** A passkey was added to an account: a second factor, which is required from now on, and a sign-in without a password. */
export interface PasskeyAddedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'passkey.added';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: PasskeyAdded;
}

/** A passkey of an account got another name. */
export interface PasskeyRenamed {
  /** The account. */
  readonly user_id: string;
}

/** A passkey of an account got another name. */
export interface PasskeyRenamedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'passkey.renamed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: PasskeyRenamed;
}

/** A passkey of an account was removed: by its user, or by another administrator. */
export interface PasskeyRemoved {
  /** The account. */
  readonly user_id: string;
}

/** A passkey of an account was removed: by its user, or by another administrator. */
export interface PasskeyRemovedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'passkey.removed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: PasskeyRemoved;
}

/** An administrator ordered to ban a user from many rooms, or to lift their bans; the task does it. */
export interface AccountRoomOrderCreated {
  /** The user, who may be one of another server. */
  readonly user_id: string;
  /** ban or unban. */
  readonly action: string;
  /** The space whose rooms it is for; absent stands for all rooms. */
  readonly space?: string;
}

/** An administrator ordered to ban a user from many rooms, or to lift their bans; the task does it. */
export interface AccountRoomOrderCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'account.room_order_created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AccountRoomOrderCreated;
}

/** A user created a room. */
export interface RoomCreated {
  /** The room. */
  readonly room_id: string;
  /** Who created it. */
  readonly creator: string;
}

/** A user created a room. */
export interface RoomCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomCreated;
}

/** A room was blocked: no local user can join it. */
export interface RoomBlocked {
  /** The room. */
  readonly room_id: string;
}

/** A room was blocked: no local user can join it. */
export interface RoomBlockedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.blocked';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomBlocked;
}

/** A room is not blocked any more. */
export interface RoomUnblocked {
  /** The room. */
  readonly room_id: string;
}

/** A room is not blocked any more. */
export interface RoomUnblockedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.unblocked';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomUnblocked;
}

/** A user was made the administrator of a room. */
export interface RoomAdminMade {
  /** The room. */
  readonly room_id: string;
  /** The user. */
  readonly user_id: string;
}

/** A user was made the administrator of a room. */
export interface RoomAdminMadeEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.admin_made';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomAdminMade;
}

/** An administrator made a user join a room. */
export interface RoomMemberJoined {
  /** The room. */
  readonly room_id: string;
  /** The user. */
  readonly user_id: string;
}

/** An administrator made a user join a room. */
export interface RoomMemberJoinedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.member_joined';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomMemberJoined;
}

/** An administrator gave a room an alias. */
export interface RoomAliasCreated {
  /** The room. */
  readonly room_id: string;
  /** The alias. */
  readonly alias: string;
}

/** An administrator gave a room an alias. */
export interface RoomAliasCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.alias_created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomAliasCreated;
}

/** An administrator deleted an alias. */
export interface RoomAliasDeleted {
  /** The alias. */
  readonly alias: string;
}

/** An administrator deleted an alias. */
export interface RoomAliasDeletedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.alias_deleted';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomAliasDeleted;
}

/** An administrator changed whether the directory lists a room. */
export interface RoomListingSet {
  /** The room. */
  readonly room_id: string;
  /** `public` if it is listed, else `private`; absent stands for `public`. */
  readonly visibility?: string;
}

/** An administrator changed whether the directory lists a room. */
export interface RoomListingSetEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.listing_set';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomListingSet;
}

/** Surplus forward extremities of a room were deleted. */
export interface RoomForwardExtremitiesDeleted {
  /** The room. */
  readonly room_id: string;
  /** How many. */
  readonly deleted: number;
}

/** Surplus forward extremities of a room were deleted. */
export interface RoomForwardExtremitiesDeletedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.forward_extremities_deleted';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomForwardExtremitiesDeleted;
}

/** The deletion of a room was ordered; the task does it. */
export interface RoomDeletionOrdered {
  /** The room. */
  readonly room_id: string;
  /** Whether the room is blocked, if that was requested. */
  readonly block?: boolean;
  /** Whether everything stored about the room is removed; absent stands for true. */
  readonly purge?: boolean;
}

/** The deletion of a room was ordered; the task does it. */
export interface RoomDeletionOrderedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.deletion_ordered';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomDeletionOrdered;
}

/** A room was deleted: its local members have left it, and if it was to be purged, everything stored about it is removed. */
export interface RoomDeleted {
  /** The room. */
  readonly room_id: string;
}

/** A room was deleted: its local members have left it, and if it was to be purged, everything stored about it is removed. */
export interface RoomDeletedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.deleted';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomDeleted;
}

/** The removal of old events of a room was ordered; the task does it. */
export interface RoomHistoryPurgeOrdered {
  /** The room. */
  readonly room_id: string;
  /** Whether events of local users are removed as well. */
  readonly delete_local_events: boolean;
}

/** The removal of old events of a room was ordered; the task does it. */
export interface RoomHistoryPurgeOrderedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.history_purge_ordered';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomHistoryPurgeOrdered;
}

/** An administrator made a user leave a room. */
export interface RoomMemberKicked {
  /** The room. */
  readonly room_id: string;
  /** The user. */
  readonly user_id: string;
}

/** An administrator made a user leave a room. */
export interface RoomMemberKickedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.member_kicked';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomMemberKicked;
}

/** An administrator banned a user from a room. */
export interface RoomMemberBanned {
  /** The room. */
  readonly room_id: string;
  /** The user. */
  readonly user_id: string;
}

/** An administrator banned a user from a room. */
export interface RoomMemberBannedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.member_banned';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomMemberBanned;
}

/** An administrator lifted the ban of a user from a room. */
export interface RoomMemberUnbanned {
  /** The room. */
  readonly room_id: string;
  /** The user. */
  readonly user_id: string;
}

/** An administrator lifted the ban of a user from a room. */
export interface RoomMemberUnbannedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.member_unbanned';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomMemberUnbanned;
}

/** An administrator invited a user to a room. */
export interface RoomMemberInvited {
  /** The room. */
  readonly room_id: string;
  /** The user. */
  readonly user_id: string;
}

/** An administrator invited a user to a room. */
export interface RoomMemberInvitedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.member_invited';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomMemberInvited;
}

/** An administrator redacted an event. */
export interface RoomEventRedacted {
  /** The room. */
  readonly room_id: string;
  /** The event. */
  readonly event_id: string;
}

/** An administrator redacted an event. */
export interface RoomEventRedactedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.event_redacted';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomEventRedacted;
}

/** An administrator set a state event of a room. */
export interface RoomStateSet {
  /** The room. */
  readonly room_id: string;
  /** The type of the state event. */
  readonly type: string;
  /** Its state key; absent stands for the empty one. */
  readonly state_key?: string;
}

/** An administrator set a state event of a room. */
export interface RoomStateSetEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.state_set';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomStateSet;
}

/** An administrator sent a notice to a room. */
export interface RoomNoticeSent {
  /** The room. */
  readonly room_id: string;
  /** The message. */
  readonly event_id: string;
}

/** An administrator sent a notice to a room. */
export interface RoomNoticeSentEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.notice_sent';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomNoticeSent;
}

/** An administrator ordered something for several users or events of a room; the task does it. */
export interface RoomOrderCreated {
  /** The room. */
  readonly room_id: string;
  /** kick, ban, unban, invite or redact. */
  readonly action: string;
  /** For how many users or events. */
  readonly count: number;
}

/** An administrator ordered something for several users or events of a room; the task does it. */
export interface RoomOrderCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room.order_created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomOrderCreated;
}

/** Media were quarantined: one, or those of a room or of a user. */
export interface MediaQuarantined {
  /** The server of the one medium. */
  readonly server_name?: string;
  /** The one medium. */
  readonly media_id?: string;
  /** The room whose media were quarantined. */
  readonly room_id?: string;
  /** The user whose media were quarantined. */
  readonly user_id?: string;
  /** How many were quarantined; absent for one, and for an order of a resolution. */
  readonly num_quarantined?: number;
}

/** Media were quarantined: one, or those of a room or of a user. */
export interface MediaQuarantinedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'media.quarantined';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: MediaQuarantined;
}

/** A medium was released from quarantine. */
export interface MediaReleased {
  /** The server of the medium. */
  readonly server_name: string;
  /** The medium. */
  readonly media_id: string;
}

/** A medium was released from quarantine. */
export interface MediaReleasedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'media.released';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: MediaReleased;
}

/** A medium of this server was protected from quarantine. */
export interface MediaProtected {
  /** The medium. */
  readonly media_id: string;
}

/** A medium of this server was protected from quarantine. */
export interface MediaProtectedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'media.protected';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: MediaProtected;
}

/** A medium of this server is not protected from quarantine any more. */
export interface MediaUnprotected {
  /** The medium. */
  readonly media_id: string;
}

/** A medium of this server is not protected from quarantine any more. */
export interface MediaUnprotectedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'media.unprotected';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: MediaUnprotected;
}

/** Media were deleted: one, those of a user, or old ones. */
export interface MediaDeleted {
  /** The server of the media. */
  readonly server_name?: string;
  /** The one medium. */
  readonly media_id?: string;
  /** The user whose media were deleted. */
  readonly user_id?: string;
  /** The media that were last used before this time were deleted, in milliseconds since the Unix epoch. */
  readonly before_ts?: number;
  /** How many were deleted. */
  readonly total: number;
}

/** Media were deleted: one, those of a user, or old ones. */
export interface MediaDeletedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'media.deleted';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: MediaDeleted;
}

/** Copies of media of other servers were deleted. */
export interface MediaCachePurged {
  /** Copies that were last used before this time were deleted, in milliseconds since the Unix epoch. */
  readonly before_ts: number;
  /** How many were deleted. */
  readonly deleted: number;
}

/** Copies of media of other servers were deleted. */
export interface MediaCachePurgedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'media.cache_purged';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: MediaCachePurged;
}

/** The move of the bytes of all media to another store was ordered; the task does it. */
export type MediaMoveOrdered = { readonly [key: string]: unknown };

/** The move of the bytes of all media to another store was ordered; the task does it. */
export interface MediaMoveOrderedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'media.move_ordered';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: MediaMoveOrdered;
}

/** Hashes of known-bad content were added to the list, or what the list says of them was replaced. */
export interface MediaHashesAdded {
  /** The list that they are from. */
  readonly source?: string;
  /** How many were not on the list before. */
  readonly added: number;
  /** How many were on the list already. */
  readonly updated: number;
}

/** Hashes of known-bad content were added to the list, or what the list says of them was replaced. */
export interface MediaHashesAddedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'media.hashes_added';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: MediaHashesAdded;
}

/** Hashes of known-bad content were removed from the list: one, or those of a source. */
export interface MediaHashesRemoved {
  /** The one hash. */
  readonly sha256?: string;
  /** The source whose hashes were removed. */
  readonly source?: string;
  /** How many were removed. */
  readonly deleted: number;
}

/** Hashes of known-bad content were removed from the list: one, or those of a source. */
export interface MediaHashesRemovedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'media.hashes_removed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: MediaHashesRemoved;
}

/** The bytes of an upload are known-bad content. The actor is the uploader. */
export interface MediaUploadMatched {
  /** The uploader. */
  readonly user_id: string;
  /** The hash of the bytes. */
  readonly sha256: string;
  /** What happened to the upload: refused or quarantined. */
  readonly outcome: string;
  /** The medium, on this server; absent for a refused upload. */
  readonly media_id?: string;
  /** The list that the hash is from; absent if the list does not say it. */
  readonly source?: string;
}

/** The bytes of an upload are known-bad content. The actor is the uploader. */
export interface MediaUploadMatchedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'media.upload_matched';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: MediaUploadMatched;
}

/** An order about all media that a selector finds was given; the task carries it out. */
export interface MediaOrderGiven {
  /** quarantine, release, protect, unprotect or delete. */
  readonly order: string;
  /** How many media the selector found when the order was given. */
  readonly total: number;
  /** Their size in bytes. */
  readonly total_bytes: number;
  /** Whether the order was only tried: nothing is changed. */
  readonly dry_run: boolean;
}

/** An order about all media that a selector finds was given; the task carries it out. */
export interface MediaOrderGivenEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'media.order_given';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: MediaOrderGiven;
}

/** A user reported an event. The actor is the reporter. */
export interface EventReportCreated {
  /** The report. */
  readonly report_id: number;
  /** The room of the event. */
  readonly room_id: string;
  /** The reported event. */
  readonly event_id: string;
}

/** A user reported an event. The actor is the reporter. */
export interface EventReportCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'event_report.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: EventReportCreated;
}

/** The report of an event was deleted. */
export interface EventReportDeleted {
  /** The report. */
  readonly report_id: number;
}

/** The report of an event was deleted. */
export interface EventReportDeletedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'event_report.deleted';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: EventReportDeleted;
}

/** A user reported a room. The actor is the reporter. */
export interface RoomReportCreated {
  /** The report. */
  readonly report_id: number;
  /** The reported room. */
  readonly room_id: string;
}

/** A user reported a room. The actor is the reporter. */
export interface RoomReportCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'room_report.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoomReportCreated;
}

/** A user reported a user. The actor is the reporter. */
export interface UserReportCreated {
  /** The report. */
  readonly report_id: number;
  /** The reported user. */
  readonly user_id: string;
}

/** A user reported a user. The actor is the reporter. */
export interface UserReportCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'user_report.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: UserReportCreated;
}

/** The report of a user was deleted. */
export interface UserReportDeleted {
  /** The report. */
  readonly report_id: number;
}

/** The report of a user was deleted. */
export interface UserReportDeletedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'user_report.deleted';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: UserReportDeleted;
}

/** A server notice was sent. The targets have its receiver. */
export interface NoticeSent {
  /** The event of the notice. */
  readonly event_id: string;
}

/** A server notice was sent. The targets have its receiver. */
export interface NoticeSentEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'notice.sent';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: NoticeSent;
}

/** A checkpoint of the audit log was made on demand. */
export interface AuditCheckpointCreated {
  /** The number of the entry that it is at. */
  readonly number: number;
}

/** A checkpoint of the audit log was made on demand. */
export interface AuditCheckpointCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'audit_checkpoint.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AuditCheckpointCreated;
}

/** The outcome of a request is not known, because the server failed or was stopped while it was carried out: look at the targets again. It requires the scope of the event that the request would have made. */
export interface RequestUnresolved {
  /** What was requested, as in the audit log: `user.deactivate`. */
  readonly action: string;
  /** The type of the event that the request would have made. */
  readonly event_type: string;
  /** `failed`: the request was answered with an error, and changes are possible. `unknown`: its outcome was not recorded. */
  readonly outcome: string;
}

/** The outcome of a request is not known, because the server failed or was stopped while it was carried out: look at the targets again. It requires the scope of the event that the request would have made. */
export interface RequestUnresolvedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'request.unresolved';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RequestUnresolved;
}

/** A report came in: of an event, a user or a room by a user, or of a medium by the server. The actor is the reporter; reports of media have none. Reports of events, users and rooms make an event of their own kind, too, such as event_report.created. */
export interface ReportCreated {
  /** The report, as the inbox names it: event-12. */
  readonly report_id: string;
  /** What was reported: event, user, room or media. */
  readonly kind: string;
  /** The sender of the event, the reported user, or the uploader of the medium; absent for none. */
  readonly user_id?: string;
  /** The reported room, or that of the event; absent for none. */
  readonly room_id?: string;
  /** The reported event; absent for none. */
  readonly event_id?: string;
  /** The content URI of the reported medium; absent for none. */
  readonly media_uri?: string;
}

/** A report came in: of an event, a user or a room by a user, or of a medium by the server. The actor is the reporter; reports of media have none. Reports of events, users and rooms make an event of their own kind, too, such as event_report.created. */
export interface ReportCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'report.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: ReportCreated;
}

/** A moderator changed the state, the assignee or the severity of a case of reports, or added a note. */
export interface ReportChanged {
  /** The case. */
  readonly case_id: string;
  /** What was reported: event, user, room or media. */
  readonly kind: string;
  /** Its state: open, triaged, escalated or resolved. */
  readonly state: string;
  /** To whom it is assigned; absent for none. */
  readonly assignee?: string;
  /** Its severity: low, medium, high or critical; absent for none. */
  readonly severity?: string;
}

/** A moderator changed the state, the assignee or the severity of a case of reports, or added a note. */
export interface ReportChangedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'report.changed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: ReportChanged;
}

/** A case of reports was resolved: by a moderator, or because the last of its reports was deleted. */
export interface ReportResolved {
  /** The case. */
  readonly case_id: string;
  /** What was reported: event, user, room or media. */
  readonly kind: string;
  /** The decision: actioned, dismissed or duplicate. */
  readonly outcome: string;
}

/** A case of reports was resolved: by a moderator, or because the last of its reports was deleted. */
export interface ReportResolvedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'report.resolved';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: ReportResolved;
}

/** A task was created. It runs once no task on the same target is before it. */
export interface TaskCreated {
  /** Its kind: `room.delete`. */
  readonly kind: string;
}

/** A task was created. It runs once no task on the same target is before it. */
export interface TaskCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'task.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: TaskCreated;
}

/** A task began to run, for the first time. */
export interface TaskStarted {
  /** Its kind. */
  readonly kind: string;
}

/** A task began to run, for the first time. */
export interface TaskStartedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'task.started';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: TaskStarted;
}

/** A task made progress. There is at most one such event a second and task. */
export interface TaskProgressed {
  /** Its kind. */
  readonly kind: string;
  /** How much is done. */
  readonly done: number;
  /** How much there is to do; absent if that is not known. */
  readonly total?: number;
}

/** A task made progress. There is at most one such event a second and task. */
export interface TaskProgressedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'task.progressed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: TaskProgressed;
}

/** A task ended, having done everything. */
export interface TaskCompleted {
  /** Its kind. */
  readonly kind: string;
  /** How much was done. */
  readonly done: number;
}

/** A task ended, having done everything. */
export interface TaskCompletedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'task.completed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: TaskCompleted;
}

/** A task ended, because it failed too often or cannot be done. */
export interface TaskFailed {
  /** Its kind. */
  readonly kind: string;
  /** How much was done. */
  readonly done: number;
  /** Why it failed, at most 512 characters. */
  readonly error: string;
}

/** A task ended, because it failed too often or cannot be done. */
export interface TaskFailedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'task.failed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: TaskFailed;
}

/** A task ended, because it was cancelled. What was done stays done. */
export interface TaskCancelled {
  /** Its kind. */
  readonly kind: string;
  /** How much was done. */
  readonly done: number;
}

/** A task ended, because it was cancelled. What was done stays done. */
export interface TaskCancelledEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'task.cancelled';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: TaskCancelled;
}

/** An administrator asked to cancel a task. */
export interface TaskCancellationRequested {
  /** The task. */
  readonly task_id: string;
}

/** An administrator asked to cancel a task. */
export interface TaskCancellationRequestedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'task.cancellation_requested';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: TaskCancellationRequested;
}

/** An administrator ordered an action for many; the task carries it out for each. */
export interface BulkCreated {
  /** The verb of the action. */
  readonly method: string;
  /** Its path, with the names of what is filled in in braces. */
  readonly path: string;
  /** For how many. */
  readonly count: number;
}

/** An administrator ordered an action for many; the task carries it out for each. */
export interface BulkCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'bulk.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: BulkCreated;
}

/** A role was created. */
export interface RoleCreated {
  /** The name of the role. */
  readonly name: string;
  /** Its scopes. */
  readonly scopes: readonly string[];
  /** Whether the list was shortened. */
  readonly truncated: boolean;
}

/** A role was created. */
export interface RoleCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'role.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoleCreated;
}

/** A role was changed. */
export interface RoleChanged {
  /** The name of the role. */
  readonly name: string;
  /** The names of the fields that were set. */
  readonly changed: readonly string[];
}

/** A role was changed. */
export interface RoleChangedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'role.changed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoleChanged;
}

/** A role was deleted. */
export interface RoleDeleted {
  /** The name of the role. */
  readonly name: string;
}

/** A role was deleted. */
export interface RoleDeletedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'role.deleted';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RoleDeleted;
}

/** An automation token was made. */
export interface AutomationTokenCreated {
  /** The id of the token, which is not a secret. */
  readonly id: string;
}

/** An automation token was made. */
export interface AutomationTokenCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'automation_token.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AutomationTokenCreated;
}

/** An automation token got another secret. */
export interface AutomationTokenRotated {
  /** The id of the token. */
  readonly id: string;
}

/** An automation token got another secret. */
export interface AutomationTokenRotatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'automation_token.rotated';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AutomationTokenRotated;
}

/** An automation token was revoked. */
export interface AutomationTokenRevoked {
  /** The id of the token. */
  readonly id: string;
}

/** An automation token was revoked. */
export interface AutomationTokenRevokedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'automation_token.revoked';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: AutomationTokenRevoked;
}

/** A registration token was made. The targets have its fingerprint. */
export interface RegistrationTokenCreated {
  /** How many accounts it permits; absent without a limit. */
  readonly uses_allowed?: number;
  /** When it expires, in milliseconds since the Unix epoch; absent if it does not. */
  readonly expiry_time?: number;
}

/** A registration token was made. The targets have its fingerprint. */
export interface RegistrationTokenCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'registration_token.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RegistrationTokenCreated;
}

/** A registration token was changed. The targets have its fingerprint. */
export interface RegistrationTokenChanged {
  /** The names of the fields that were set. */
  readonly changed: readonly string[];
}

/** A registration token was changed. The targets have its fingerprint. */
export interface RegistrationTokenChangedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'registration_token.changed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RegistrationTokenChanged;
}

/** A registration token was deleted. The targets have its fingerprint. */
export type RegistrationTokenDeleted = { readonly [key: string]: unknown };

/** A registration token was deleted. The targets have its fingerprint. */
export interface RegistrationTokenDeletedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'registration_token.deleted';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: RegistrationTokenDeleted;
}

/** A group was created. */
export interface GroupCreated {
  /** The id of the group. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
}

/** A group was created. */
export interface GroupCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'group.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: GroupCreated;
}

/** A group was changed. */
export interface GroupChanged {
  /** The id of the group. */
  readonly id: string;
  /** The names of the fields that were set. */
  readonly changed: readonly string[];
}

/** A group was changed. */
export interface GroupChangedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'group.changed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: GroupChanged;
}

/** A group was deleted. */
export interface GroupDeleted {
  /** The id of the group. */
  readonly id: string;
}

/** A group was deleted. */
export interface GroupDeletedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'group.deleted';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: GroupDeleted;
}

/** An account was added to a group. */
export interface GroupMemberAdded {
  /** The id of the group. */
  readonly id: string;
  /** The account. */
  readonly user_id: string;
}

/** An account was added to a group. */
export interface GroupMemberAddedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'group.member_added';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: GroupMemberAdded;
}

/** An account was removed from a group. */
export interface GroupMemberRemoved {
  /** The id of the group. */
  readonly id: string;
  /** The account. */
  readonly user_id: string;
}

/** An account was removed from a group. */
export interface GroupMemberRemovedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'group.member_removed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: GroupMemberRemoved;
}

/** A webhook was created. */
export interface WebhookCreated {
  /** The id of the webhook. */
  readonly id: string;
}

/** A webhook was created. */
export interface WebhookCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'webhook.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: WebhookCreated;
}

/** A webhook was changed. */
export interface WebhookUpdated {
  /** The id of the webhook. */
  readonly id: string;
  /** The names of the fields that were set. */
  readonly changed: readonly string[];
}

/** A webhook was changed. */
export interface WebhookUpdatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'webhook.updated';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: WebhookUpdated;
}

/** A webhook was deleted, with its deliveries. */
export interface WebhookDeleted {
  /** The id of the webhook. */
  readonly id: string;
}

/** A webhook was deleted, with its deliveries. */
export interface WebhookDeletedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'webhook.deleted';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: WebhookDeleted;
}

/** The server switched a webhook off, because of what its receiver answered. */
export interface WebhookDisabled {
  /** The id of the webhook. */
  readonly id: string;
  /** Why: `gone` after an answer with the status 410, `failing` after five days without a success. */
  readonly reason: string;
}

/** The server switched a webhook off, because of what its receiver answered. */
export interface WebhookDisabledEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'webhook.disabled';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: WebhookDisabled;
}

/** A webhook got another secret. */
export interface WebhookSecretRotated {
  /** The id of the webhook. */
  readonly id: string;
}

/** A webhook got another secret. */
export interface WebhookSecretRotatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'webhook.secret_rotated';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: WebhookSecretRotated;
}

/** Events were ordered to be sent again to a webhook. The event has the id of the task that does so. */
export interface WebhookReplayRequested {
  /** The id of the webhook. */
  readonly id: string;
}

/** Events were ordered to be sent again to a webhook. The event has the id of the task that does so. */
export interface WebhookReplayRequestedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'webhook.replay_requested';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: WebhookReplayRequested;
}

/** A fact became a dead letter, because a consumer failed to process it too often. */
export interface DeadLetterCreated {
  /** The dead letter. */
  readonly letter_id: string;
  /** The consumer that failed. */
  readonly consumer: string;
  /** The name of the fact. */
  readonly fact: string;
}

/** A fact became a dead letter, because a consumer failed to process it too often. */
export interface DeadLetterCreatedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'dead_letter.created';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: DeadLetterCreated;
}

/** A dead letter was ordered to be delivered again. */
export interface DeadLetterReplayed {
  /** The dead letter. */
  readonly letter_id: string;
}

/** A dead letter was ordered to be delivered again. */
export interface DeadLetterReplayedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'dead_letter.replayed';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: DeadLetterReplayed;
}

/** A dead letter was dropped. */
export interface DeadLetterDropped {
  /** The dead letter. */
  readonly letter_id: string;
}

/** A dead letter was dropped. */
export interface DeadLetterDroppedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'dead_letter.dropped';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: DeadLetterDropped;
}

/** The connection to another server was reset. */
export interface FederationConnectionReset {
  /** The server. */
  readonly destination: string;
}

/** The connection to another server was reset. */
export interface FederationConnectionResetEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'federation.connection_reset';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: FederationConnectionReset;
}

/** Background updates were switched on or off. */
export interface BackgroundUpdatesSet {
  /** Whether they are on. */
  readonly enabled: boolean;
}

/** Background updates were switched on or off. */
export interface BackgroundUpdatesSetEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'background_updates.enabled_set';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: BackgroundUpdatesSet;
}

/** A background job was started. */
export interface BackgroundJobStarted {
  /** The name of the job. */
  readonly job_name: string;
}

/** A background job was started. */
export interface BackgroundJobStartedEvent {
  /** The id of the event: the same however often the event is delivered. */
  readonly id: string;
  /** The place of the event in the feed. Positions start at 1 and have no gaps. */
  readonly position: number;
  readonly type: 'background_job.started';
  /** When the change was made, in milliseconds since the Unix epoch: for a request, when it was answered. */
  readonly time: number;
  /** The id of the user whose request made the change; token: and the id for an automation token, client: and the name for a client of services; null when the server made it, or a caller with the shared secret. */
  readonly actor: string | null;
  /** The id of the HTTP request that made the change, as in its X-Request-Id; null when there was none. */
  readonly request_id: string | null;
  /** The id of the task that the change started or concerns; absent when there is none. */
  readonly task_id?: string;
  /** The ids of what was changed: users, rooms, media, reports and so on, as in the audit log. */
  readonly targets: readonly string[];
  readonly data: BackgroundJobStarted;
}

/** A page of reports. */
export interface ListEventReportsResponse {
  /** The reports, in the requested order. */
  readonly event_reports: readonly EventReport[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: number;
  /** The number of matching reports. */
  readonly total: number;
}

/** A report. */
export interface EventReport {
  /** The report number. Later reports have greater numbers. */
  readonly id: number;
  /** When the report was received, in milliseconds since the Unix epoch. */
  readonly received_ts: number;
  /** The room id of the event. */
  readonly room_id: string;
  /** The room name; null when there is none. */
  readonly name: string | null;
  /** The event id. */
  readonly event_id: string;
  /** The id of the user who made the report. */
  readonly user_id: string;
  /** The reporter's comment; null when there is none. */
  readonly reason: string | null;
  /** The severity that the reporter gave; null when there is none. */
  readonly score: number | null;
  /** The user id of the event's sender; null when the event no longer exists. */
  readonly sender: string | null;
  /** The canonical alias of the room; null when there is none. */
  readonly canonical_alias: string | null;
}

/** The report. */
export interface GetEventReportResponse {
  /** The report number. Later reports have greater numbers. */
  readonly id: number;
  /** When the report was received, in milliseconds since the Unix epoch. */
  readonly received_ts: number;
  /** The room id of the event. */
  readonly room_id: string;
  /** The room name; null when there is none. */
  readonly name: string | null;
  /** The event id. */
  readonly event_id: string;
  /** The id of the user who made the report. */
  readonly user_id: string;
  /** The reporter's comment; null when there is none. */
  readonly reason: string | null;
  /** The severity that the reporter gave; null when there is none. */
  readonly score: number | null;
  /** The user id of the event's sender; null when the event no longer exists. */
  readonly sender: string | null;
  /** The canonical alias of the room; null when there is none. */
  readonly canonical_alias: string | null;
  /** The event in its stored form. */
  readonly event_json: unknown;
}

/** An empty response. */
export type DeleteEventReportResponse = { readonly [key: string]: unknown };

/** A page of reports. */
export interface ListUserReportsResponse {
  /** The reports, in the requested order. */
  readonly user_reports: readonly UserReport[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: number;
  /** The number of matching reports. */
  readonly total: number;
}

/** A report. */
export interface UserReport {
  /** The report number. Later reports have greater numbers. */
  readonly id: number;
  /** When the report was received, in milliseconds since the Unix epoch. */
  readonly received_ts: number;
  /** The id of the reported user. */
  readonly target_user_id: string;
  /** The id of the user who made the report. */
  readonly user_id: string;
  /** The reporter's comment. */
  readonly reason: string;
}

/** An empty response. */
export type DeleteUserReportResponse = { readonly [key: string]: unknown };

/** An order. A key that the kind does not have is refused. */
export interface NewReportOrder {
  /** What is done: redact_event, redact_user (all events of the user), suspend, lock, deactivate, quarantine_media (of the event, or the reported one), quarantine_user_media, kick, ban, block_room, delete_room or send_notice. */
  readonly kind: 'redact_event' | 'redact_user' | 'suspend' | 'lock' | 'deactivate' | 'quarantine_media' | 'quarantine_user_media' | 'kick' | 'ban' | 'block_room' | 'delete_room' | 'send_notice';
  /** The user whom it concerns; the sender of the event, the reported user or the uploader of the medium when unset. Not for orders that concern an event or a room. */
  readonly user_id?: string | null;
  /** The room; that of the case when unset. For redact_event, quarantine_media, kick, ban, block_room and delete_room. */
  readonly room_id?: string | null;
  /** The event; that of the case when unset. For redact_event and quarantine_media. */
  readonly event_id?: string | null;
  /** For ban: all, to ban the user from all rooms in which a user of this server may do so. */
  readonly rooms?: 'all' | null;
  /** The reason in the events that are sent, which members of the rooms see; at most 1,000 characters. For redact_event, redact_user, kick and ban. */
  readonly reason?: string | null;
  /** For deactivate: whether the user is erased, too. Requires the scope users:erase. */
  readonly erase?: boolean | null;
  /** For delete_room: whether the room is blocked. Requires the scope rooms:write. */
  readonly block?: boolean | null;
  /** For delete_room: whether everything stored about the room is removed; true when unset. */
  readonly purge?: boolean | null;
  /** For delete_room: whether that is done although members could not be made to leave. */
  readonly force_purge?: boolean | null;
  /** For delete_room: the creator of a new room to which the members are moved; no such room when unset. */
  readonly new_room_user_id?: string | null;
  /** For delete_room: the name of that room; at most 1,000 characters. */
  readonly room_name?: string | null;
  /** For delete_room: the first message in that room; at most 4,000 characters. */
  readonly message?: string | null;
  /** For send_notice, and required then: the text, 1 to 4,000 characters. */
  readonly text?: string | null;
}

/** The case, and the task that carries the orders out. */
export interface ResolveReportResponse {
  /** Its id. */
  readonly case_id: string;
  /** What was reported: event, user, room or media. */
  readonly kind: string;
  /** The sender of the event, the reported user, or the uploader of the medium; null for none. */
  readonly user_id: string | null;
  /** The reported room, or that of the event; null for none. */
  readonly room_id: string | null;
  /** The reported event; null for none. */
  readonly event_id: string | null;
  /** The content URI of the reported medium; null for none. */
  readonly media_uri: string | null;
  /** Its state: open, triaged, escalated or resolved. */
  readonly state: string;
  /** What was decided: actioned, dismissed or duplicate; null while it is not resolved. */
  readonly outcome: string | null;
  /** The case of which it is a duplicate; null otherwise. */
  readonly duplicate_of: string | null;
  /** To whom it is assigned; null for none. */
  readonly assignee: string | null;
  /** Its severity: low, medium, high or critical; null for none. */
  readonly severity: string | null;
  /** How many reports it has. */
  readonly report_count: number;
  /** How many different users made them. */
  readonly reporter_count: number;
  /** When its first report was received, in milliseconds since the Unix epoch. */
  readonly first_received_ts: number;
  /** When its last report was received, in milliseconds since the Unix epoch. */
  readonly last_received_ts: number;
  /** When a moderator changed it last, in milliseconds since the Unix epoch; null for never. */
  readonly changed_ts: number | null;
  /** Who changed it last, as the author of a note; null for none, and for the server. */
  readonly changed_by: string | null;
  /** The case of the same subject before this one; null for none. */
  readonly previous_case: string | null;
  /** The case of the same subject after this one; null for none. */
  readonly next_case: string | null;
  /** What the header ETag has for the case: a request with it in If-Match is refused after another change by a moderator. */
  readonly etag: string;
  /** The notes, oldest first. */
  readonly notes: readonly ReportNote[];
  /** The last 200 changes, oldest first. */
  readonly history: readonly ReportChange[];
  /** What was decided; null while it is not resolved. */
  readonly resolution: ReportResolution | null;
  /** What was decided before it was opened again, oldest first. */
  readonly former_resolutions: readonly ReportResolution[];
  /** The id of the task; absent without orders. */
  readonly task_id?: string;
  /** Whether the case is about the caller, who should have left it to another moderator; absent unless it is. */
  readonly concerns_decider?: boolean;
}

/** A note of a moderator. */
export interface ReportNote {
  /** 1, 2, 3 and so on. */
  readonly id: number;
  /** Who wrote it: a user id, or the name of an automation token (token:) or a client of services (client:). */
  readonly author: string;
  /** When, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** What they wrote. */
  readonly text: string;
}

/** A change of a case. */
export interface ReportChange {
  /** Who made it, as the author of a note; null for the server. */
  readonly by: string | null;
  /** When, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** What was changed: state, assignee or severity. */
  readonly field: string;
  /** The value before; null for none. */
  readonly from: string | null;
  /** The value after; null for none. */
  readonly to: string | null;
  /** The reason that was given; null for none. */
  readonly reason: string | null;
}

/** What ended a case. */
export interface ReportResolution {
  /** 1 for the first resolution of the case. */
  readonly number: number;
  /** Who decided, as the author of a note; null for the server. */
  readonly decider: string | null;
  /** When, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** actioned, dismissed or duplicate. */
  readonly outcome: string;
  /** The case of which it is a duplicate; null otherwise. */
  readonly duplicate_of: string | null;
  /** The reason that was given; null for none. */
  readonly reason: string | null;
  /** Whether the reporters are notified of the outcome. */
  readonly notify: boolean;
  /** The orders, in the order in which they are carried out. */
  readonly orders: readonly ReportOrder[];
  /** The task that carries them out; null without orders. */
  readonly task_id: string | null;
}

/** An order of a resolution. */
export interface ReportOrder {
  /** Its id. */
  readonly id: string;
  /** What is done: redact_event, redact_user, suspend, lock, deactivate, quarantine_media, quarantine_user_media, kick, ban, block_room, delete_room or send_notice. */
  readonly kind: string;
  /** What it is done to and how. */
  readonly details: unknown;
  /** pending, done or refused. */
  readonly state: string;
  /** Why it was refused; null otherwise. */
  readonly errcode: string | null;
  /** The same for people; null otherwise. */
  readonly message: string | null;
  /** The task that carries it out, where it takes long; null otherwise. */
  readonly task_id: string | null;
  /** When it was done or refused, in milliseconds since the Unix epoch; null while it is pending. */
  readonly ended_ts: number | null;
}

/** A page of reports or cases. */
export interface ListReportsResponse {
  /** The reports, in the requested order; empty with group. */
  readonly reports: readonly InboxReport[];
  /** The cases, in the requested order; empty without group. */
  readonly cases: readonly ReportCaseSummary[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
  /** How many reports or cases the filters select. */
  readonly total: number;
  /** How many reports or cases the other filters than state select, by state. */
  readonly counts?: ReportCounts;
}

/** A report of any kind, with the standing of its case. */
export interface InboxReport {
  /** Its kind and its number: event-12, user-3, room-4 or media-5. The number is that of the documented lists of the kind. */
  readonly id: string;
  /** What was reported: event, user, room or media. */
  readonly kind: string;
  /** When it was received, in milliseconds since the Unix epoch. */
  readonly received_ts: number;
  /** Who made it; null for the server. */
  readonly reporter: string | null;
  /** The sender of the event, the reported user, or the uploader of the medium; null for none. */
  readonly user_id: string | null;
  /** The reported room, or that of the event; null for none. */
  readonly room_id: string | null;
  /** The reported event; null for none. */
  readonly event_id: string | null;
  /** The content URI of the reported medium; null for none. */
  readonly media_uri: string | null;
  /** The comment of the reporter; null for none. */
  readonly reason: string | null;
  /** The score that the reporter gave, from -100, the worst, to 0; null for none. */
  readonly score: number | null;
  /** The id of its case. */
  readonly case_id: string;
  /** The state of its case: open, triaged, escalated or resolved. */
  readonly state: string;
  /** The severity of its case: low, medium, high or critical; null for none. */
  readonly severity: string | null;
  /** To whom its case is assigned; null for none. */
  readonly assignee: string | null;
  /** Whether there is a copy of what was reported, see GetReportEvidence. It may be past its retention. */
  readonly has_evidence: boolean;
}

/** A case as lists show it. */
export interface ReportCaseSummary {
  /** Its id. */
  readonly case_id: string;
  /** What was reported: event, user, room or media. */
  readonly kind: string;
  /** The sender of the event, the reported user, or the uploader of the medium; null for none. */
  readonly user_id: string | null;
  /** The reported room, or that of the event; null for none. */
  readonly room_id: string | null;
  /** The reported event; null for none. */
  readonly event_id: string | null;
  /** The content URI of the reported medium; null for none. */
  readonly media_uri: string | null;
  /** Its state: open, triaged, escalated or resolved. */
  readonly state: string;
  /** What was decided: actioned, dismissed or duplicate; null while it is not resolved. */
  readonly outcome: string | null;
  /** The case of which it is a duplicate; null otherwise. */
  readonly duplicate_of: string | null;
  /** To whom it is assigned; null for none. */
  readonly assignee: string | null;
  /** Its severity: low, medium, high or critical; null for none. */
  readonly severity: string | null;
  /** How many reports it has. */
  readonly report_count: number;
  /** How many different users made them. */
  readonly reporter_count: number;
  /** When its first report was received, in milliseconds since the Unix epoch. */
  readonly first_received_ts: number;
  /** When its last report was received, in milliseconds since the Unix epoch. */
  readonly last_received_ts: number;
  /** When a moderator changed it last, in milliseconds since the Unix epoch; null for never. */
  readonly changed_ts: number | null;
  /** Who changed it last, as the author of a note; null for none, and for the server. */
  readonly changed_by: string | null;
  /** The case of the same subject before this one; null for none. */
  readonly previous_case: string | null;
  /** The case of the same subject after this one; null for none. */
  readonly next_case: string | null;
  /** What the header ETag has for the case: a request with it in If-Match is refused after another change by a moderator. */
  readonly etag: string;
}

/** How many reports or cases are in each state. */
export interface ReportCounts {
  /** Open ones. */
  readonly open: number;
  /** Triaged ones. */
  readonly triaged: number;
  /** Escalated ones. */
  readonly escalated: number;
  /** Resolved ones. */
  readonly resolved: number;
}

/** What a list says of those of the cases that exist. */
export interface GetCaseOverviewsResponse {
  /** By case id. */
  readonly cases: { readonly [key: string]: CaseOverview };
}

/** What a list says of a case besides its fields. */
export interface CaseOverview {
  /** The different reasons of its last 20 reports, the latest first, at most 3. */
  readonly reasons: readonly string[];
  /** How many cases that are not resolved are about the same user, this one included; null without a user. */
  readonly user_cases: number | null;
  /** In how many rooms the subjects of up to 100 of these cases are; null without a user. */
  readonly user_rooms: number | null;
}

/** What was reported in those of the cases of which there is a copy. */
export interface GetCaseExcerptsResponse {
  /** By case id. */
  readonly cases: { readonly [key: string]: CaseExcerpt };
}

/** The beginning of what was reported. */
export interface CaseExcerpt {
  /** The text of the event, the display name of the user, or the name of the room, at most 300 characters; null without one. */
  readonly text: string | null;
  /** The type of the event; null for other subjects. */
  readonly event_type: string | null;
  /** The content URI of the medium that the event shows, or of the avatar of the user or the room; null without one. */
  readonly media_uri: string | null;
}

/** The case, and the report. */
export interface GetReportResponse {
  /** Its id. */
  readonly case_id: string;
  /** What was reported: event, user, room or media. */
  readonly kind: string;
  /** The sender of the event, the reported user, or the uploader of the medium; null for none. */
  readonly user_id: string | null;
  /** The reported room, or that of the event; null for none. */
  readonly room_id: string | null;
  /** The reported event; null for none. */
  readonly event_id: string | null;
  /** The content URI of the reported medium; null for none. */
  readonly media_uri: string | null;
  /** Its state: open, triaged, escalated or resolved. */
  readonly state: string;
  /** What was decided: actioned, dismissed or duplicate; null while it is not resolved. */
  readonly outcome: string | null;
  /** The case of which it is a duplicate; null otherwise. */
  readonly duplicate_of: string | null;
  /** To whom it is assigned; null for none. */
  readonly assignee: string | null;
  /** Its severity: low, medium, high or critical; null for none. */
  readonly severity: string | null;
  /** How many reports it has. */
  readonly report_count: number;
  /** How many different users made them. */
  readonly reporter_count: number;
  /** When its first report was received, in milliseconds since the Unix epoch. */
  readonly first_received_ts: number;
  /** When its last report was received, in milliseconds since the Unix epoch. */
  readonly last_received_ts: number;
  /** When a moderator changed it last, in milliseconds since the Unix epoch; null for never. */
  readonly changed_ts: number | null;
  /** Who changed it last, as the author of a note; null for none, and for the server. */
  readonly changed_by: string | null;
  /** The case of the same subject before this one; null for none. */
  readonly previous_case: string | null;
  /** The case of the same subject after this one; null for none. */
  readonly next_case: string | null;
  /** What the header ETag has for the case: a request with it in If-Match is refused after another change by a moderator. */
  readonly etag: string;
  /** The notes, oldest first. */
  readonly notes: readonly ReportNote[];
  /** The last 200 changes, oldest first. */
  readonly history: readonly ReportChange[];
  /** What was decided; null while it is not resolved. */
  readonly resolution: ReportResolution | null;
  /** What was decided before it was opened again, oldest first. */
  readonly former_resolutions: readonly ReportResolution[];
  /** The report that the path names; absent when it names a case. */
  readonly report?: InboxReport;
}

/** A page of the reports of a case. */
export interface ListReportsOfCaseResponse {
  /** The reports, in the requested order. */
  readonly reports: readonly InboxReport[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
  /** How many reports the case has. */
  readonly total: number;
}

/** A page of copies. */
export interface GetReportEvidenceResponse {
  /** The copies, oldest first. */
  readonly evidence: readonly ReportEvidence[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
  /** Why a report has no copy of its own: "subject_limit" or "reporter_limit", if the new copies of what it is about, or those for its reporter, had reached the bounds of a day. Those of other reports are under the id of the case. Absent otherwise. */
  readonly no_copy_reason?: string;
}

/** A copy of what was reported. */
export interface ReportEvidence {
  /** Its id: a digest of the content. */
  readonly id: string;
  /** When the first report of this state was received, in milliseconds since the Unix epoch. */
  readonly first_received_ts: number;
  /** When the last report of this state was received, in milliseconds since the Unix epoch. */
  readonly last_received_ts: number;
  /** When it is removed, unless a further report shows it, in milliseconds since the Unix epoch. */
  readonly kept_until_ts: number;
  /** What was reported. Of an event: event, with the event in its stored form, redacted, and sender with displayname and avatar_url. Of a user: user with displayname and avatar_url. Of a room: room with name, topic, avatar_url, canonical_alias, creator and joined_members. Of a medium: medium with what its report states. */
  readonly content: unknown;
}

/** A case. */
export interface ReportCase {
  /** Its id. */
  readonly case_id: string;
  /** What was reported: event, user, room or media. */
  readonly kind: string;
  /** The sender of the event, the reported user, or the uploader of the medium; null for none. */
  readonly user_id: string | null;
  /** The reported room, or that of the event; null for none. */
  readonly room_id: string | null;
  /** The reported event; null for none. */
  readonly event_id: string | null;
  /** The content URI of the reported medium; null for none. */
  readonly media_uri: string | null;
  /** Its state: open, triaged, escalated or resolved. */
  readonly state: string;
  /** What was decided: actioned, dismissed or duplicate; null while it is not resolved. */
  readonly outcome: string | null;
  /** The case of which it is a duplicate; null otherwise. */
  readonly duplicate_of: string | null;
  /** To whom it is assigned; null for none. */
  readonly assignee: string | null;
  /** Its severity: low, medium, high or critical; null for none. */
  readonly severity: string | null;
  /** How many reports it has. */
  readonly report_count: number;
  /** How many different users made them. */
  readonly reporter_count: number;
  /** When its first report was received, in milliseconds since the Unix epoch. */
  readonly first_received_ts: number;
  /** When its last report was received, in milliseconds since the Unix epoch. */
  readonly last_received_ts: number;
  /** When a moderator changed it last, in milliseconds since the Unix epoch; null for never. */
  readonly changed_ts: number | null;
  /** Who changed it last, as the author of a note; null for none, and for the server. */
  readonly changed_by: string | null;
  /** The case of the same subject before this one; null for none. */
  readonly previous_case: string | null;
  /** The case of the same subject after this one; null for none. */
  readonly next_case: string | null;
  /** What the header ETag has for the case: a request with it in If-Match is refused after another change by a moderator. */
  readonly etag: string;
  /** The notes, oldest first. */
  readonly notes: readonly ReportNote[];
  /** The last 200 changes, oldest first. */
  readonly history: readonly ReportChange[];
  /** What was decided; null while it is not resolved. */
  readonly resolution: ReportResolution | null;
  /** What was decided before it was opened again, oldest first. */
  readonly former_resolutions: readonly ReportResolution[];
}

/** The event that was sent. */
export interface SendServerNoticeResponse {
  /** The event id. */
  readonly event_id: string;
}

/** The event that was sent. */
export interface PutServerNoticeResponse {
  /** The event id. */
  readonly event_id: string;
}

/** A page of the audit log. */
export interface ListAuditLogResponse {
  /** The entries, newest first. */
  readonly entries: readonly AuditEntry[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
}

/** An entry of the audit log: one call. */
export interface AuditEntry {
  /** The entry id. Later calls have greater ids. */
  readonly id: string;
  /** When the call was received, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** The action: service and method, for example user.deactivate. */
  readonly action: string;
  /** The id of the user to whom the token belongs; token: and the id for an automation token, client: and the name for a client of services; null for a call with the shared secret. */
  readonly actor: string | null;
  /** The id of the user as whom the token acted, if that is not actor; otherwise null. */
  readonly acting_as: string | null;
  /** device for an access token of a device; login_as for a token with which an administrator acts as another user; automation_token; session for the cookie of an administrator session; client for a client of services; shared_secret for a call without a token; or other. */
  readonly token_kind: string;
  /** The device id of the session; null when there is none. */
  readonly device_id: string | null;
  /** The client's address. */
  readonly address: string;
  /** The id of the HTTP request, returned to the client as X-Request-Id. */
  readonly request_id: string;
  /** The ids of the targets: users, rooms, media and so on. */
  readonly targets: readonly string[];
  /** The request, without secrets. */
  readonly request: unknown;
  /** Whether parts of the request were left out because it is too long. */
  readonly request_truncated: boolean;
  /** ok; refused (nothing was changed); failed (changes are possible); or unknown (the call is in progress, or the server stopped before its end). */
  readonly outcome: string;
  /** The HTTP status of the response; null while the outcome is unknown. */
  readonly status: number | null;
  /** The errcode of the response; null when there was none. */
  readonly errcode: string | null;
  /** The id of the task that the call started; null when it started none. */
  readonly task_id: string | null;
  /** When the call ended, in milliseconds since the Unix epoch; null while the outcome is unknown. */
  readonly ended_ts: number | null;
  /** How many refused attempts of a user the entry stands for: 1, unless the user made very many on one day. The other fields are then those of the last one. */
  readonly attempts: number;
  /** Why the call was made, as the client stated in the header X-Steward-Reason; null when it stated nothing. */
  readonly reason: string | null;
  /** The number of the entry in the hash chain; null until it is appended, shortly after the call has ended. */
  readonly number: number | null;
  /** The SHA-256 hash of the entry, its number and the hash of the entry before it, in hexadecimal; null without a number. */
  readonly hash: string | null;
  /** The id of the entry whose outcome this one adds, because it became known only after that entry was numbered as unknown; null for all other entries. */
  readonly amends: string | null;
}

/** What the verification found. */
export interface VerifyAuditLogResponse {
  /** Whether everything that was verified is intact. */
  readonly valid: boolean;
  /** Whether the verification reached the end of the chain or a broken entry; otherwise it continues at next_number. */
  readonly complete: boolean;
  /** The number of intact entries. */
  readonly entries: number;
  /** The first number that was verified; null if there was none. */
  readonly first_number: number | null;
  /** The last number that was verified; null if there was none. */
  readonly last_number: number | null;
  /** The hash of the entry with the last number; null if there was none. */
  readonly hash: string | null;
  /** How many checkpoints were verified. */
  readonly checkpoints: number;
  /** How many of them have a valid signature with a key that the server knows. */
  readonly signed: number;
  /** How many entries have no number yet; 1,000 stands for that many or more. */
  readonly unchained: number;
  /** The number at which the next part starts; absent when complete. */
  readonly next_number?: number;
  /** The first broken entry or checkpoint; null if there is none. */
  readonly error: AuditFault | null;
}

/** The first broken entry or checkpoint of the chain. */
export interface AuditFault {
  /** entry_changed, entry_missing, entry_duplicated, entry_appended, index_changed, head_missing, head_changed, checkpoint_changed, checkpoint_missing, signature_invalid, signature_missing or key_unknown. */
  readonly kind: string;
  /** The number of the entry or checkpoint. */
  readonly number: number;
  /** The id of the entry; null where none is known. */
  readonly id: string | null;
  /** What is wrong, in words. */
  readonly message: string;
}

/** A checkpoint: a statement of what the chain was at one entry. */
export interface AuditCheckpoint {
  /** The number of the entry. */
  readonly number: number;
  /** The hash of the entry, in hexadecimal. */
  readonly hash: string;
  /** When the checkpoint was made, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** The latest time of the entries up to this one, in milliseconds since the Unix epoch. */
  readonly newest_ts: number;
  /** The number of the previous checkpoint; 0 for the first one. */
  readonly previous: number;
  /** The id of the key that signed it: the SHA-256 hash of the public key (DER), in hexadecimal; null without a signature. */
  readonly key_id: string | null;
  /** The Ed25519 signature, in base64; null without a key. */
  readonly signature: string | null;
}

/** A page of checkpoints. */
export interface ListAuditCheckpointsResponse {
  /** The checkpoints, newest first. */
  readonly checkpoints: readonly AuditCheckpoint[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
}

/** A page of the feed. */
export interface ListEventsResponse {
  /** The events, in the order of their positions. Can be empty, or have fewer events than requested, although later pages have some. */
  readonly events: readonly Event[];
  /** The position after which the next page begins. */
  readonly next_after: number;
  /** The last position of the feed. */
  readonly latest: number;
}

/** A page of webhooks. */
export interface ListWebhooksResponse {
  /** The webhooks, newest first. */
  readonly webhooks: readonly Webhook[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
  /** How many webhooks there are. */
  readonly total: number;
}

/** A webhook, without its secret. */
export interface Webhook {
  /** The id: 28 hexadecimal digits. Later webhooks have greater ids. */
  readonly id: string;
  /** Where messages are sent to. */
  readonly url: string;
  /** What it is for. */
  readonly description: string;
  /** The types of events that it gets, and beginnings of types: account.*; all when empty. */
  readonly types: readonly string[];
  /** It gets only events with one of these ids among their targets; all when empty. */
  readonly targets: readonly string[];
  /** Whether it is switched on. */
  readonly enabled: boolean;
  /** Why it is switched off: requested, gone (the receiver answered with 410) or failing (no success for five days); null while it is switched on. */
  readonly disabled_reason: string | null;
  /** The scopes of its maker, or of the caller who gave it theirs last: it gets events to which one of them belongs. */
  readonly scopes: readonly string[];
  /** When it was created, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** Who created it: a user id, token: and the id of an automation token, or client: and the name of a client of services. */
  readonly created_by: string;
  /** When it was changed last, in milliseconds since the Unix epoch. */
  readonly changed_ts: number;
  /** Who changed it last. */
  readonly changed_by: string;
  /** Until when messages are signed with the secret before the last rotation, too, in milliseconds since the Unix epoch; null when they are not. */
  readonly previous_secret_expires_ts: number | null;
  /** The position up to which the feed was searched for events: later ones follow. At most some seconds old. */
  readonly position: number;
  /** When a message was accepted last, in milliseconds since the Unix epoch; null for never. At most some seconds old. */
  readonly last_success_ts: number | null;
  /** When an attempt failed last, in milliseconds since the Unix epoch; null for never. */
  readonly last_failure_ts: number | null;
  /** Since when no attempt has succeeded, in milliseconds since the Unix epoch; null when the last one did. */
  readonly failing_since_ts: number | null;
  /** The positions of events that it missed last, because they were past their retention before it got there; null for none. */
  readonly missed: WebhookGap | null;
}

/** A part of the feed that a webhook missed. */
export interface WebhookGap {
  /** The first position. */
  readonly from: number;
  /** The last position. */
  readonly to: number;
}

/** The new webhook. */
export interface CreateWebhookResponse {
  /** The id: 28 hexadecimal digits. Later webhooks have greater ids. */
  readonly id: string;
  /** Where messages are sent to. */
  readonly url: string;
  /** What it is for. */
  readonly description: string;
  /** The types of events that it gets, and beginnings of types: account.*; all when empty. */
  readonly types: readonly string[];
  /** It gets only events with one of these ids among their targets; all when empty. */
  readonly targets: readonly string[];
  /** Whether it is switched on. */
  readonly enabled: boolean;
  /** Why it is switched off: requested, gone (the receiver answered with 410) or failing (no success for five days); null while it is switched on. */
  readonly disabled_reason: string | null;
  /** The scopes of its maker, or of the caller who gave it theirs last: it gets events to which one of them belongs. */
  readonly scopes: readonly string[];
  /** When it was created, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** Who created it: a user id, token: and the id of an automation token, or client: and the name of a client of services. */
  readonly created_by: string;
  /** When it was changed last, in milliseconds since the Unix epoch. */
  readonly changed_ts: number;
  /** Who changed it last. */
  readonly changed_by: string;
  /** Until when messages are signed with the secret before the last rotation, too, in milliseconds since the Unix epoch; null when they are not. */
  readonly previous_secret_expires_ts: number | null;
  /** The position up to which the feed was searched for events: later ones follow. At most some seconds old. */
  readonly position: number;
  /** When a message was accepted last, in milliseconds since the Unix epoch; null for never. At most some seconds old. */
  readonly last_success_ts: number | null;
  /** When an attempt failed last, in milliseconds since the Unix epoch; null for never. */
  readonly last_failure_ts: number | null;
  /** Since when no attempt has succeeded, in milliseconds since the Unix epoch; null when the last one did. */
  readonly failing_since_ts: number | null;
  /** The positions of events that it missed last, because they were past their retention before it got there; null for none. */
  readonly missed: WebhookGap | null;
  /** Its secret. */
  readonly secret: string;
}

/** An empty response. */
export type DeleteWebhookResponse = { readonly [key: string]: unknown };

/** The webhook with its new secret. */
export interface RotateWebhookSecretResponse {
  /** The id: 28 hexadecimal digits. Later webhooks have greater ids. */
  readonly id: string;
  /** Where messages are sent to. */
  readonly url: string;
  /** What it is for. */
  readonly description: string;
  /** The types of events that it gets, and beginnings of types: account.*; all when empty. */
  readonly types: readonly string[];
  /** It gets only events with one of these ids among their targets; all when empty. */
  readonly targets: readonly string[];
  /** Whether it is switched on. */
  readonly enabled: boolean;
  /** Why it is switched off: requested, gone (the receiver answered with 410) or failing (no success for five days); null while it is switched on. */
  readonly disabled_reason: string | null;
  /** The scopes of its maker, or of the caller who gave it theirs last: it gets events to which one of them belongs. */
  readonly scopes: readonly string[];
  /** When it was created, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** Who created it: a user id, token: and the id of an automation token, or client: and the name of a client of services. */
  readonly created_by: string;
  /** When it was changed last, in milliseconds since the Unix epoch. */
  readonly changed_ts: number;
  /** Who changed it last. */
  readonly changed_by: string;
  /** Until when messages are signed with the secret before the last rotation, too, in milliseconds since the Unix epoch; null when they are not. */
  readonly previous_secret_expires_ts: number | null;
  /** The position up to which the feed was searched for events: later ones follow. At most some seconds old. */
  readonly position: number;
  /** When a message was accepted last, in milliseconds since the Unix epoch; null for never. At most some seconds old. */
  readonly last_success_ts: number | null;
  /** When an attempt failed last, in milliseconds since the Unix epoch; null for never. */
  readonly last_failure_ts: number | null;
  /** Since when no attempt has succeeded, in milliseconds since the Unix epoch; null when the last one did. */
  readonly failing_since_ts: number | null;
  /** The positions of events that it missed last, because they were past their retention before it got there; null for none. */
  readonly missed: WebhookGap | null;
  /** The new secret. */
  readonly secret: string;
}

/** The delivery of the test. */
export interface TestWebhookResponse {
  /** The id of the delivery. */
  readonly delivery_id: string;
}

/** A page of deliveries. */
export interface ListWebhookDeliveriesResponse {
  /** The deliveries, newest first. */
  readonly deliveries: readonly WebhookDelivery[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
}

/** The delivery of one message. */
export interface WebhookDelivery {
  /** The id of the delivery: the id of the webhook, a dash, and what stands for the message. */
  readonly id: string;
  /** The id of the message, and of its event: the header webhook-id. */
  readonly event_id: string;
  /** The type of the event; webhook.test for a test. */
  readonly type: string;
  /** The position of the event; null for a test. */
  readonly position: number | null;
  /** pending: it is sent at next_attempt_ts; delivered: the receiver answered with a status of 200 to 299; failed: the last attempt failed; discarded: the webhook no longer has the scope of the event. */
  readonly state: string;
  /** When it was created, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** When the next attempt is due, in milliseconds since the Unix epoch; null when there is none. Without attempts so far, it waits for those before it. */
  readonly next_attempt_ts: number | null;
  /** When it ended, in milliseconds since the Unix epoch; null while it is pending. */
  readonly ended_ts: number | null;
  /** The last 20 attempts, oldest first. */
  readonly attempts: readonly WebhookAttempt[];
}

/** One attempt to deliver a message. */
export interface WebhookAttempt {
  /** When it began, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** The status that the receiver answered; null without an answer. */
  readonly status: number | null;
  /** Why there was no answer, or why it did not count: timeout, refused_address, dns, connect, tls, redirect, protocol or another word of a later release; null after an answer. */
  readonly failure: string | null;
  /** More about the failure, for people; null after an answer. */
  readonly detail: string | null;
  /** How long it took, in milliseconds. */
  readonly duration_ms: number;
}

/** The task that sends them. */
export interface ReplayWebhookResponse {
  /** The id of the task. */
  readonly task_id: string;
}

/** A request of the administrative API, in which {user_id} stands for the id of each user. */
export interface BulkAction {
  /** Its verb. */
  readonly method: 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  /** Its path, escaped as in the request line apart from {user_id}, with the query if it has one. */
  readonly path: string;
  /** Its body. Without one it is sent without a body. It cannot have secrets, such as passwords. */
  readonly body?: unknown;
}

/** The task. */
export interface CreateBulkResponse {
  /** The id of the task, which GetBulk and the tasks report. */
  readonly task_id: string;
}

/** A bulk, and a page of its results. */
export interface GetBulkResponse {
  /** The id of the task. */
  readonly task_id: string;
  /** The state of the task. */
  readonly status: string;
  /** The verb of the action. */
  readonly method: string;
  /** Its path. */
  readonly path: string;
  /** For how many it is. */
  readonly total: number;
  /** For how many it was carried out. */
  readonly done: number;
  /** For how many it was refused, or failed. */
  readonly failed: number;
  /** Why the task failed, or who cancelled it; absent otherwise. */
  readonly error?: string;
  /** The outcomes, in the order of the ids. */
  readonly results: readonly BulkResult[];
  /** The from of the next page; absent on the last one. */
  readonly next_token?: string;
}

/** The outcome of one request. */
export interface BulkResult {
  /** The id of the user. */
  readonly id: string;
  /** done or failed. */
  readonly outcome: string;
  /** The HTTP status of a request that failed; absent otherwise. */
  readonly status?: number;
  /** Its errcode; absent otherwise. */
  readonly errcode?: string;
  /** Why it failed; absent otherwise. */
  readonly error?: string;
}

/** A page of tasks. */
export interface ListTasksResponse {
  /** The tasks, newest first. */
  readonly tasks: readonly Task[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
}

/** A task. */
export interface Task {
  /** The task id. */
  readonly id: string;
  /** The kind of task, such as room.delete; docs/tasks.md lists all. */
  readonly kind: string;
  /** The state: scheduled (queued, or waiting for a retry), active, complete, failed or cancelled. */
  readonly state: string;
  /** The room id or user id that the task works on, or the SHA-256 hash of the media; the kind for tasks on all. */
  readonly target: string;
  /** The id of the user who requested it; null when the server did. */
  readonly requested_by: string | null;
  /** When it was created, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** When it was first started, in milliseconds since the Unix epoch; null before that. */
  readonly started_ts: number | null;
  /** When it ended, in milliseconds since the Unix epoch; null before that. */
  readonly finished_ts: number | null;
  /** The progress. */
  readonly progress?: TaskProgress;
  /** The number of attempts since it last made progress. */
  readonly attempt: number;
  /** Whether a cancellation was requested and has not taken effect yet. */
  readonly cancelling: boolean;
  /** The error of a failed task, or who cancelled it; otherwise null. */
  readonly error: string | null;
  /** The result so far, where it is small; otherwise null. */
  readonly result: unknown;
}

/** The progress of a task. */
export interface TaskProgress {
  /** The number of items processed. */
  readonly done: number;
  /** The estimated total number of items; null when unknown. */
  readonly total: number | null;
}

/** The tasks. */
export interface ListScheduledTasksResponse {
  /** The tasks, in the order of their creation. */
  readonly scheduled_tasks: readonly ScheduledTask[];
}

/** A task, in the format of existing tools. */
export interface ScheduledTask {
  /** The task id. */
  readonly id: string;
  /** The kind of task. */
  readonly action: string;
  /** The state of the task. */
  readonly status: string;
  /** When the task was created, in milliseconds since the Unix epoch. */
  readonly timestamp_ms: number;
  /** The id of the room or user that the task works on; null when there is none. */
  readonly resource_id: string | null;
  /** The result so far, where it is small; otherwise null. */
  readonly result: unknown;
  /** The error of a failed task, or who cancelled it; otherwise null. */
  readonly error: string | null;
}

/** A page of dead letters. */
export interface ListDeadLettersResponse {
  /** The dead letters, in a stable order. */
  readonly dead_letters: readonly DeadLetter[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
}

/** A dead letter. */
export interface DeadLetter {
  /** The id of the dead letter. */
  readonly id: string;
  /** The consumer that could not process the fact: its service and purpose. */
  readonly consumer: string;
  /** The name of the fact: user.deactivated, room.purged and so on. */
  readonly event: string;
  /** The id of the fact. */
  readonly event_id: string;
  /** The id of the user or room that the fact is about. */
  readonly aggregate_id: string;
  /** The id of the user whose request caused the fact; null when the server did. */
  readonly requested_by: string | null;
  /** When the fact occurred, in milliseconds since the Unix epoch. */
  readonly event_ts: number;
  /** The error of the last attempt. */
  readonly error: string;
  /** The number of attempts. */
  readonly attempts: number;
  /** When the consumer gave up, in milliseconds since the Unix epoch. */
  readonly given_up_ts: number;
}

/** An empty response: the dead letter was delivered again. */
export type ReplayDeadLetterResponse = { readonly [key: string]: unknown };

/** An empty response: the dead letter was deleted. */
export type DropDeadLetterResponse = { readonly [key: string]: unknown };

/** The state of the server. */
export interface GetServerStatusResponse {
  /** The server name. */
  readonly server_name: string;
  /** The release of the process that answers. */
  readonly release: string;
  /** The version of the format of the stored data. */
  readonly schema: number;
  /** The kind of store: sqlite or mongodb. */
  readonly store: string;
  /** The version that the store reports; null when it does not answer. */
  readonly store_version: string | null;
  /** The broker: nats, or none in one process. */
  readonly broker: string;
  /** The number of dead letters, counted up to 10,000; null when the broker does not answer. */
  readonly dead_letters: number | null;
  /** The problems; empty when all is well. store_missing, broker_missing, disk_missing, gateway_missing, user_missing, room_missing, media_missing, moderation_missing: some process lacks it, or no process of the kind reports. process_lost: a process ended without notice, or hangs. releases_differ: processes are of different releases. outbox_late: a fact has waited for more than a minute. consumers_late: a consumer has more than 1,000 facts to handle. tasks_late: a task has waited for more than ten minutes. dead_letters: there are some. event_loop_late: a process was late by more than half a second. notices_account_missing: an account that the server did not make has the name of the one that sends notices, so none are sent. */
  readonly degraded: readonly string[];
  /** The processes, by kind and start. */
  readonly processes: readonly ProcessStatus[];
}

/** The report of a process. */
export interface ProcessStatus {
  /** The id of this run of the process. */
  readonly id: string;
  /** What it runs: gateway, user, room, media, moderation, or all-in-one. */
  readonly kind: string;
  /** The name of its machine or container. */
  readonly host: string;
  /** Its process id there. */
  readonly pid: number;
  /** Its release. */
  readonly release: string;
  /** Its version of Node.js. */
  readonly node: string;
  /** When it started, in milliseconds since the Unix epoch. */
  readonly started_ts: number;
  /** When it reported, in milliseconds since the Unix epoch. */
  readonly seen_ts: number;
  /** starting, ready, degraded (ready, but something is missing), unready, draining, or lost (it no longer reports). */
  readonly state: string;
  /** What it needs and has not: store, broker, disk, user, room, media, moderation, or notices_account. */
  readonly missing: readonly string[];
  /** How late its event loop was in 99 of 100 cases since the report before, at most, in milliseconds. */
  readonly event_loop_delay_ms: number;
  /** The memory that it uses, in bytes. */
  readonly memory_bytes: number;
  /** The part of it that objects use, in bytes. */
  readonly heap_bytes: number;
  /** The outboxes of its services; other processes of the same service report the same ones. */
  readonly outboxes: readonly OutboxStatus[];
  /** The consumers of its services; other processes of the same service report the same ones. */
  readonly consumers: readonly ConsumerStatus[];
  /** The tasks of its services; other processes of the same service report the same ones. */
  readonly tasks?: TaskStatus;
  /** The accounts whose password was hashed by another server, by scheme: each is hashed anew at the next login. Reported by processes of the user service, all of which report the same ones. */
  readonly imported_passwords: readonly ImportedPasswordsStatus[];
}

/** What waits in the outbox of a service: facts that the bus has not accepted yet. */
export interface OutboxStatus {
  /** The service. */
  readonly service: string;
  /** The number of facts, counted up to 10,000. */
  readonly entries: number;
  /** The age of the oldest one, in milliseconds; 0 for none. */
  readonly oldest_ms: number;
}

/** What a consumer has yet to handle. */
export interface ConsumerStatus {
  /** The consumer: its service and purpose. */
  readonly consumer: string;
  /** The number of facts. */
  readonly pending: number;
}

/** The tasks of a service that have not ended. */
export interface TaskStatus {
  /** How many wait to run, or to be repeated. */
  readonly scheduled: number;
  /** How many run. */
  readonly active: number;
  /** The age of the oldest one that waits, in milliseconds; 0 for none. */
  readonly oldest_waiting_ms: number;
}

/** Accounts whose password was hashed by another server. */
export interface ImportedPasswordsStatus {
  /** The scheme of the hashes. */
  readonly scheme: string;
  /** The number of accounts, read every five minutes. */
  readonly accounts: number;
}

/** The account data of the account. */
export interface ListAccountDataResponse {
  /** All account data objects. */
  readonly account_data?: AccountData;
}

/** The account data of an account. */
export interface AccountData {
  /** The global objects, by type; includes the push rules if they differ from the defaults. */
  readonly global: unknown;
  /** The objects of rooms, by room id and type. */
  readonly rooms: unknown;
}

/** A pusher. */
export interface Pusher {
  /** The display name of the application. */
  readonly app_display_name: string;
  /** The application id, in reverse domain notation. */
  readonly app_id: string;
  /** Data specific to the kind; for http the url and the format. */
  readonly data: unknown;
  /** The display name of the device. */
  readonly device_display_name: string;
  /** The profile of device-specific push rules; may be empty. */
  readonly profile_tag: string;
  /** The kind: http for a pusher that sends HTTP requests. */
  readonly kind: string;
  /** The preferred language, for example en or en-US. */
  readonly lang: string;
  /** The push key, unique within the application. */
  readonly pushkey: string;
}

/** The pushers of the account. */
export interface ListPushersResponse {
  /** The pushers, ascending by application id and push key. */
  readonly pushers: readonly Pusher[];
  /** The number of pushers. */
  readonly total: number;
}

/** The state of encryption of an account. */
export interface GetEncryptionResponse {
  /** Whether the account has cross-signing keys, with which the user verifies devices. */
  readonly cross_signing: boolean;
  /** The devices, ascending by device id. */
  readonly devices: readonly DeviceEncryption[];
  /** The current backup of the keys with which the devices read encrypted messages; null without one. */
  readonly key_backup: KeyBackupState | null;
}

/** The state of encryption of a device. */
export interface DeviceEncryption {
  /** The device id. */
  readonly device_id: string;
  /** The display name; null without one. */
  readonly display_name: string | null;
  /** Whether it has published identity keys, without which others cannot encrypt for it. */
  readonly has_keys: boolean;
  /** Whether the self-signing key of the user has signed its keys. */
  readonly verified: boolean;
  /** Whether it is a dehydrated device, which has no session. */
  readonly dehydrated: boolean;
  /** The messages of other devices that wait for it. Further ones are dropped while there are 25,000, or 64 MiB of them. */
  readonly waiting_messages: number;
  /** How long the oldest of them has waited, in milliseconds; null if none waits. */
  readonly oldest_waiting_ms: number | null;
}

/** A key backup, which the devices encrypt. */
export interface KeyBackupState {
  /** Its version. */
  readonly version: string;
  /** The algorithm, as the client named it. */
  readonly algorithm: string;
  /** The number of keys in it. */
  readonly count: number;
}

/** A page of destinations. */
export interface ListDestinationsResponse {
  /** The destinations, in the requested order. */
  readonly destinations: readonly Destination[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
  /** The number of matching destinations. */
  readonly total: number;
}

/** A destination: a server that receives events. */
export interface Destination {
  /** The server name. */
  readonly destination: string;
  /** When the last failed attempt was made, in milliseconds since the Unix epoch; 0 when the destination is reachable. */
  readonly retry_last_ts: number;
  /** The delay before the next attempt, in milliseconds; 0 when the destination is reachable. */
  readonly retry_interval: number;
  /** Since when the destination is unreachable, in milliseconds since the Unix epoch; null when it is reachable. */
  readonly failure_ts: number | null;
  /** The stream ordering of the last event delivered; null before the first one. */
  readonly last_successful_stream_ordering: number | null;
}

/** A page of rooms. */
export interface ListDestinationRoomsResponse {
  /** The rooms, in the requested order. */
  readonly rooms: readonly DestinationRoom[];
  /** The position of the next page; absent on the last page. */
  readonly next_token?: string;
  /** The number of rooms. */
  readonly total: number;
}

/** A room that is shared with a destination. */
export interface DestinationRoom {
  /** The room id. */
  readonly room_id: string;
  /** The stream ordering of the last event of the room for the destination. */
  readonly stream_ordering: number;
}

/** An empty response. */
export type ResetConnectionResponse = { readonly [key: string]: unknown };

/** The running background updates. */
export interface GetUpdateStatusResponse {
  /** Whether background updates may run. */
  readonly enabled: boolean;
  /** The running updates, by the name of their database. */
  readonly current_updates: { readonly [key: string]: BackgroundUpdate };
}

/** A running background update. */
export interface BackgroundUpdate {
  /** The name of the update. */
  readonly name: string;
  /** The number of items updated. */
  readonly total_item_count: number;
  /** The time that it has run, in milliseconds. */
  readonly total_duration_ms: number;
  /** The average number of items updated per millisecond. */
  readonly average_items_per_ms: number;
}

/** Whether background updates may run. */
export interface GetUpdatesEnabledResponse {
  /** Whether background updates may run. */
  readonly enabled: boolean;
}

/** The state after the change. */
export interface SetUpdatesEnabledResponse {
  /** Whether background updates may run. */
  readonly enabled: boolean;
}

/** An empty response. */
export type StartJobResponse = { readonly [key: string]: unknown };

/** The version. */
export interface GetServerVersionResponse {
  /** The name and version of the program. */
  readonly server_version: string;
}

/** What a request would do. */
export interface Plan {
  /** Always true: nothing was done. */
  readonly dry_run: boolean;
  /** What would change in the service that carries the request out, by kind; kinds of which nothing would change are left out. */
  readonly changes: readonly Change[];
  /** Some of what the request selects, at most 20. */
  readonly sample: readonly Item[];
  /** What other services would do because of it, by kind. */
  readonly follows: readonly Consequence[];
  /** What cannot be undone, by kind. */
  readonly irreversible: readonly string[];
  /** Identifies what would change. It stays the same while that does. */
  readonly digest: string;
  /** About how long the action would take, in milliseconds. */
  readonly estimated_ms: number;
}

/** Things of a kind that would change. */
export interface Change {
  /** For example `devices`. */
  readonly kind: string;
  /** What would happen to them: `changed`, `created` or `removed`. */
  readonly change: string;
  /** How many they are. */
  readonly count: number;
  /** Whether there may be more of them. */
  readonly at_least: boolean;
}

/** Something that a request selects. */
export interface Item {
  /** For example `account`. */
  readonly kind: string;
  /** Its id. */
  readonly id: string;
  /** Its name; absent if it has none. */
  readonly name?: string;
}

/** What another service would do. */
export interface Consequence {
  /** The service: `user`, `room`, `media` or `moderation`. */
  readonly service: string;
  /** For example `rooms_left`. */
  readonly kind: string;
  /** How often. */
  readonly count: number;
  /** Whether it may happen more often. */
  readonly at_least: boolean;
}
