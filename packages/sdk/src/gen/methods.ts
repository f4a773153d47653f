// Generated from docs/openapi.json; change the contracts in proto/, then run npm run generate.

import type { ByteStream } from '../core/byte-stream.ts';
import type { Listing } from '../core/listing.ts';
import type { CallOptions, RequestBody } from '../core/options.ts';
import type {
  GetNonceResponse,
  RegisterWithSecretResponse,
  LoginIdentifier,
  ListRegistrationTokensResponse,
  RegistrationToken,
  DeleteRegistrationTokenResponse,
  User,
  ThreepidInput,
  ExternalIdInput,
  PutUserResponse,
  ListUsersResponse,
  UserListEntry,
  ListUsersByStateResponse,
  GetUserNamesResponse,
  FoundAccount,
  FindUserByExternalIdResponse,
  FindUserByThreepidResponse,
  DeactivateResponse,
  ResetPasswordResponse,
  GetAdminFlagResponse,
  PutAdminFlagResponse,
  CheckUsernameResponse,
  ListGroupsResponse,
  Group,
  DeleteGroupResponse,
  ListGroupMembersResponse,
  GroupMember,
  AddGroupMemberResponse,
  RemoveGroupMemberResponse,
  PlanGroupResponse,
  GroupChange,
  ListRolesResponse,
  Role,
  DeleteRoleResponse,
  GetAccountRolesResponse,
  SetAccountRolesResponse,
  GetMeResponse,
  PasskeyAssertion,
  CreateAdminSessionResponse,
  AdminSession,
  GetAdminSessionResponse,
  EndAdminSessionResponse,
  StepUpResponse,
  ListOwnAdminSessionsResponse,
  EndOwnAdminSessionResponse,
  ListAccountAdminSessionsResponse,
  EndAccountAdminSessionResponse,
  BeginPasskeyResponse,
  Passkey,
  ListOwnPasskeysResponse,
  RenamePasskeyResponse,
  RemovePasskeyResponse,
  ListAccountPasskeysResponse,
  RemoveAccountPasskeyResponse,
  BeginPasskeySignInResponse,
  BeginPasskeyStepUpResponse,
  TotpStatus,
  BeginTotpResponse,
  ConfirmTotpResponse,
  RenewRecoveryCodesResponse,
  RemoveTotpResponse,
  ResetTotpResponse,
  ListAutomationTokensResponse,
  AutomationToken,
  CreateAutomationTokenResponse,
  RotateAutomationTokenResponse,
  RevokeAutomationTokenResponse,
  ShadowBanResponse,
  LiftShadowBanResponse,
  GetRateLimitResponse,
  SetRateLimitResponse,
  ClearRateLimitResponse,
  SetValidityResponse,
  GetExperimentalFeaturesResponse,
  SetExperimentalFeaturesResponse,
  AllowCrossSigningReplacementResponse,
  GetQuotasResponse,
  SetQuotasResponse,
  ListDevicesResponse,
  Device,
  CreateDeviceResponse,
  DeleteDevicesResponse,
  UpdateDeviceResponse,
  DeleteDeviceResponse,
  LoginAsResponse,
  WhoIsResponse,
  GetSignInProvidersResponse,
  ListRoomsResponse,
  RoomListEntry,
  GetRoomNamesResponse,
  GetRoomResponse,
  ListRoomMembersResponse,
  ListRoomReceiptsResponse,
  RoomReceipt,
  ListRoomStateResponse,
  ListRoomMessagesResponse,
  FindRoomEventByTimeResponse,
  GetRoomEventContextResponse,
  FetchEventResponse,
  GetHierarchyResponse,
  HierarchyRoom,
  GetBlockResponse,
  PutBlockResponse,
  MakeRoomAdminResponse,
  JoinUserResponse,
  ListForwardExtremitiesResponse,
  ForwardExtremity,
  DeleteForwardExtremitiesResponse,
  ListBlockedRoomsResponse,
  BlockedRoom,
  KickUserResponse,
  BanUserResponse,
  UnbanUserResponse,
  InviteUserResponse,
  RedactEventResponse,
  SetStateResponse,
  SendRoomNoticeResponse,
  BanUserFromRoomsResponse,
  UnbanUserFromRoomsResponse,
  GetRoomOrderResponse,
  RoomOrderResult,
  DeleteRoomResponse,
  BeginRoomDeletionResponse,
  ListRoomDeletionsResponse,
  RoomDeletion,
  GetRoomDeletionResponse,
  PurgeHistoryResponse,
  PurgeHistoryUpToEventResponse,
  GetHistoryPurgeResponse,
  RedactUserResponse,
  GetUserRedactionResponse,
  ListUserJoinedRoomsResponse,
  ListUserMembershipsResponse,
  CountSentInvitesResponse,
  CountJoinedRoomsResponse,
  ListPushStatesResponse,
  PushState,
  GetRoomMediaResponse,
  GetOverviewResponse,
  GetHistoryResponse,
  ListLargestRoomsResponse,
  RoomSize,
  ListUserMediaResponse,
  UserMedia,
  DeleteUserMediaResponse,
  QuarantineMediaResponse,
  UnquarantineMediaResponse,
  QuarantineRoomMediaResponse,
  QuarantineUserMediaResponse,
  ProtectMediaResponse,
  UnprotectMediaResponse,
  DeleteMediaResponse,
  DeleteMediaBeforeResponse,
  PurgeMediaCacheResponse,
  MoveMediaResponse,
  ListQuarantineChangesResponse,
  QuarantineChange,
  GetMediaInfoResponse,
  ListMediaHashesResponse,
  MediaHash,
  AddMediaHashesResponse,
  ImportMediaHashesResponse,
  DeleteMediaHashResponse,
  DeleteSourceMediaHashesResponse,
  ListMediaResponse,
  InventoryMedia,
  OrderQuarantineResponse,
  OrderReleaseResponse,
  OrderProtectionResponse,
  OrderEndOfProtectionResponse,
  OrderDeletionResponse,
  ListUsageResponse,
  UserUsage,
  ListUserActivityResponse,
  ActivityEntry,
  Event,
  ListEventReportsResponse,
  EventReport,
  GetEventReportResponse,
  DeleteEventReportResponse,
  ListUserReportsResponse,
  UserReport,
  DeleteUserReportResponse,
  NewReportOrder,
  ResolveReportResponse,
  ListReportsResponse,
  InboxReport,
  ReportCaseSummary,
  GetCaseOverviewsResponse,
  GetCaseExcerptsResponse,
  GetReportResponse,
  ListReportsOfCaseResponse,
  GetReportEvidenceResponse,
  ReportEvidence,
  ReportCase,
  SendServerNoticeResponse,
  PutServerNoticeResponse,
  ListAuditLogResponse,
  AuditEntry,
  VerifyAuditLogResponse,
  AuditCheckpoint,
  ListAuditCheckpointsResponse,
  ListEventsResponse,
  ListWebhooksResponse,
  Webhook,
  CreateWebhookResponse,
  DeleteWebhookResponse,
  RotateWebhookSecretResponse,
  TestWebhookResponse,
  ListWebhookDeliveriesResponse,
  WebhookDelivery,
  ReplayWebhookResponse,
  BulkAction,
  CreateBulkResponse,
  GetBulkResponse,
  BulkResult,
  ListTasksResponse,
  Task,
  ListScheduledTasksResponse,
  ScheduledTask,
  ListDeadLettersResponse,
  DeadLetter,
  ReplayDeadLetterResponse,
  DropDeadLetterResponse,
  GetServerStatusResponse,
  ListAccountDataResponse,
  Pusher,
  ListPushersResponse,
  GetEncryptionResponse,
  ListDestinationsResponse,
  Destination,
  ListDestinationRoomsResponse,
  DestinationRoom,
  ResetConnectionResponse,
  GetUpdateStatusResponse,
  GetUpdatesEnabledResponse,
  SetUpdatesEnabledResponse,
  StartJobResponse,
  GetServerVersionResponse,
  Plan,
} from './schemas.ts';

/** The parameters of `registration.getNonce`. */
export type RegistrationGetNonceParams = Readonly<Record<never, never>>;

/** The parameters of `registration.registerWithSecret`. */
export interface RegistrationRegisterWithSecretParams {
  /** The nonce; consumed by this request, even if the request fails. */
  readonly nonce: string;
  /** The username, at most 512 characters; converted to lower case. */
  readonly username: string;
  /** The password, at most 512 characters. */
  readonly password: string;
  /** The account type: bot, support or a configured one; the default one when unset. */
  readonly user_type?: string | null;
  /** The HMAC-SHA1 over nonce, username, password, role and, if given, user type, in lower-case hexadecimal. A value of the wrong type is treated as null. */
  readonly mac: unknown;
  /** Whether the account is a server administrator. A value of any type is accepted: 0, "", [], {}, null and false are false, all others true. */
  readonly admin?: unknown;
  /** The display name, at most 256 characters; the username when unset, none when empty. */
  readonly displayname?: string | null;
  /** The id of the device to log in; generated when unset. */
  readonly device_id?: string | null;
  /** The display name of the device. */
  readonly initial_device_display_name?: string | null;
  /** Whether to create the account without logging in. A value of any type is accepted: 0, "", [], {}, null and false are false, all others true. */
  readonly inhibit_login?: unknown;
  /** Whether the client supports refresh tokens; if so, and if the server is configured for it, the access token expires and a refresh token is returned. */
  readonly refresh_token?: boolean;
}

/** Creates accounts. */
export interface RegistrationApi {
  /**
   * Returns a nonce for one registration with the shared secret, valid for 60 seconds.
   *
   * No token is needed.
   *
   * Not served when an external service manages the accounts.
   *
   * @throws StewardError: M_LIMIT_EXCEEDED, M_TOO_LARGE, M_UNKNOWN, M_UNRECOGNIZED
   */
  getNonce(params?: RegistrationGetNonceParams, options?: CallOptions): Promise<GetNonceResponse>;

  /**
   * Creates an account with the shared secret: a MAC proves that the caller knows it.
   *
   * No token is needed.
   *
   * Not served when an external service manages the accounts.
   *
   * @throws StewardError: M_BAD_JSON, M_INVALID_PARAM, M_INVALID_USERNAME, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNRECOGNIZED, M_USER_IN_USE
   */
  registerWithSecret(params: RegistrationRegisterWithSecretParams, options?: CallOptions): Promise<RegisterWithSecretResponse>;
}

/** The parameters of `registrationTokens.list`. */
export interface RegistrationTokensListParams {
  /** true: only tokens that can be used; false: only tokens that cannot; all when unset. */
  readonly valid?: boolean;
}

/** The parameters of `registrationTokens.create`. */
export interface RegistrationTokensCreateParams {
  /** The text, 1 to 64 characters; random when unset. */
  readonly token?: string;
  /** The length of a random text, 1 to 64; 16 when unset. */
  readonly length?: number;
  /** The number of registrations that it permits; unlimited when unset. */
  readonly uses_allowed?: number | null;
  /** When it expires, in milliseconds since the Unix epoch and not in the past; never when unset. */
  readonly expiry_time?: number | null;
}

/** The parameters of `registrationTokens.get`. */
export interface RegistrationTokensGetParams {
  /** The text of the token. */
  readonly token: string;
}

/** The parameters of `registrationTokens.update`. */
export interface RegistrationTokensUpdateParams {
  /** The text of the token. */
  readonly token: string;
  /** The number of registrations that it permits; unlimited when null. */
  readonly uses_allowed?: number | null;
  /** When it expires, in milliseconds since the Unix epoch and not in the past; never when null. */
  readonly expiry_time?: number | null;
}

/** The parameters of `registrationTokens.delete`. */
export interface RegistrationTokensDeleteParams {
  /** The text of the token. */
  readonly token: string;
}

/** Administers the tokens that permit registration. */
export interface RegistrationTokensApi {
  /**
   * Lists the registration tokens, optionally only the valid or the invalid ones, in ascending order.
   *
   * For administrators with the scope `registration_tokens:read`.
   *
   * Not served when an external service manages the accounts.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_UNRECOGNIZED, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: RegistrationTokensListParams, options?: CallOptions): Listing<ListRegistrationTokensResponse, RegistrationToken>;

  /**
   * Creates a registration token with a given or a random text.
   *
   * For administrators with the scope `registration_tokens:write`.
   *
   * Not served when an external service manages the accounts.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_UNRECOGNIZED, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  create(params?: RegistrationTokensCreateParams, options?: CallOptions): Promise<RegistrationToken>;

  /**
   * Returns a registration token.
   *
   * For administrators with the scope `registration_tokens:read`.
   *
   * Not served when an external service manages the accounts.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_UNRECOGNIZED, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: RegistrationTokensGetParams, options?: CallOptions): Promise<RegistrationToken>;

  /**
   * Changes the allowed uses and the expiry of a registration token. Absent keys leave their values unchanged.
   *
   * For administrators with the scope `registration_tokens:write`.
   *
   * Not served when an external service manages the accounts.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_UNRECOGNIZED, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  update(params: RegistrationTokensUpdateParams, options?: CallOptions): Promise<RegistrationToken>;

  /**
   * Deletes a registration token.
   *
   * For administrators with the scope `registration_tokens:write`.
   *
   * Not served when an external service manages the accounts.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_UNRECOGNIZED, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  delete(params: RegistrationTokensDeleteParams, options?: CallOptions): Promise<DeleteRegistrationTokenResponse>;
}

/** The parameters of `users.get`. */
export interface UsersGetParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.put`. */
export interface UsersPutParams {
  /** The user id. */
  readonly user_id: string;
  /** Replaces all third-party identifiers of the account. An identifier that another account holds moves to this one. */
  readonly threepids?: readonly ThreepidInput[] | null;
  /** Replaces all ids at external identity providers. */
  readonly external_ids?: readonly ExternalIdInput[] | null;
  /** The account type: bot, support or a configured one; null clears it, or selects the default for a new account. */
  readonly user_type?: string | null;
  /** Whether the account is a server administrator. */
  readonly admin?: boolean;
  /** The password, at most 512 characters. */
  readonly password?: string | null;
  /** Whether setting a password logs the devices out; true when unset. */
  readonly logout_devices?: boolean;
  /** true deactivates the account, false reactivates it. */
  readonly deactivated?: boolean;
  /** true locks the account, false unlocks it. */
  readonly locked?: boolean;
  /** The display name, at most 256 characters; empty removes it. */
  readonly displayname?: string | null;
  /** The avatar's content URI, at most 1000 characters; empty removes it. A value of the wrong type is treated as null. */
  readonly avatar_url?: unknown;
  /** true approves the account, false makes it wait for approval; ignored unless the server requires approval. */
  readonly approved?: boolean;
}

/** The parameters of `users.list`. */
export interface UsersListParams {
  /** The number of matching accounts to skip; 0 when unset. */
  readonly from?: number;
  /** The maximum number of accounts; 100 when unset, at most 10,000. */
  readonly limit?: number;
  /** Only accounts whose id contains this text, ignoring case; ignored when name is given. */
  readonly user_id?: string;
  /** Only accounts whose localpart or display name contains this text, ignoring case as Unicode folds it: ß equals ss, ς equals σ, and the letters I, i, İ and ı are one. */
  readonly name?: string;
  /** Whether guests are included; true when unset. */
  readonly guests?: boolean;
  /** Lists of version 3: true: only deactivated accounts; false: only active ones; both when unset. Of version 2: whether deactivated accounts are included. */
  readonly deactivated?: boolean;
  /** Whether locked accounts are included. */
  readonly locked?: boolean;
  /** true: only administrators; false: only other accounts; both when unset. */
  readonly admins?: boolean;
  /** The sort key; name when unset. Ties ascend by name. */
  readonly order_by?: 'name' | 'is_guest' | 'admin' | 'user_type' | 'deactivated' | 'shadow_banned' | 'displayname' | 'avatar_url' | 'creation_ts' | 'last_seen_ts' | 'locked';
  /** The direction: f for ascending, the default, or b for descending. */
  readonly dir?: 'f' | 'b';
  /** Excludes accounts of these types; none, or the empty string, stands for accounts without a type. */
  readonly not_user_type?: readonly string[];
  /** false: only accounts that await approval; all when true or unset. Without effect unless the server requires approval. */
  readonly approved?: boolean;
  /** Only accounts with this role. */
  readonly role?: string;
  /** true: only erased accounts; false: only other accounts; both when unset. */
  readonly erased?: boolean;
  /** true: only locked accounts; false: only other accounts. Takes precedence over locked. */
  readonly is_locked?: boolean;
  /** true: only guests; false: only other accounts. */
  readonly is_guest?: boolean;
  /** Only accounts of one of these types; none, or the empty string, stands for accounts without a type. */
  readonly user_type?: readonly string[];
  /** Whether the accounts of bridges are left out: those whose localpart matches a pattern of accounts.bridge_patterns. */
  readonly hide_bridges?: boolean;
  /** Only the account that holds this address, as <medium>:<address>, e.g. email:alice@example.org. */
  readonly threepid?: string;
  /** Only accounts with an address that contains this text, ignoring case; ignored when empty. */
  readonly threepid_contains?: string;
  /** Only the account with this id at an identity provider, as <provider>:<id>; the provider ends at the first colon. */
  readonly external_id?: string;
  /** Only accounts created before this time, in milliseconds since the Unix epoch. */
  readonly created_before?: number;
  /** Only accounts created at this time or later, in milliseconds since the Unix epoch. */
  readonly created_after?: number;
  /** Only accounts last active before this time, in milliseconds since the Unix epoch; not those that were never active. */
  readonly last_seen_before?: number;
  /** Only accounts last active at this time or later, in milliseconds since the Unix epoch. */
  readonly last_seen_after?: number;
  /** true: only accounts that were never active; false: only those that were; both when unset. */
  readonly never_seen?: boolean;
  /** true: only suspended accounts; false: only other accounts; both when unset. */
  readonly suspended?: boolean;
  /** true: only shadow-banned accounts; false: only other accounts; both when unset. */
  readonly shadow_banned?: boolean;
  /** Whether the accounts of the page are shown with their third-party identifiers and their ids at identity providers. */
  readonly with_ids?: boolean;
  /** true: only deactivated accounts; false: only active ones. Takes precedence over deactivated. */
  readonly is_deactivated?: boolean;
}

/** The parameters of `users.listByState`. */
export interface UsersListByStateParams {
  /** The number of matching accounts to skip; 0 when unset. */
  readonly from?: number;
  /** The maximum number of accounts; 100 when unset, at most 10,000. */
  readonly limit?: number;
  /** Only accounts whose id contains this text, ignoring case; ignored when name is given. */
  readonly user_id?: string;
  /** Only accounts whose localpart or display name contains this text, ignoring case as Unicode folds it: ß equals ss, ς equals σ, and the letters I, i, İ and ı are one. */
  readonly name?: string;
  /** Whether guests are included; true when unset. */
  readonly guests?: boolean;
  /** Lists of version 3: true: only deactivated accounts; false: only active ones; both when unset. Of version 2: whether deactivated accounts are included. */
  readonly deactivated?: boolean;
  /** Whether locked accounts are included. */
  readonly locked?: boolean;
  /** true: only administrators; false: only other accounts; both when unset. */
  readonly admins?: boolean;
  /** The sort key; name when unset. Ties ascend by name. */
  readonly order_by?: 'name' | 'is_guest' | 'admin' | 'user_type' | 'deactivated' | 'shadow_banned' | 'displayname' | 'avatar_url' | 'creation_ts' | 'last_seen_ts' | 'locked';
  /** The direction: f for ascending, the default, or b for descending. */
  readonly dir?: 'f' | 'b';
  /** Excludes accounts of these types; none, or the empty string, stands for accounts without a type. */
  readonly not_user_type?: readonly string[];
  /** false: only accounts that await approval; all when true or unset. Without effect unless the server requires approval. */
  readonly approved?: boolean;
  /** Only accounts with this role. */
  readonly role?: string;
  /** true: only erased accounts; false: only other accounts; both when unset. */
  readonly erased?: boolean;
  /** true: only locked accounts; false: only other accounts. Takes precedence over locked. */
  readonly is_locked?: boolean;
  /** true: only guests; false: only other accounts. */
  readonly is_guest?: boolean;
  /** Only accounts of one of these types; none, or the empty string, stands for accounts without a type. */
  readonly user_type?: readonly string[];
  /** Whether the accounts of bridges are left out: those whose localpart matches a pattern of accounts.bridge_patterns. */
  readonly hide_bridges?: boolean;
  /** Only the account that holds this address, as <medium>:<address>, e.g. email:alice@example.org. */
  readonly threepid?: string;
  /** Only accounts with an address that contains this text, ignoring case; ignored when empty. */
  readonly threepid_contains?: string;
  /** Only the account with this id at an identity provider, as <provider>:<id>; the provider ends at the first colon. */
  readonly external_id?: string;
  /** Only accounts created before this time, in milliseconds since the Unix epoch. */
  readonly created_before?: number;
  /** Only accounts created at this time or later, in milliseconds since the Unix epoch. */
  readonly created_after?: number;
  /** Only accounts last active before this time, in milliseconds since the Unix epoch; not those that were never active. */
  readonly last_seen_before?: number;
  /** Only accounts last active at this time or later, in milliseconds since the Unix epoch. */
  readonly last_seen_after?: number;
  /** true: only accounts that were never active; false: only those that were; both when unset. */
  readonly never_seen?: boolean;
  /** true: only suspended accounts; false: only other accounts; both when unset. */
  readonly suspended?: boolean;
  /** true: only shadow-banned accounts; false: only other accounts; both when unset. */
  readonly shadow_banned?: boolean;
  /** Whether the accounts of the page are shown with their third-party identifiers and their ids at identity providers. */
  readonly with_ids?: boolean;
}

/** The parameters of `users.getNames`. */
export interface UsersGetNamesParams {
  /** Their user ids, at most 100. */
  readonly user_id?: readonly string[];
}

/** The parameters of `users.searchIds`. */
export interface UsersSearchIdsParams {
  /** The id of a user of this server, who need not exist; otherwise ignored. */
  readonly user_id: string;
  /** The text that the ids of the accounts contain, ignoring case. */
  readonly term: string;
}

/** The parameters of `users.findByExternalId`. */
export interface UsersFindByExternalIdParams {
  /** The id of the identity provider. */
  readonly auth_provider: string;
  /** The id of the user at the provider. */
  readonly external_id: string;
}

/** The parameters of `users.findByThreepid`. */
export interface UsersFindByThreepidParams {
  /** The medium: email or msisdn. */
  readonly medium: string;
  /** The address. */
  readonly address: string;
}

/** The parameters of `users.deactivate`. */
export interface UsersDeactivateParams {
  /** The user id. */
  readonly user_id: string;
  /** Whether to erase the account: its profile is removed, and its messages are hidden from users who join later. */
  readonly erase?: boolean;
}

/** The parameters of `users.resetPassword`. */
export interface UsersResetPasswordParams {
  /** The user id. */
  readonly user_id: string;
  /** The password. */
  readonly new_password: string;
  /** Whether to log all devices out; true when unset. A value of any type is accepted: 0, "", [], {}, null and false are false, all others true. */
  readonly logout_devices?: unknown;
}

/** The parameters of `users.getAdmin`. */
export interface UsersGetAdminParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.setAdmin`. */
export interface UsersSetAdminParams {
  /** The user id. */
  readonly user_id: string;
  /** Whether the account is a server administrator. */
  readonly admin: boolean;
}

/** The parameters of `users.checkUsername`. */
export interface UsersCheckUsernameParams {
  /** The localpart. */
  readonly username: string;
}

/** The parameters of `users.getRoles`. */
export interface UsersGetRolesParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.setRoles`. */
export interface UsersSetRolesParams {
  /** The user id. */
  readonly user_id: string;
  /** The names of the roles, at most 10 besides admin; they replace the current ones. */
  readonly roles: readonly string[];
}

/** The parameters of `users.listSessions`. */
export interface UsersListSessionsParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.endSession`. */
export interface UsersEndSessionParams {
  /** The user id. */
  readonly user_id: string;
  /** The id of the session. */
  readonly session_id: string;
}

/** The parameters of `users.listPasskeys`. */
export interface UsersListPasskeysParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.removePasskey`. */
export interface UsersRemovePasskeyParams {
  /** The user id. */
  readonly user_id: string;
  /** The id of the passkey. */
  readonly passkey_id: string;
}

/** The parameters of `users.getTotp`. */
export interface UsersGetTotpParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.resetTotp`. */
export interface UsersResetTotpParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.shadowBan`. */
export interface UsersShadowBanParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.liftShadowBan`. */
export interface UsersLiftShadowBanParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.suspend`. */
export interface UsersSuspendParams {
  /** The user id. */
  readonly user_id: string;
  /** Whether to suspend the account. */
  readonly suspend: boolean;
}

/** The parameters of `users.getRateLimit`. */
export interface UsersGetRateLimitParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.setRateLimit`. */
export interface UsersSetRateLimitParams {
  /** The user id. */
  readonly user_id: string;
  /** Actions per second in the long run; 0, the default, for no limit. */
  readonly messages_per_second?: number;
  /** The maximum burst of actions; 0 by default. */
  readonly burst_count?: number;
}

/** The parameters of `users.clearRateLimit`. */
export interface UsersClearRateLimitParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.setValidity`. */
export interface UsersSetValidityParams {
  /** The user id. */
  readonly user_id: string;
  /** When the account expires, in milliseconds since the Unix epoch; one validity period from now when unset. */
  readonly expiration_ts?: number | null;
  /** Whether to send renewal reminders. Has no effect: this server sends no e-mail. */
  readonly enable_renewal_emails?: boolean;
}

/** The parameters of `users.getExperimentalFeatures`. */
export interface UsersGetExperimentalFeaturesParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.setExperimentalFeatures`. */
export interface UsersSetExperimentalFeaturesParams {
  /** The user id. */
  readonly user_id: string;
  /** Whether to enable a feature, by name. */
  readonly features: { readonly [key: string]: boolean };
}

/** The parameters of `users.allowCrossSigningReplacement`. */
export interface UsersAllowCrossSigningReplacementParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.getQuotas`. */
export interface UsersGetQuotasParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.setQuotas`. */
export interface UsersSetQuotasParams {
  /** The user id. */
  readonly user_id: string;
  /** The total size of uploads, in bytes. */
  readonly media_bytes?: number | null;
  /** The number of uploads. */
  readonly media_count?: number | null;
  /** The number of versions of the key backup. */
  readonly key_backup_versions?: number | null;
  /** The total size of backed-up room keys, in bytes. */
  readonly key_backup_bytes?: number | null;
  /** The number of room aliases. */
  readonly aliases?: number | null;
  /** The number of devices, besides the dehydrated one. */
  readonly devices?: number | null;
  /** The number of objects of account data. */
  readonly account_data_count?: number | null;
  /** The total size of account data, in bytes. */
  readonly account_data_bytes?: number | null;
  /** The number of filters. */
  readonly filters?: number | null;
  /** The number of pushers. */
  readonly pushers?: number | null;
}

/** The parameters of `users.loginAs`. */
export interface UsersLoginAsParams {
  /** The user id. */
  readonly user_id: string;
  /** When the token expires, in milliseconds since the Unix epoch; never when unset. The server may limit the lifetime; a token that is created with such a token expires with it at the latest. */
  readonly valid_until_ms?: number | null;
}

/** The parameters of `users.whois`. */
export interface UsersWhoisParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.ban`. */
export interface UsersBanParams {
  /** The id of the user. */
  readonly user_id: string;
  /** all: every room; either this or space. */
  readonly rooms?: 'all' | null;
  /** The room id of a space: it, and the rooms in it and in its spaces, at most 10,000. */
  readonly space?: string | null;
  /** The reason, which the event and the audit log contain; at most 1,000 characters. */
  readonly reason?: string | null;
}

/** The parameters of `users.unban`. */
export interface UsersUnbanParams {
  /** The id of the user. */
  readonly user_id: string;
  /** all: every room; either this or space. */
  readonly rooms?: 'all' | null;
  /** The room id of a space: it, and the rooms in it and in its spaces, at most 10,000. */
  readonly space?: string | null;
  /** The reason, which the event and the audit log contain; at most 1,000 characters. */
  readonly reason?: string | null;
}

/** The parameters of `users.redact`. */
export interface UsersRedactParams {
  /** The user id. */
  readonly user_id: string;
  /** The room ids; when empty, all rooms that have events of the user, also those that they have left or are banned from. */
  readonly rooms: readonly string[];
  /** The reason that the redactions carry. */
  readonly reason?: string | null;
  /** The maximum number of events per room, newest first; 1,000 when unset or 0. */
  readonly limit?: number | null;
  /** Whether the administrator, not the user, is the sender of the redactions. Who may not redact an event, and could not when it was sent, is replaced by a local member with power. An automation token cannot be the sender: neither this, nor a user of another server is accepted from it (403 M_FORBIDDEN). */
  readonly use_admin?: boolean | null;
  /** Only events sent before this time, in milliseconds since the Unix epoch. */
  readonly before_ts?: number | null;
  /** Only events sent after this time, in milliseconds since the Unix epoch. */
  readonly after_ts?: number | null;
}

/** The parameters of `users.getRedaction`. */
export interface UsersGetRedactionParams {
  /** The redaction id. */
  readonly redact_id: string;
}

/** The parameters of `users.listJoinedRooms`. */
export interface UsersListJoinedRoomsParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.listMemberships`. */
export interface UsersListMembershipsParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.countSentInvites`. */
export interface UsersCountSentInvitesParams {
  /** The user id. */
  readonly user_id: string;
  /** The start of the period, in milliseconds since the Unix epoch. */
  readonly from_ts: number;
}

/** The parameters of `users.countJoinedRooms`. */
export interface UsersCountJoinedRoomsParams {
  /** The user id. */
  readonly user_id: string;
  /** The start of the period, in milliseconds since the Unix epoch. */
  readonly from_ts: number;
}

/** The parameters of `users.listPushStates`. */
export interface UsersListPushStatesParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.listMedia`. */
export interface UsersListMediaParams {
  /** The user id. */
  readonly user_id: string;
  /** The number of media to skip; 0 when unset. */
  readonly from?: number;
  /** The maximum number of media; 100 when unset, at most 10,000. */
  readonly limit?: number;
  /** The sort key; created_ts when unset. Ties ascend by media_id. */
  readonly order_by?: 'media_id' | 'upload_name' | 'created_ts' | 'last_access_ts' | 'media_length' | 'media_type' | 'quarantined_by' | 'safe_from_quarantine';
  /** The direction: f for ascending or b for descending; b when neither this nor order_by is set, else f when unset. */
  readonly dir?: 'f' | 'b';
}

/** The parameters of `users.deleteMedia`. */
export interface UsersDeleteMediaParams {
  /** The user id. */
  readonly user_id: string;
  /** The number of media to skip; 0 when unset. */
  readonly from?: number;
  /** The maximum number of media to delete; 100 when unset, at most 10,000. */
  readonly limit?: number;
  /** The sort key; created_ts when unset. Ties ascend by media_id. */
  readonly order_by?: 'media_id' | 'upload_name' | 'created_ts' | 'last_access_ts' | 'media_length' | 'media_type' | 'quarantined_by' | 'safe_from_quarantine';
  /** The direction: f for ascending or b for descending; b when neither this nor order_by is set, else f when unset. */
  readonly dir?: 'f' | 'b';
}

/** The parameters of `users.quarantineMedia`. */
export interface UsersQuarantineMediaParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.listActivity`. */
export interface UsersListActivityParams {
  /** The user id. */
  readonly user_id: string;
  /** Only entries of this type: sign_in, address, membership, media, report_made, report_received or change; may be repeated. */
  readonly type?: readonly string[];
  /** The next_token of the previous page; the newest entry when unset. */
  readonly from?: string;
  /** The maximum number of entries; 100 when unset, at most 1,000. */
  readonly limit?: number;
}

/** The parameters of `users.listAccountData`. */
export interface UsersListAccountDataParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.listPushers`. */
export interface UsersListPushersParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `users.getEncryption`. */
export interface UsersGetEncryptionParams {
  /** The user id. */
  readonly user_id: string;
}

/**
 * Inspects, creates, changes, deactivates and finds the accounts of this server.
 *
 * Administers roles. A caller gives, takes and changes only what the caller has: a role whose scopes the caller does not all have is refused with 403 M_FORBIDDEN.
 *
 * Administrator sessions. Their secret is in a cookie that scripts cannot read, that is sent to pages of the same site only, and that only the administrative API accepts.
 *
 * Adds, names and removes passkeys. Users do so in an administrator session with a recent step-up; browsers create and use passkeys at the address of server.public_baseurl, without which there are none. An account has at most 20.
 *
 * Enrols and removes second factors. While an account has one, its access tokens carry no administrative rights, and its administrator sessions begin with a code. A caller manages the factor of their own account with an access token and the password, or with an administrator session and a recent step-up; tokens to act as another user, automation tokens and clients of services are refused with 403 M_FORBIDDEN. After 10 wrong codes of the app, one more can be tried each hour; recovery codes work all the time.
 *
 * Account conditions: shadow-ban, suspension, rate limit, validity, experimental features.
 *
 * Quotas: how much of each kind a user may store. A request that would exceed one is refused with 403 M_RESOURCE_LIMIT_EXCEEDED, whose limit_type is the name of the kind. What a user already has stays, and can always be deleted. Administrators have no quotas, except those set for them here.
 *
 * Sessions and access tokens.
 *
 * Kicks, bans, invites, redacts and sends in rooms that the administrator need not have joined. The event is sent in the name of the local member with the most power who may send it; if there is none, the order is refused with 400 M_UNKNOWN. The event says in `unsigned`, as administrators receive it, who ordered it: `steward.ordered_by`.
 *
 * Redacts the events of a user in many rooms. The work runs as a task, which survives a restart of the process.
 *
 * The memberships and activity of a user, of this server or another, in the rooms of this server. User ids are not validated: an unknown user has no memberships.
 *
 * What the server knows of the push gateways of a user. User ids are not validated: an unknown user has no pushers.
 *
 * Lists, quarantines and deletes media.
 *
 * What one user did, and what concerned the user.
 *
 * Account data: JSON objects by type, global or per room.
 *
 * Pushers of accounts.
 *
 * The state of encryption of accounts. It shows no content and no private key: the server has none.
 */
export interface UsersApi {
  /**
   * Returns the details of an account.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: UsersGetParams, options?: CallOptions): Promise<User>;

  /**
   * Creates an account (201) or changes one (200). Absent keys leave their values unchanged.
   *
   * For administrators with the scope `users:write`. `threepids` requires `users:credentials`. `external_ids` requires `users:credentials`. `admin` requires `access:write`. `password` requires `users:credentials`. `logout_devices` requires `users:credentials`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_INVALID_USERNAME, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_PRECONDITION_FAILED, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  put(params: UsersPutParams, options?: CallOptions): Promise<PutUserResponse>;

  /**
   * Lists the accounts, filtered and sorted, with the exact total.
   *
   * For administrators with the scope `users:read`. `role` requires `access:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: UsersListParams, options?: CallOptions): Listing<ListUsersResponse, UserListEntry>;

  /**
   * Lists the accounts, filtered and sorted, with the exact total; the filter deactivated selects deactivated accounts, active ones or both.
   *
   * For administrators with the scope `users:read`. `role` requires `access:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listByState(params?: UsersListByStateParams, options?: CallOptions): Listing<ListUsersByStateResponse, UserListEntry>;

  /**
   * Returns the names of up to 100 users, so that what names them by id can be shown with a name.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getNames(params?: UsersGetNamesParams, options?: CallOptions): Promise<GetUserNamesResponse>;

  /**
   * Lists the accounts whose id contains a text.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  searchIds(params: UsersSearchIdsParams, options?: CallOptions): Listing<readonly FoundAccount[], FoundAccount>;

  /**
   * Finds the account that has an id at an external identity provider.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  findByExternalId(params: UsersFindByExternalIdParams, options?: CallOptions): Promise<FindUserByExternalIdResponse>;

  /**
   * Finds the account that holds an e-mail address or telephone number.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  findByThreepid(params: UsersFindByThreepidParams, options?: CallOptions): Promise<FindUserByThreepidResponse>;

  /**
   * Deactivates an account and, if requested, erases it. Safe to repeat.
   *
   * For administrators with the scope `users:write`. `erase` requires `users:erase`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  deactivate(params: UsersDeactivateParams, options?: CallOptions): Promise<DeactivateResponse>;

  /**
   * Sets an account's password and, by default, logs its devices out.
   *
   * For administrators with the scope `users:credentials`.
   *
   * Not served when an external service manages the accounts.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_UNRECOGNIZED, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  resetPassword(params: UsersResetPasswordParams, options?: CallOptions): Promise<ResetPasswordResponse>;

  /**
   * Returns whether an account is a server administrator; false for an unknown account.
   *
   * For administrators with the scope `users:read`.
   *
   * Not served when an external service manages the accounts.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_UNRECOGNIZED, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getAdmin(params: UsersGetAdminParams, options?: CallOptions): Promise<GetAdminFlagResponse>;

  /**
   * Grants or revokes server administrator rights. Callers cannot revoke their own, and those of the last active administrator cannot be revoked.
   *
   * For administrators with the scope `access:write`.
   *
   * Not served when an external service manages the accounts.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_UNRECOGNIZED, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  setAdmin(params: UsersSetAdminParams, options?: CallOptions): Promise<PutAdminFlagResponse>;

  /**
   * Checks whether a username is available for a new account; refuses with the reason when it is not.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_INVALID_USERNAME, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_IN_USE, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  checkUsername(params: UsersCheckUsernameParams, options?: CallOptions): Promise<CheckUsernameResponse>;

  /**
   * Returns the roles and scopes of an account.
   *
   * For administrators with the scope `access:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getRoles(params: UsersGetRolesParams, options?: CallOptions): Promise<GetAccountRolesResponse>;

  /**
   * Replaces the roles of an account, with effect on its next request. The role admin makes it a server administrator.
   *
   * For administrators with the scope `access:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  setRoles(params: UsersSetRolesParams, options?: CallOptions): Promise<SetAccountRolesResponse>;

  /**
   * Lists the administrator sessions of an account, the latest first.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listSessions(params: UsersListSessionsParams, options?: CallOptions): Listing<ListAccountAdminSessionsResponse, AdminSession>;

  /**
   * Ends an administrator session of an account. The caller needs all scopes of the account.
   *
   * For administrators with the scope `users:credentials`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  endSession(params: UsersEndSessionParams, options?: CallOptions): Promise<EndAccountAdminSessionResponse>;

  /**
   * Lists the passkeys of an account, the oldest first.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listPasskeys(params: UsersListPasskeysParams, options?: CallOptions): Listing<ListAccountPasskeysResponse, Passkey>;

  /**
   * Removes a passkey of another account, whose user has lost it. The caller must have all scopes of the account.
   *
   * For administrators with the scope `users:credentials`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  removePasskey(params: UsersRemovePasskeyParams, options?: CallOptions): Promise<RemoveAccountPasskeyResponse>;

  /**
   * Tells whether an account has a second factor.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getTotp(params: UsersGetTotpParams, options?: CallOptions): Promise<TotpStatus>;

  /**
   * Removes the second factor of another account, whose user has lost it. The caller must have all scopes of the account.
   *
   * For administrators with the scope `users:credentials`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  resetTotp(params: UsersResetTotpParams, options?: CallOptions): Promise<ResetTotpResponse>;

  /**
   * Shadow-bans an account: its events are not delivered to other users, and the account cannot tell.
   *
   * For administrators with the scope `users:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  shadowBan(params: UsersShadowBanParams, options?: CallOptions): Promise<ShadowBanResponse>;

  /**
   * Lifts a shadow-ban.
   *
   * For administrators with the scope `users:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  liftShadowBan(params: UsersLiftShadowBanParams, options?: CallOptions): Promise<LiftShadowBanResponse>;

  /**
   * Suspends an account, which may then only read and leave rooms, or lifts the suspension.
   *
   * For administrators with the scope `users:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  suspend(params: UsersSuspendParams, options?: CallOptions): Promise<{ readonly [key: string]: boolean }>;

  /**
   * Returns the rate limit that overrides the server's for an account.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getRateLimit(params: UsersGetRateLimitParams, options?: CallOptions): Promise<GetRateLimitResponse>;

  /**
   * Sets a rate limit that overrides the server's for an account.
   *
   * For administrators with the scope `users:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  setRateLimit(params: UsersSetRateLimitParams, options?: CallOptions): Promise<SetRateLimitResponse>;

  /**
   * Removes the rate limit override of an account.
   *
   * For administrators with the scope `users:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  clearRateLimit(params: UsersClearRateLimitParams, options?: CallOptions): Promise<ClearRateLimitResponse>;

  /**
   * Sets when an account expires.
   *
   * For administrators with the scope `users:write`.
   *
   * Not served when an external service manages the accounts.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_UNRECOGNIZED, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  setValidity(params: UsersSetValidityParams, options?: CallOptions): Promise<SetValidityResponse>;

  /**
   * Lists the experimental features and whether they are enabled for an account.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getExperimentalFeatures(params: UsersGetExperimentalFeaturesParams, options?: CallOptions): Promise<GetExperimentalFeaturesResponse>;

  /**
   * Enables or disables experimental features for an account. Features not named stay unchanged.
   *
   * For administrators with the scope `users:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  setExperimentalFeatures(params: UsersSetExperimentalFeaturesParams, options?: CallOptions): Promise<SetExperimentalFeaturesResponse>;

  /**
   * Allows a user to replace their cross-signing keys for a limited time without user-interactive authentication.
   *
   * For administrators with the scope `users:credentials`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  allowCrossSigningReplacement(params: UsersAllowCrossSigningReplacementParams, options?: CallOptions): Promise<AllowCrossSigningReplacementResponse>;

  /**
   * Returns the use and the quota of each kind.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getQuotas(params: UsersGetQuotasParams, options?: CallOptions): Promise<GetQuotasResponse>;

  /**
   * Gives a user quotas of their own, or the server's again. Kinds that the body does not name stay unchanged.
   *
   * For administrators with the scope `users:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  setQuotas(params: UsersSetQuotasParams, options?: CallOptions): Promise<SetQuotasResponse>;

  /**
   * Creates a token with which an administrator acts as a user. The token has no device. It ends with the administrator's own sessions, and for good when the administrator is demoted, locked, suspended or deactivated. An automation token acts as no user and is refused with 403 M_FORBIDDEN.
   *
   * For administrators with the scope `users:impersonate`.
   *
   * Not served when an external service manages the accounts.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_UNRECOGNIZED, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  loginAs(params: UsersLoginAsParams, options?: CallOptions): Promise<LoginAsResponse>;

  /**
   * Lists the addresses from which an account was recently used.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  whois(params: UsersWhoisParams, options?: CallOptions): Promise<WhoIsResponse>;

  /**
   * Starts to ban a user from all rooms in which a local member may do it, or from a space and the rooms in it. A room that is created later is not among them.
   *
   * For administrators with the scope `rooms:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  ban(params: UsersBanParams, options?: CallOptions): Promise<BanUserFromRoomsResponse>;

  /**
   * Starts to lift the bans of a user from all rooms, or from a space and the rooms in it, where a local member may do it.
   *
   * For administrators with the scope `rooms:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  unban(params: UsersUnbanParams, options?: CallOptions): Promise<UnbanUserFromRoomsResponse>;

  /**
   * Starts to redact the events of a user.
   *
   * For administrators with the scope `rooms:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  redact(params: UsersRedactParams, options?: CallOptions): Promise<RedactUserResponse>;

  /**
   * Returns the progress of a redaction, until one day after its end.
   *
   * For administrators with the scope `rooms:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getRedaction(params: UsersGetRedactionParams, options?: CallOptions): Promise<GetUserRedactionResponse>;

  /**
   * Lists the rooms that a user has joined.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listJoinedRooms(params: UsersListJoinedRoomsParams, options?: CallOptions): Listing<ListUserJoinedRoomsResponse, string>;

  /**
   * Lists the memberships of a user in all rooms in which the user ever had one.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listMemberships(params: UsersListMembershipsParams, options?: CallOptions): Promise<ListUserMembershipsResponse>;

  /**
   * Counts the invitations that a user has sent since a time.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  countSentInvites(params: UsersCountSentInvitesParams, options?: CallOptions): Promise<CountSentInvitesResponse>;

  /**
   * Counts the rooms that a user has joined since a time, including rooms that the user has left again.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  countJoinedRooms(params: UsersCountJoinedRoomsParams, options?: CallOptions): Promise<CountJoinedRoomsResponse>;

  /**
   * Lists how pushes to the pushers of a user go. A pusher is in the list some seconds after it was set.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listPushStates(params: UsersListPushStatesParams, options?: CallOptions): Listing<ListPushStatesResponse, PushState>;

  /**
   * Lists the media that a user uploaded, one page at a time, with the exact total.
   *
   * For administrators with the scope `media:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listMedia(params: UsersListMediaParams, options?: CallOptions): Listing<ListUserMediaResponse, UserMedia>;

  /**
   * Deletes the media that the list of a user's media returns for the same parameters.
   *
   * For administrators with the scope `media:delete`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  deleteMedia(params: UsersDeleteMediaParams, options?: CallOptions): Promise<DeleteUserMediaResponse>;

  /**
   * Quarantines all media that a user uploaded, and all with the same bytes, except protected media.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  quarantineMedia(params: UsersQuarantineMediaParams, options?: CallOptions): Promise<QuarantineUserMediaResponse>;

  /**
   * Lists what a user did and what concerned the user, in one timeline, newest first: sign-ins, addresses, memberships, uploads, reports by and about the user, and administrative changes. Types for which the caller lacks a scope are left out and named in omitted: membership requires rooms:read, media media:read, report_made and report_received reports:read; change requires events:read, and shows the changes to whose types another scope of the caller belongs. User ids are not validated: an unknown user has no activity.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listActivity(params: UsersListActivityParams, options?: CallOptions): Listing<ListUserActivityResponse, ActivityEntry>;

  /**
   * Lists all account data of an account.
   *
   * For administrators with the scope `rooms:content`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listAccountData(params: UsersListAccountDataParams, options?: CallOptions): Promise<ListAccountDataResponse>;

  /**
   * Lists the pushers of an account.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listPushers(params: UsersListPushersParams, options?: CallOptions): Listing<ListPushersResponse, Pusher>;

  /**
   * Returns which devices of an account are verified, how many messages wait for them, and its key backup.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getEncryption(params: UsersGetEncryptionParams, options?: CallOptions): Promise<GetEncryptionResponse>;
}

/** The parameters of `groups.list`. */
export interface GroupsListParams {
  /** Where the page begins: next_token of the page before. */
  readonly from?: string;
  /** The most groups on a page: 100 when unset, at most 1,000. */
  readonly limit?: number;
  /** A text that the name contains, in any case. */
  readonly search?: string;
  /** The name, in any case. */
  readonly name?: string;
  /** The id at the directory. */
  readonly external_id?: string;
  /** The order: by name, the default, or by the time of creation. */
  readonly order_by?: 'name' | 'created_ts';
  /** f for ascending, the default, or b for descending. */
  readonly dir?: 'f' | 'b';
}

/** The parameters of `groups.create`. */
export interface GroupsCreateParams {
  /** The name: 1 to 256 characters without control characters. */
  readonly name: string;
  /** What it is for, at most 1,024 characters. */
  readonly description?: string;
  /** The id at the directory that keeps it, at most 512 characters. */
  readonly external_id?: string | null;
  /** The names of the roles of its members, at most 10. */
  readonly roles?: readonly string[] | null;
  /** Whether what it says is kept in force; false when unset. */
  readonly enforced?: boolean;
  /** restore, the default, or keep: see the group. */
  readonly hand_edits?: 'restore' | 'keep';
}

/** The parameters of `groups.get`. */
export interface GroupsGetParams {
  /** The id. */
  readonly id: string;
}

/** The parameters of `groups.update`. */
export interface GroupsUpdateParams {
  /** The id. */
  readonly id: string;
  /** The name: 1 to 256 characters without control characters. */
  readonly name?: string;
  /** What it is for, at most 1,024 characters. */
  readonly description?: string;
  /** The id at the directory that keeps it, at most 512 characters; empty for none. */
  readonly external_id?: string;
  /** The names of the roles of its members, at most 10, which replace the current ones. */
  readonly roles?: readonly string[];
  /** Whether what it says is kept in force. */
  readonly enforced?: boolean;
  /** restore or keep: see the group. */
  readonly hand_edits?: 'restore' | 'keep';
}

/** The parameters of `groups.delete`. */
export interface GroupsDeleteParams {
  /** The id. */
  readonly id: string;
}

/** The parameters of `groups.listMembers`. */
export interface GroupsListMembersParams {
  /** The id of the group. */
  readonly id: string;
  /** Where the page begins: next_token of the page before. */
  readonly from?: string;
  /** The most members on a page: 100 when unset, at most 1,000. */
  readonly limit?: number;
}

/** The parameters of `groups.addMember`. */
export interface GroupsAddMemberParams {
  /** The id of the group. */
  readonly id: string;
  /** The user id. */
  readonly user_id: string;
  /** Who says so: hand, the default, for an administrator, or scim for a directory. */
  readonly by?: 'hand' | 'scim';
}

/** The parameters of `groups.removeMember`. */
export interface GroupsRemoveMemberParams {
  /** The id of the group. */
  readonly id: string;
  /** The user id. */
  readonly user_id: string;
  /** Only what hand, for an administrator, or scim, for a directory, says: who is a member in another way stays. All when unset. */
  readonly by?: 'hand' | 'scim';
}

/** The parameters of `groups.plan`. */
export interface GroupsPlanParams {
  /** The id of the group. */
  readonly id: string;
  /** Where the page begins: next_token of the page before. */
  readonly from?: string;
  /** The most members that are looked at: 100 when unset, at most 1,000. */
  readonly limit?: number;
}

/** Administers groups. A caller gives a group only roles whose scopes the caller has, and changes and deletes only groups, and adds and removes members only of groups, of whose roles the caller has all scopes: any other is refused with 403 M_FORBIDDEN. */
export interface GroupsApi {
  /**
   * Lists the groups, one page at a time.
   *
   * For administrators with the scope `access:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: GroupsListParams, options?: CallOptions): Listing<ListGroupsResponse, Group>;

  /**
   * Creates a group without members.
   *
   * For administrators with the scope `access:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  create(params: GroupsCreateParams, options?: CallOptions): Promise<Group>;

  /**
   * Returns a group.
   *
   * For administrators with the scope `access:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: GroupsGetParams, options?: CallOptions): Promise<Group>;

  /**
   * Changes those fields of a group that the body contains. What follows for its members is done by a task, which begins at once.
   *
   * For administrators with the scope `access:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  update(params: GroupsUpdateParams, options?: CallOptions): Promise<Group>;

  /**
   * Deletes a group. A task takes from its members what they have by it.
   *
   * For administrators with the scope `access:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  delete(params: GroupsDeleteParams, options?: CallOptions): Promise<DeleteGroupResponse>;

  /**
   * Lists the members of a group in ascending order of their user ids, one page at a time.
   *
   * For administrators with the scope `access:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listMembers(params: GroupsListMembersParams, options?: CallOptions): Listing<ListGroupMembersResponse, GroupMember>;

  /**
   * Says that an account is in a group, with what follows at once.
   *
   * For administrators with the scope `access:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  addMember(params: GroupsAddMemberParams, options?: CallOptions): Promise<AddGroupMemberResponse>;

  /**
   * Takes an account out of a group, with all that say it is in it unless by is set, and what follows at once.
   *
   * For administrators with the scope `access:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  removeMember(params: GroupsRemoveMemberParams, options?: CallOptions): Promise<RemoveGroupMemberResponse>;

  /**
   * Lists what would change for the members of a group if it were enforced now, one page of its members at a time.
   *
   * For administrators with the scope `access:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  plan(params: GroupsPlanParams, options?: CallOptions): Listing<PlanGroupResponse, GroupChange>;
}

/** The parameters of `roles.list`. */
export type RolesListParams = Readonly<Record<never, never>>;

/** The parameters of `roles.create`. */
export interface RolesCreateParams {
  /** The name: 1 to 64 lower-case letters, digits, dots, underscores and dashes, of which the first is a letter or digit. */
  readonly name: string;
  /** What it is for, at most 256 characters. */
  readonly description?: string;
  /** The scopes that it contains. */
  readonly scopes: readonly string[];
}

/** The parameters of `roles.get`. */
export interface RolesGetParams {
  /** The name. */
  readonly name: string;
}

/** The parameters of `roles.update`. */
export interface RolesUpdateParams {
  /** The name. */
  readonly name: string;
  /** What it is for, at most 256 characters. */
  readonly description?: string;
  /** The scopes that it contains, which replace the current ones. */
  readonly scopes?: readonly string[];
}

/** The parameters of `roles.delete`. */
export interface RolesDeleteParams {
  /** The name. */
  readonly name: string;
}

/** Administers roles. A caller gives, takes and changes only what the caller has: a role whose scopes the caller does not all have is refused with 403 M_FORBIDDEN. */
export interface RolesApi {
  /**
   * Lists the built-in roles, then the others in ascending order of their names.
   *
   * For administrators with the scope `access:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: RolesListParams, options?: CallOptions): Listing<ListRolesResponse, Role>;

  /**
   * Creates a role.
   *
   * For administrators with the scope `access:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  create(params: RolesCreateParams, options?: CallOptions): Promise<Role>;

  /**
   * Returns a role.
   *
   * For administrators with the scope `access:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: RolesGetParams, options?: CallOptions): Promise<Role>;

  /**
   * Changes a role, with effect on the next request of each account and automation token that has it. Absent keys leave their values unchanged. Built-in roles cannot be changed.
   *
   * For administrators with the scope `access:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  update(params: RolesUpdateParams, options?: CallOptions): Promise<Role>;

  /**
   * Deletes a role that no account and no automation token has, and no group gives. Built-in roles cannot be deleted.
   *
   * For administrators with the scope `access:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  delete(params: RolesDeleteParams, options?: CallOptions): Promise<DeleteRoleResponse>;
}

/** The parameters of `me.get`. */
export type MeGetParams = Readonly<Record<never, never>>;

/** Administers roles. A caller gives, takes and changes only what the caller has: a role whose scopes the caller does not all have is refused with 403 M_FORBIDDEN. */
export interface MeApi {
  /**
   * Returns the caller's roles and scopes, and how the caller is authenticated.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT
   */
  get(params?: MeGetParams, options?: CallOptions): Promise<GetMeResponse>;
}

/** The parameters of `sessions.create`. */
export interface SessionsCreateParams {
  /** Localpart or user id. */
  readonly user?: string | null;
  /** The account in the form of a login; user takes precedence. */
  readonly identifier?: LoginIdentifier | null;
  /** The password, at most 512 characters. */
  readonly password?: string | null;
  /** A code of the second factor, if the account has one. */
  readonly totp?: string | null;
  /** A recovery code in its place; ignored together with totp. */
  readonly recovery_code?: string | null;
  /** The login token with which an identity provider's answer led to the console, in place of a password; it counts once, for two minutes, and in the browser only that signed in. */
  readonly login_token?: string | null;
  /** A passkey of the account: with a password or a login token its second factor, and alone a sign-in without one, where the browser has verified the user. See session/passkey. */
  readonly passkey?: PasskeyAssertion | null;
}

/** The parameters of `sessions.get`. */
export type SessionsGetParams = Readonly<Record<never, never>>;

/** The parameters of `sessions.end`. */
export type SessionsEndParams = Readonly<Record<never, never>>;

/** The parameters of `sessions.stepUp`. */
export interface SessionsStepUpParams {
  /** The password of the account, at most 512 characters. */
  readonly password?: string | null;
  /** A code of the second factor, if the account has one. */
  readonly totp?: string | null;
  /** A recovery code in its place; ignored together with totp. */
  readonly recovery_code?: string | null;
  /** The login token with which an identity provider's answer led to the console, in place of a password; it counts once, for two minutes, and in the browser only that signed in. */
  readonly login_token?: string | null;
  /** A passkey of the account: the second factor, and alone the whole proof, where the browser has verified the user. See session/passkey. */
  readonly passkey?: PasskeyAssertion | null;
}

/** The parameters of `sessions.listOwn`. */
export type SessionsListOwnParams = Readonly<Record<never, never>>;

/** The parameters of `sessions.endOwn`. */
export interface SessionsEndOwnParams {
  /** The id of the session. */
  readonly session_id: string;
}

/** Administrator sessions. Their secret is in a cookie that scripts cannot read, that is sent to pages of the same site only, and that only the administrative API accepts. */
export interface SessionsApi {
  /**
   * Starts a session of an account that has a scope, and sets its cookie. The account is proved by its password and, if it has one, its second factor, or by an access token of one of its devices in the Authorization header. A login token of an identity provider takes the place of the password. A missing code is answered with 401 STEWARD_STEP_UP_REQUIRED. Limits and refusals are those of a login. A session that was started with a password counts as proved, see step_up.
   *
   * No token is needed; if one is sent, it must be valid.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_RESOURCE_LIMIT_EXCEEDED, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG.MATRIX.MSC3866_USER_AWAITING_APPROVAL, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_STEP_UP_REQUIRED
   */
  create(params?: SessionsCreateParams, options?: CallOptions): Promise<CreateAdminSessionResponse>;

  /**
   * Returns the session of the request.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT
   */
  get(params?: SessionsGetParams, options?: CallOptions): Promise<GetAdminSessionResponse>;

  /**
   * Ends the session of the request, and clears its cookie.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT
   */
  end(params?: SessionsEndParams, options?: CallOptions): Promise<EndAdminSessionResponse>;

  /**
   * Proves again who uses the session, by the password and, if the account has one, the second factor. Calls with a scope of sessions.step_up_scopes require a proof that is at most sessions.step_up_ms old; without one they are refused with 401 STEWARD_STEP_UP_REQUIRED, and can be repeated after this.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_STEP_UP_REQUIRED
   */
  stepUp(params?: SessionsStepUpParams, options?: CallOptions): Promise<StepUpResponse>;

  /**
   * Lists the sessions of the caller's account, the latest first.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT
   */
  listOwn(params?: SessionsListOwnParams, options?: CallOptions): Listing<ListOwnAdminSessionsResponse, AdminSession>;

  /**
   * Ends a session of the caller's account.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT
   */
  endOwn(params: SessionsEndOwnParams, options?: CallOptions): Promise<EndOwnAdminSessionResponse>;
}

/** The parameters of `passkeys.begin`. */
export type PasskeysBeginParams = Readonly<Record<never, never>>;

/** The parameters of `passkeys.add`. */
export interface PasskeysAddParams {
  /** A name for people. */
  readonly name: string;
  /** The id of the credential. */
  readonly id: string;
  /** clientDataJSON. */
  readonly client_data: string;
  /** attestationObject, without an attestation. */
  readonly attestation: string;
}

/** The parameters of `passkeys.list`. */
export type PasskeysListParams = Readonly<Record<never, never>>;

/** The parameters of `passkeys.rename`. */
export interface PasskeysRenameParams {
  /** The id of the passkey. */
  readonly passkey_id: string;
  /** A name for people. */
  readonly name: string;
}

/** The parameters of `passkeys.remove`. */
export interface PasskeysRemoveParams {
  /** The id of the passkey. */
  readonly passkey_id: string;
}

/** The parameters of `passkeys.beginSignIn`. */
export type PasskeysBeginSignInParams = Readonly<Record<never, never>>;

/** The parameters of `passkeys.beginStepUp`. */
export type PasskeysBeginStepUpParams = Readonly<Record<never, never>>;

/** Adds, names and removes passkeys. Users do so in an administrator session with a recent step-up; browsers create and use passkeys at the address of server.public_baseurl, without which there are none. An account has at most 20. */
export interface PasskeysApi {
  /**
   * Begins to add a passkey to the caller's account: answers what navigator.credentials.create needs. The challenge works once, in this session, for five minutes.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_STEP_UP_REQUIRED
   */
  begin(params?: PasskeysBeginParams, options?: CallOptions): Promise<BeginPasskeyResponse>;

  /**
   * Adds the passkey that the browser has created. From then on access tokens of the account, earlier ones included, carry no administrative rights.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_STEP_UP_REQUIRED
   */
  add(params: PasskeysAddParams, options?: CallOptions): Promise<Passkey>;

  /**
   * Lists the passkeys of the caller's account, the oldest first.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT
   */
  list(params?: PasskeysListParams, options?: CallOptions): Listing<ListOwnPasskeysResponse, Passkey>;

  /**
   * Gives a passkey of the caller's account another name.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_STEP_UP_REQUIRED
   */
  rename(params: PasskeysRenameParams, options?: CallOptions): Promise<RenamePasskeyResponse>;

  /**
   * Removes a passkey of the caller's account. A session that began with it carries rights only as far as the account needs no second factor any more.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_STEP_UP_REQUIRED
   */
  remove(params: PasskeysRemoveParams, options?: CallOptions): Promise<RemovePasskeyResponse>;

  /**
   * Answers a challenge for a sign-in with a passkey, for navigator.credentials.get. It works once, for five minutes.
   *
   * No token is needed.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_LIMIT_EXCEEDED, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN
   */
  beginSignIn(params?: PasskeysBeginSignInParams, options?: CallOptions): Promise<BeginPasskeySignInResponse>;

  /**
   * Answers a challenge for a step-up with a passkey. It works once, in this session, for five minutes.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT
   */
  beginStepUp(params?: PasskeysBeginStepUpParams, options?: CallOptions): Promise<BeginPasskeyStepUpResponse>;
}

/** The parameters of `secondFactor.getTotp`. */
export type SecondFactorGetTotpParams = Readonly<Record<never, never>>;

/** The parameters of `secondFactor.beginTotp`. */
export interface SecondFactorBeginTotpParams {
  /** The password of the account; required with an access token. */
  readonly password?: string;
}

/** The parameters of `secondFactor.removeTotp`. */
export interface SecondFactorRemoveTotpParams {
  /** The password of the account; required with an access token. */
  readonly password?: string;
  /** A code of the app. */
  readonly totp?: string;
  /** A recovery code. */
  readonly recovery_code?: string;
}

/** The parameters of `secondFactor.confirmTotp`. */
export interface SecondFactorConfirmTotpParams {
  /** The code that the app shows: six digits. */
  readonly totp: string;
}

/** The parameters of `secondFactor.renewRecoveryCodes`. */
export interface SecondFactorRenewRecoveryCodesParams {
  /** The password of the account; required with an access token. */
  readonly password?: string;
  /** A code of the app. */
  readonly totp?: string;
  /** A recovery code. */
  readonly recovery_code?: string;
}

/** Enrols and removes second factors. While an account has one, its access tokens carry no administrative rights, and its administrator sessions begin with a code. A caller manages the factor of their own account with an access token and the password, or with an administrator session and a recent step-up; tokens to act as another user, automation tokens and clients of services are refused with 403 M_FORBIDDEN. After 10 wrong codes of the app, one more can be tried each hour; recovery codes work all the time. */
export interface SecondFactorApi {
  /**
   * Tells whether the caller's account has a second factor, and the time of the server, for an app whose codes are refused.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT
   */
  getTotp(params?: SecondFactorGetTotpParams, options?: CallOptions): Promise<TotpStatus>;

  /**
   * Begins the enrolment of a second factor for the caller's account, which must have a scope, and answers its secret. An enrolment that began earlier is replaced. Nothing requires the factor before the enrolment is confirmed, within 10 minutes.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_STEP_UP_REQUIRED
   */
  beginTotp(params?: SecondFactorBeginTotpParams, options?: CallOptions): Promise<BeginTotpResponse>;

  /**
   * Removes the second factor of the caller's account. Its access tokens have the rights of the account again.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_STEP_UP_REQUIRED
   */
  removeTotp(params?: SecondFactorRemoveTotpParams, options?: CallOptions): Promise<RemoveTotpResponse>;

  /**
   * Completes the enrolment with a code of the app, and answers the recovery codes, which are shown once. From then on access tokens of the account, earlier ones included, carry no administrative rights.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT
   */
  confirmTotp(params: SecondFactorConfirmTotpParams, options?: CallOptions): Promise<ConfirmTotpResponse>;

  /**
   * Replaces the recovery codes, and answers the new ones, which are shown once.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_STEP_UP_REQUIRED
   */
  renewRecoveryCodes(params?: SecondFactorRenewRecoveryCodesParams, options?: CallOptions): Promise<RenewRecoveryCodesResponse>;
}

/** The parameters of `tokens.list`. */
export interface TokensListParams {
  /** The next_token of the previous page; the newest token when unset. */
  readonly from?: string;
  /** The maximum number of tokens; 100 when unset, at most 1,000. */
  readonly limit?: number;
}

/** The parameters of `tokens.create`. */
export interface TokensCreateParams {
  /** What it is for: 1 to 128 characters, none of them a control character. Several tokens may have the same name. */
  readonly name: string;
  /** Its scopes, at least one. The caller has all of them. Required unless there is a role. */
  readonly scopes?: readonly string[] | null;
  /** The role whose scopes it has at any time, as far as the caller has them now. Only a caller with all scopes gives admin. Required unless there are scopes. */
  readonly role?: string | null;
  /** After how many milliseconds it expires: at least 1, at most 315,360,000,000 (ten years); never when unset. A token that is made with another automation token expires no later than that one. */
  readonly expires_in_ms?: number | null;
  /** IP addresses, and ranges in CIDR notation, from which it is accepted, at most 50; all when empty. A token that is made with another one with such a list gets the same list, and the request has none. */
  readonly allowed_addresses?: readonly string[] | null;
}

/** The parameters of `tokens.get`. */
export interface TokensGetParams {
  /** The id. */
  readonly id: string;
}

/** The parameters of `tokens.revoke`. */
export interface TokensRevokeParams {
  /** The id. */
  readonly id: string;
}

/** The parameters of `tokens.rotate`. */
export interface TokensRotateParams {
  /** The id. */
  readonly id: string;
  /** How long the current secret continues to work, in milliseconds; 0 when unset, at most 2,592,000,000 (30 days). */
  readonly overlap_ms?: number | null;
}

/** Administers automation tokens. A caller makes, rotates and revokes only tokens whose scopes the caller has: any other is refused with 403 M_FORBIDDEN. */
export interface TokensApi {
  /**
   * Lists the automation tokens, one page at a time, newest first. Secrets are not shown.
   *
   * For administrators with the scope `access:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: TokensListParams, options?: CallOptions): Listing<ListAutomationTokensResponse, AutomationToken>;

  /**
   * Creates an automation token with scopes, or with a role. Its secret is in the answer and cannot be read again. It never gives more than its maker has at this moment, and outlives the maker's account.
   *
   * For administrators with the scope `access:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  create(params: TokensCreateParams, options?: CallOptions): Promise<CreateAutomationTokenResponse>;

  /**
   * Returns an automation token, without its secret.
   *
   * For administrators with the scope `access:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: TokensGetParams, options?: CallOptions): Promise<AutomationToken>;

  /**
   * Revokes an automation token with all its secrets, with effect on the next request everywhere.
   *
   * For administrators with the scope `access:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  revoke(params: TokensRevokeParams, options?: CallOptions): Promise<RevokeAutomationTokenResponse>;

  /**
   * Gives an automation token a new secret, which is in the answer and cannot be read again. The previous secret works for the rest of the overlap; an older one ends at once.
   *
   * For administrators with the scope `access:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  rotate(params: TokensRotateParams, options?: CallOptions): Promise<RotateAutomationTokenResponse>;
}

/** The parameters of `devices.list`. */
export interface DevicesListParams {
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `devices.create`. */
export interface DevicesCreateParams {
  /** The user id. */
  readonly user_id: string;
  /** The device id; not empty. */
  readonly device_id: string;
}

/** The parameters of `devices.deleteMany`. */
export interface DevicesDeleteManyParams {
  /** The user id. */
  readonly user_id: string;
  /** The device ids. */
  readonly devices: readonly string[];
}

/** The parameters of `devices.get`. */
export interface DevicesGetParams {
  /** The user id. */
  readonly user_id: string;
  /** The device id. */
  readonly device_id: string;
}

/** The parameters of `devices.update`. */
export interface DevicesUpdateParams {
  /** The user id. */
  readonly user_id: string;
  /** The device id. */
  readonly device_id: string;
  /** The display name, at most 100 characters; unset changes nothing. */
  readonly display_name?: string | null;
}

/** The parameters of `devices.delete`. */
export interface DevicesDeleteParams {
  /** The user id. */
  readonly user_id: string;
  /** The device id. */
  readonly device_id: string;
}

/** Lists, renames, creates and deletes the devices of accounts, with their tokens. */
export interface DevicesApi {
  /**
   * Lists the devices of an account, ascending by device id.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params: DevicesListParams, options?: CallOptions): Listing<ListDevicesResponse, Device>;

  /**
   * Creates a device without a token; succeeds without a change if it exists.
   *
   * For administrators with the scope `users:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  create(params: DevicesCreateParams, options?: CallOptions): Promise<CreateDeviceResponse>;

  /**
   * Deletes several devices and their tokens; ignores unknown devices.
   *
   * For administrators with the scope `users:credentials`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  deleteMany(params: DevicesDeleteManyParams, options?: CallOptions): Promise<DeleteDevicesResponse>;

  /**
   * Returns a device.
   *
   * For administrators with the scope `users:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: DevicesGetParams, options?: CallOptions): Promise<Device>;

  /**
   * Sets the display name of a device; without a name it changes nothing.
   *
   * For administrators with the scope `users:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  update(params: DevicesUpdateParams, options?: CallOptions): Promise<UpdateDeviceResponse>;

  /**
   * Deletes a device and its tokens; succeeds if the device does not exist.
   *
   * For administrators with the scope `users:credentials`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  delete(params: DevicesDeleteParams, options?: CallOptions): Promise<DeleteDeviceResponse>;
}

/** The parameters of `providerSignIns.getSignInProviders`. */
export type ProviderSignInsGetSignInProvidersParams = Readonly<Record<never, never>>;

/** The parameters of `providerSignIns.startConsoleSignIn`. */
export interface ProviderSignInsStartConsoleSignInParams {
  /** The id of the identity provider. */
  readonly idp: string;
  /** Whether the provider lets the user prove their identity again, for the step-up of a session. */
  readonly step_up?: boolean;
}

/** The parameters of `providerSignIns.completeConsoleSignIn`. */
export interface ProviderSignInsCompleteConsoleSignInParams {
  /** The id of the identity provider. */
  readonly idp: string;
  /** The state with which the sign-in began. */
  readonly state?: string;
  /** The code, for which the server gets an ID token. */
  readonly code?: string;
  /** The issuer that answers. */
  readonly iss?: string;
  /** The error code of a refusal. */
  readonly error?: string;
}

/** Pages and redirects for browsers, with which users sign in at an identity provider. */
export interface ProviderSignInsApi {
  /**
   * Returns the identity providers with which administrators sign in to the console.
   *
   * No token is needed.
   *
   * @throws StewardError: M_LIMIT_EXCEEDED, M_TOO_LARGE, M_UNKNOWN
   */
  getSignInProviders(params?: ProviderSignInsGetSignInProvidersParams, options?: CallOptions): Promise<GetSignInProvidersResponse>;

  /**
   * Sends the browser of an administrator to an identity provider (302). Refusals are pages.
   *
   * No token is needed.
   *
   * @throws StewardError: M_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN
   */
  startConsoleSignIn(params: ProviderSignInsStartConsoleSignInParams, options?: CallOptions): Promise<ByteStream>;

  /**
   * Receives the browser of an administrator from an identity provider, and leads it to the console (302), whose address then has a login token in its fragment: for POST /_service/admin/v1/session, or for its step_up. Refusals are pages.
   *
   * No token is needed.
   *
   * @throws StewardError: M_FORBIDDEN, M_LIMIT_EXCEEDED, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN
   */
  completeConsoleSignIn(params: ProviderSignInsCompleteConsoleSignInParams, options?: CallOptions): Promise<ByteStream>;
}

/** The parameters of `rooms.list`. */
export interface RoomsListParams {
  /** The number of matching rooms to skip; 0 when unset. */
  readonly from?: number;
  /** The maximum number of rooms; 100 when unset, at most 10,000. */
  readonly limit?: number;
  /** The sort key. When unset: last_activity with a filter on the last activity, joined_members with one on the number of members, else name. Numbers and times descend with dir f. */
  readonly order_by?: 'alphabetical' | 'size' | 'name' | 'canonical_alias' | 'joined_members' | 'joined_local_members' | 'version' | 'creator' | 'encryption' | 'federatable' | 'public' | 'join_rules' | 'guest_access' | 'history_visibility' | 'state_events' | 'last_activity' | 'messages' | 'bytes' | 'created';
  /** Only rooms whose name or alias contains this text, ignoring case, or whose id equals it. Must not be empty. */
  readonly search_term?: string;
  /** The direction; b is the reverse of f. */
  readonly dir?: 'f' | 'b';
  /** true: only rooms listed in the directory; false: only other rooms. Both when unset. */
  readonly public_rooms?: boolean;
  /** true: only rooms without members; false: only other rooms. Both when unset. */
  readonly empty_rooms?: boolean;
  /** true: only encrypted rooms; false: only other rooms. Both when unset. */
  readonly encrypted?: boolean;
  /** Only rooms that are encrypted with this algorithm. */
  readonly encryption?: string;
  /** Only rooms of this version. */
  readonly version?: string;
  /** true: only rooms with a tombstone; false: only other rooms. Both when unset. */
  readonly tombstoned?: boolean;
  /** true: only blocked rooms; false: only other rooms. Both when unset. */
  readonly blocked?: boolean;
  /** Only rooms with this join rule. */
  readonly join_rule?: string;
  /** Only rooms with at least this many joined members. */
  readonly members_min?: number;
  /** Only rooms with at most this many joined members. Not less than members_min. */
  readonly members_max?: number;
  /** Only rooms whose last activity was later, in milliseconds since the Unix epoch. */
  readonly last_activity_after?: number;
  /** Only rooms whose last activity was earlier, in milliseconds since the Unix epoch. Later than last_activity_after. */
  readonly last_activity_before?: number;
  /** Only rooms that this user created. */
  readonly creator?: string;
  /** Only the room for which this alias stands; if it stands for none, only rooms whose canonical alias it is. */
  readonly alias?: string;
  /** Only rooms whose canonical alias contains this text between # and :, ignoring case. */
  readonly alias_contains?: string;
  /** Only rooms that this space, a room id, names as its children; not the children of those. */
  readonly space?: string;
  /** Whether the rooms of the page have details. Not when unset. */
  readonly details?: boolean;
}

/** The parameters of `rooms.getNames`. */
export interface RoomsGetNamesParams {
  /** Their room ids, at most 100. */
  readonly room_id?: readonly string[];
}

/** The parameters of `rooms.get`. */
export interface RoomsGetParams {
  /** The room id. */
  readonly room_id: string;
}

/** The parameters of `rooms.delete`. */
export interface RoomsDeleteParams {
  /** The room id. */
  readonly room_id: string;
  /** Whether to block the room against joins, even if the room is unknown; false when unset. */
  readonly block?: boolean;
  /** Whether to purge all data of the room; true when unset. */
  readonly purge?: boolean;
  /** Whether to purge the room even if local users remain in it; false when unset. */
  readonly force_purge?: boolean;
  /** The id of a user of this server, who need not exist. If set, this user creates a new room, and the removed members are moved to it; invited users and those who knocked are not. */
  readonly new_room_user_id?: string | null;
  /** The name of the new room. */
  readonly room_name?: string | null;
  /** The first message in the new room. */
  readonly message?: string | null;
}

/** The parameters of `rooms.listMembers`. */
export interface RoomsListMembersParams {
  /** The room id. */
  readonly room_id: string;
}

/** The parameters of `rooms.listReceipts`. */
export interface RoomsListReceiptsParams {
  /** The room id. */
  readonly room_id: string;
  /** The number of receipts to skip; 0 when unset. */
  readonly from?: number;
  /** The maximum number of receipts; 100 when unset, at most 1,000. */
  readonly limit?: number;
}

/** The parameters of `rooms.listState`. */
export interface RoomsListStateParams {
  /** The room id. */
  readonly room_id: string;
  /** Only state events of this type. */
  readonly type?: string;
}

/** The parameters of `rooms.setState`. */
export interface RoomsSetStateParams {
  /** The room id. */
  readonly room_id: string;
  /** The event type; m.room.member is refused. */
  readonly type: string;
  /** The state key; empty when unset. */
  readonly state_key?: string | null;
  /** The content, a JSON object. */
  readonly content: unknown;
  /** The reason, which the audit log contains; at most 1,000 characters. */
  readonly reason?: string | null;
}

/** The parameters of `rooms.listMessages`. */
export interface RoomsListMessagesParams {
  /** The room id. */
  readonly room_id: string;
  /** The direction: f, the default, for oldest first, b for newest first. */
  readonly dir?: 'f' | 'b';
  /** The token to start from; when unset, the first event in the direction. */
  readonly from?: string;
  /** The token to stop at. */
  readonly to?: string;
  /** The maximum number of events to read, 0 or more; 10 when unset, at most 1,000. */
  readonly limit?: number;
  /** A room event filter as JSON, percent-encoded twice. */
  readonly filter?: string;
  /** If present, whatever its value, events are returned in their stored form. */
  readonly raw?: string;
}

/** The parameters of `rooms.findEventByTime`. */
export interface RoomsFindEventByTimeParams {
  /** The room id. */
  readonly room_id: string;
  /** The time, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** f, the default, for the first event at or after the time, b for the last event at or before it. */
  readonly dir?: 'f' | 'b';
}

/** The parameters of `rooms.getEventContext`. */
export interface RoomsGetEventContextParams {
  /** The room id. */
  readonly room_id: string;
  /** The event id. */
  readonly event_id: string;
  /** The maximum number of surrounding events; 10 when unset, at most 1,000. */
  readonly limit?: number;
  /** A room event filter as JSON, percent-encoded twice. It does not apply to the event itself. */
  readonly filter?: string;
}

/** The parameters of `rooms.fetchEvent`. */
export interface RoomsFetchEventParams {
  /** The event id. */
  readonly event_id: string;
}

/** The parameters of `rooms.getHierarchy`. */
export interface RoomsGetHierarchyParams {
  /** The room id of the space. */
  readonly room_id: string;
  /** The maximum number of rooms; 50 when unset, at most 50. */
  readonly limit?: number;
  /** The maximum depth below the space; unlimited when unset. */
  readonly max_depth?: number;
  /** The next_batch of the previous page, which was requested with the same parameters. */
  readonly from?: string;
}

/** The parameters of `rooms.getBlock`. */
export interface RoomsGetBlockParams {
  /** The room id. */
  readonly room_id: string;
}

/** The parameters of `rooms.putBlock`. */
export interface RoomsPutBlockParams {
  /** The room id. */
  readonly room_id: string;
  /** Whether to block the room. */
  readonly block: boolean;
}

/** The parameters of `rooms.makeAdmin`. */
export interface RoomsMakeAdminParams {
  /** The room id or an alias. */
  readonly room_id_or_alias: string;
  /** The user id; the caller when unset. Required for callers without an account, such as automation tokens. */
  readonly user_id?: string | null;
}

/** The parameters of `rooms.joinUser`. */
export interface RoomsJoinUserParams {
  /** The room id or an alias. */
  readonly room_id_or_alias: string;
  /** The user id. */
  readonly user_id: string;
}

/** The parameters of `rooms.listForwardExtremities`. */
export interface RoomsListForwardExtremitiesParams {
  /** The room id or an alias. */
  readonly room_id_or_alias: string;
}

/** The parameters of `rooms.deleteForwardExtremities`. */
export interface RoomsDeleteForwardExtremitiesParams {
  /** The room id or an alias. */
  readonly room_id_or_alias: string;
}

/** The parameters of `rooms.listBlocked`. */
export interface RoomsListBlockedParams {
  /** The next_token of the previous page; absent for the first page. */
  readonly from?: string;
  /** The maximum number of rooms; 100 when unset, at most 1,000. */
  readonly limit?: number;
  /** The direction; f, the default, for the most recently blocked first, b for the reverse. */
  readonly dir?: 'f' | 'b';
  /** Only rooms that this user blocked first. */
  readonly blocked_by?: string;
}

/** The parameters of `rooms.kickUser`. */
export interface RoomsKickUserParams {
  /** The room id. */
  readonly room_id: string;
  /** The id of the user; either this or user_ids. */
  readonly user_id?: string | null;
  /** The ids of several users, at most 1,000; a task carries the order out for each. */
  readonly user_ids?: readonly string[] | null;
  /** The reason, which the event and the audit log contain; at most 1,000 characters. */
  readonly reason?: string | null;
}

/** The parameters of `rooms.banUser`. */
export interface RoomsBanUserParams {
  /** The room id. */
  readonly room_id: string;
  /** The id of the user; either this or user_ids. */
  readonly user_id?: string | null;
  /** The ids of several users, at most 1,000; a task carries the order out for each. */
  readonly user_ids?: readonly string[] | null;
  /** The reason, which the event and the audit log contain; at most 1,000 characters. */
  readonly reason?: string | null;
}

/** The parameters of `rooms.unbanUser`. */
export interface RoomsUnbanUserParams {
  /** The room id. */
  readonly room_id: string;
  /** The id of the user; either this or user_ids. */
  readonly user_id?: string | null;
  /** The ids of several users, at most 1,000; a task carries the order out for each. */
  readonly user_ids?: readonly string[] | null;
  /** The reason, which the event and the audit log contain; at most 1,000 characters. */
  readonly reason?: string | null;
}

/** The parameters of `rooms.inviteUser`. */
export interface RoomsInviteUserParams {
  /** The room id. */
  readonly room_id: string;
  /** The id of the user; either this or user_ids. */
  readonly user_id?: string | null;
  /** The ids of several users, at most 1,000; a task carries the order out for each. */
  readonly user_ids?: readonly string[] | null;
  /** The reason, which the event and the audit log contain; at most 1,000 characters. */
  readonly reason?: string | null;
}

/** The parameters of `rooms.redactEvent`. */
export interface RoomsRedactEventParams {
  /** The room id. */
  readonly room_id: string;
  /** The id of the event; either this or event_ids. */
  readonly event_id?: string | null;
  /** The ids of several events, at most 1,000; a task carries the order out for each. */
  readonly event_ids?: readonly string[] | null;
  /** The reason, which the event and the audit log contain; at most 1,000 characters. */
  readonly reason?: string | null;
}

/** The parameters of `rooms.sendNotice`. */
export interface RoomsSendNoticeParams {
  /** The room id. */
  readonly room_id: string;
  /** The text. */
  readonly body: string;
  /** The reason, which the audit log contains; at most 1,000 characters. */
  readonly reason?: string | null;
}

/** The parameters of `rooms.getOrder`. */
export interface RoomsGetOrderParams {
  /** The id of the task. */
  readonly task_id: string;
  /** The next_token of the page before; the first page when unset. */
  readonly from?: string;
  /** The maximum number of results; 100 when unset, at most 1,000. */
  readonly limit?: number;
}

/** The parameters of `rooms.beginDeletion`. */
export interface RoomsBeginDeletionParams {
  /** The room id. */
  readonly room_id: string;
  /** Whether to block the room against joins, even if the room is unknown; false when unset. */
  readonly block?: boolean;
  /** Whether to purge all data of the room; true when unset. */
  readonly purge?: boolean;
  /** Whether to purge the room even if local users remain in it; false when unset. */
  readonly force_purge?: boolean;
  /** The id of a user of this server, who need not exist. If set, this user creates a new room, and the removed members are moved to it; invited users and those who knocked are not. */
  readonly new_room_user_id?: string | null;
  /** The name of the new room. */
  readonly room_name?: string | null;
  /** The first message in the new room. */
  readonly message?: string | null;
}

/** The parameters of `rooms.listDeletions`. */
export interface RoomsListDeletionsParams {
  /** The room id. */
  readonly room_id: string;
}

/** The parameters of `rooms.getDeletion`. */
export interface RoomsGetDeletionParams {
  /** The deletion id. */
  readonly delete_id: string;
}

/** The parameters of `rooms.purgeHistory`. */
export interface RoomsPurgeHistoryParams {
  /** The room id. */
  readonly room_id: string;
  /** Whether to purge events that users of this server sent as well; false when unset. A value of any type is accepted: 0, "", [], {}, null and false are false, all others true. */
  readonly delete_local_events?: unknown;
  /** The id of the first event to keep. */
  readonly purge_up_to_event_id?: string | null;
  /** The time up to which to purge, in milliseconds since the Unix epoch; used when no event is given. */
  readonly purge_up_to_ts?: number;
}

/** The parameters of `rooms.purgeHistoryUpToEvent`. */
export interface RoomsPurgeHistoryUpToEventParams {
  /** The room id. */
  readonly room_id: string;
  /** The id of the first event to keep. */
  readonly event_id: string;
  /** Whether to purge events that users of this server sent as well; false when unset. A value of any type is accepted: 0, "", [], {}, null and false are false, all others true. */
  readonly delete_local_events?: unknown;
}

/** The parameters of `rooms.getHistoryPurge`. */
export interface RoomsGetHistoryPurgeParams {
  /** The purge id. */
  readonly purge_id: string;
}

/** The parameters of `rooms.getMedia`. */
export interface RoomsGetMediaParams {
  /** The room id. */
  readonly room_id: string;
}

/** The parameters of `rooms.quarantineMedia`. */
export interface RoomsQuarantineMediaParams {
  /** The room id. */
  readonly room_id: string;
}

/**
 * Lists, inspects, blocks and repairs all rooms of this server, whether the administrator has joined them or not.
 *
 * Lists the blocks of rooms, which need not exist.
 *
 * Kicks, bans, invites, redacts and sends in rooms that the administrator need not have joined. The event is sent in the name of the local member with the most power who may send it; if there is none, the order is refused with 400 M_UNKNOWN. The event says in `unsigned`, as administrators receive it, who ordered it: `steward.ordered_by`.
 *
 * Removes the local users from a room, ends their invitations and knocks, and purges its data. The work runs as a task, which survives a restart of the process.
 *
 * Removes the events of a room before a point; the room state stays. The work runs as a task, which survives a restart of the process.
 *
 * The media of rooms.
 *
 * Lists, quarantines and deletes media.
 */
export interface RoomsApi {
  /**
   * Lists the rooms of this server, filtered and sorted, with the exact total.
   *
   * For administrators with the scope `rooms:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: RoomsListParams, options?: CallOptions): Listing<ListRoomsResponse, RoomListEntry>;

  /**
   * Returns the names of up to 100 rooms, so that what names them by id can be shown with a name.
   *
   * For administrators with the scope `rooms:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getNames(params?: RoomsGetNamesParams, options?: CallOptions): Promise<GetRoomNamesResponse>;

  /**
   * Returns the details of a room.
   *
   * For administrators with the scope `rooms:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: RoomsGetParams, options?: CallOptions): Promise<GetRoomResponse>;

  /**
   * Deletes a room and responds when the deletion is complete. Safe to repeat: a call during a deletion waits for it, and after a purge the room is unknown.
   *
   * For administrators with the scope `rooms:delete`. `block` requires `rooms:write`. `new_room_user_id` requires `rooms:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  delete(params: RoomsDeleteParams, options?: CallOptions): Promise<DeleteRoomResponse>;

  /**
   * Lists the joined members of a room.
   *
   * For administrators with the scope `rooms:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listMembers(params: RoomsListMembersParams, options?: CallOptions): Listing<ListRoomMembersResponse, string>;

  /**
   * Lists how far users have read a room, newest reading first, one page at a time. The audit log records that if the room is private.
   *
   * For administrators with the scope `rooms:content`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listReceipts(params: RoomsListReceiptsParams, options?: CallOptions): Listing<ListRoomReceiptsResponse, RoomReceipt>;

  /**
   * Lists the current state of a room.
   *
   * For administrators with the scope `rooms:content`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listState(params: RoomsListStateParams, options?: CallOptions): Listing<ListRoomStateResponse, unknown>;

  /**
   * Sets a state event of a room, other than a membership. Safe to repeat.
   *
   * For administrators with the scope `rooms:write`.
   *
   * @throws StewardError: M_BAD_ALIAS, M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  setState(params: RoomsSetStateParams, options?: CallOptions): Promise<SetStateResponse>;

  /**
   * Lists the events of a room, one page at a time.
   *
   * For administrators with the scope `rooms:content`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listMessages(params: RoomsListMessagesParams, options?: CallOptions): Listing<ListRoomMessagesResponse, unknown>;

  /**
   * Finds the event of a room that is nearest to a time.
   *
   * For administrators with the scope `rooms:content`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  findEventByTime(params: RoomsFindEventByTimeParams, options?: CallOptions): Promise<FindRoomEventByTimeResponse>;

  /**
   * Returns an event with the events around it.
   *
   * For administrators with the scope `rooms:content`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getEventContext(params: RoomsGetEventContextParams, options?: CallOptions): Promise<GetRoomEventContextResponse>;

  /**
   * Returns an event of any room in its stored form.
   *
   * For administrators with the scope `rooms:content`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  fetchEvent(params: RoomsFetchEventParams, options?: CallOptions): Promise<FetchEventResponse>;

  /**
   * Lists the rooms of a space, depth first.
   *
   * For administrators with the scope `rooms:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getHierarchy(params: RoomsGetHierarchyParams, options?: CallOptions): Listing<GetHierarchyResponse, HierarchyRoom>;

  /**
   * Returns whether a room is blocked.
   *
   * For administrators with the scope `rooms:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getBlock(params: RoomsGetBlockParams, options?: CallOptions): Promise<GetBlockResponse>;

  /**
   * Blocks a room, known or unknown, against joins, or lifts the block. Safe to repeat.
   *
   * For administrators with the scope `rooms:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  putBlock(params: RoomsPutBlockParams, options?: CallOptions): Promise<PutBlockResponse>;

  /**
   * Grants a user the highest power level that a local member of the room can grant. Safe to repeat.
   *
   * For administrators with the scope `rooms:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_BAD_STATE, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  makeAdmin(params: RoomsMakeAdminParams, options?: CallOptions): Promise<MakeRoomAdminResponse>;

  /**
   * Joins a user of this server to a room; invites the user first where the room requires it. An automation token invites no one: the room is then public, or the user is invited already.
   *
   * For administrators with the scope `rooms:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  joinUser(params: RoomsJoinUserParams, options?: CallOptions): Promise<JoinUserResponse>;

  /**
   * Lists the forward extremities of a room: the events that no other event follows.
   *
   * For administrators with the scope `rooms:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listForwardExtremities(params: RoomsListForwardExtremitiesParams, options?: CallOptions): Listing<ListForwardExtremitiesResponse, ForwardExtremity>;

  /**
   * Deletes all forward extremities of a room except the newest.
   *
   * For administrators with the scope `rooms:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  deleteForwardExtremities(params: RoomsDeleteForwardExtremitiesParams, options?: CallOptions): Promise<DeleteForwardExtremitiesResponse>;

  /**
   * Lists the blocked rooms, the most recently blocked first, with the exact total.
   *
   * For administrators with the scope `rooms:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listBlocked(params?: RoomsListBlockedParams, options?: CallOptions): Listing<ListBlockedRoomsResponse, BlockedRoom>;

  /**
   * Makes a user leave a room; with user_ids, a task does it for each of them.
   *
   * For administrators with the scope `rooms:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  kickUser(params: RoomsKickUserParams, options?: CallOptions): Promise<KickUserResponse>;

  /**
   * Bans a user from a room, also one who is not a member; with user_ids, a task does it for each of them. Safe to repeat.
   *
   * For administrators with the scope `rooms:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  banUser(params: RoomsBanUserParams, options?: CallOptions): Promise<BanUserResponse>;

  /**
   * Lifts the ban of a user from a room; with user_ids, a task does it for each of them.
   *
   * For administrators with the scope `rooms:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_BAD_STATE, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  unbanUser(params: RoomsUnbanUserParams, options?: CallOptions): Promise<UnbanUserResponse>;

  /**
   * Invites a user of this server to a room; with user_ids, a task does it for each of them. Safe to repeat.
   *
   * For administrators with the scope `rooms:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_BAD_STATE, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  inviteUser(params: RoomsInviteUserParams, options?: CallOptions): Promise<InviteUserResponse>;

  /**
   * Redacts an event, in the name of its sender if no other local member may; with event_ids, a task does it for each of them. Safe to repeat.
   *
   * For administrators with the scope `rooms:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  redactEvent(params: RoomsRedactEventParams, options?: CallOptions): Promise<RedactEventResponse>;

  /**
   * Sends a notice to a room: a message of the type m.notice, which is not encrypted in encrypted rooms either.
   *
   * For administrators with the scope `rooms:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  sendNotice(params: RoomsSendNoticeParams, options?: CallOptions): Promise<SendRoomNoticeResponse>;

  /**
   * Returns the progress of an order with many targets, and the outcome of each, until one day after its end.
   *
   * For administrators with the scope `rooms:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getOrder(params: RoomsGetOrderParams, options?: CallOptions): Listing<GetRoomOrderResponse, RoomOrderResult>;

  /**
   * Starts to delete a room and responds with the id of the deletion.
   *
   * For administrators with the scope `rooms:delete`. `block` requires `rooms:write`. `new_room_user_id` requires `rooms:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  beginDeletion(params: RoomsBeginDeletionParams, options?: CallOptions): Promise<BeginRoomDeletionResponse>;

  /**
   * Lists the deletions of a room, until one day after their end.
   *
   * For administrators with the scope `rooms:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listDeletions(params: RoomsListDeletionsParams, options?: CallOptions): Listing<ListRoomDeletionsResponse, RoomDeletion>;

  /**
   * Returns the progress of a deletion, until one day after its end.
   *
   * For administrators with the scope `rooms:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getDeletion(params: RoomsGetDeletionParams, options?: CallOptions): Promise<GetRoomDeletionResponse>;

  /**
   * Starts to purge the history of a room up to an event or a time, which the body contains.
   *
   * For administrators with the scope `rooms:delete`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  purgeHistory(params: RoomsPurgeHistoryParams, options?: CallOptions): Promise<PurgeHistoryResponse>;

  /**
   * Starts to purge the history of a room up to an event.
   *
   * For administrators with the scope `rooms:delete`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  purgeHistoryUpToEvent(params: RoomsPurgeHistoryUpToEventParams, options?: CallOptions): Promise<PurgeHistoryUpToEventResponse>;

  /**
   * Returns the status of a purge, until one day after its end.
   *
   * For administrators with the scope `rooms:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getHistoryPurge(params: RoomsGetHistoryPurgeParams, options?: CallOptions): Promise<GetHistoryPurgeResponse>;

  /**
   * Lists the media that a room's events refer to.
   *
   * For administrators with the scope `media:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getMedia(params: RoomsGetMediaParams, options?: CallOptions): Promise<GetRoomMediaResponse>;

  /**
   * Quarantines all media that a room's events refer to, and all with the same bytes, except protected media.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  quarantineMedia(params: RoomsQuarantineMediaParams, options?: CallOptions): Promise<QuarantineRoomMediaResponse>;
}

/** The parameters of `statistics.getOverview`. */
export type StatisticsGetOverviewParams = Readonly<Record<never, never>>;

/** The parameters of `statistics.getHistory`. */
export interface StatisticsGetHistoryParams {
  /** Their length; hour when unset. */
  readonly interval?: 'hour' | 'day';
  /** The first interval is the one that contains this time, in milliseconds since the Unix epoch. When unset, there are 24 hours or 30 days. */
  readonly from_ts?: number;
  /** The last interval is the one that contains this time, in milliseconds since the Unix epoch; now when unset. Not earlier than from_ts, and at most 31 days later for hours, 731 for days. */
  readonly until_ts?: number;
}

/** The parameters of `statistics.listLargestRooms`. */
export type StatisticsListLargestRoomsParams = Readonly<Record<never, never>>;

/** The parameters of `statistics.listMediaUsage`. */
export interface StatisticsListMediaUsageParams {
  /** The sort key; user_id when unset. Ties ascend by user_id. */
  readonly order_by?: 'user_id' | 'displayname' | 'media_length' | 'media_count';
  /** The number of users to skip; 0 when unset. */
  readonly from?: number;
  /** The maximum number of users; 100 when unset, at most 10,000. */
  readonly limit?: number;
  /** Only media uploaded at or after this time, in milliseconds since the Unix epoch; 0 when unset. */
  readonly from_ts?: number;
  /** Only media uploaded at or before this time, which must be later than from_ts; no bound when unset. */
  readonly until_ts?: number;
  /** Only users whose localpart or display name contains this text; must not be empty. */
  readonly search_term?: string;
  /** The direction: f for ascending, the default, or b for descending. */
  readonly dir?: 'f' | 'b';
}

/**
 * Shows the figures of the server and of parts of it. A figure is null when the service that has it cannot be reached.
 *
 * Statistics about rooms.
 *
 * Statistics about media.
 */
export interface StatisticsApi {
  /**
   * Returns the current figures of the server: accounts, rooms, media, reports and tasks.
   *
   * For administrators with the scope `server:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getOverview(params?: StatisticsGetOverviewParams, options?: CallOptions): Promise<GetOverviewResponse>;

  /**
   * Returns the figures of the past, hour by hour or day by day: some as they were, some counted within the interval. Hours and days are those of UTC. They are kept for 90 days unless configured otherwise; intervals that began earlier, or begin later than now, are left out. What was counted is stored every ten seconds, so a process that is killed loses at most that much of the counts.
   *
   * For administrators with the scope `server:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getHistory(params?: StatisticsGetHistoryParams, options?: CallOptions): Promise<GetHistoryResponse>;

  /**
   * Lists the rooms that take the most space in the database; refused when the store is a single file.
   *
   * For administrators with the scope `rooms:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listLargestRooms(params?: StatisticsListLargestRoomsParams, options?: CallOptions): Listing<ListLargestRoomsResponse, RoomSize>;

  /**
   * Lists the users who have media, with the number and size of their media, one page at a time.
   *
   * For administrators with the scope `media:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listMediaUsage(params?: StatisticsListMediaUsageParams, options?: CallOptions): Listing<ListUsageResponse, UserUsage>;
}

/** The parameters of `media.quarantine`. */
export interface MediaQuarantineParams {
  /** The name of the server to which the media was uploaded. */
  readonly server_name: string;
  /** The media id on that server. */
  readonly media_id: string;
}

/** The parameters of `media.unquarantine`. */
export interface MediaUnquarantineParams {
  /** The name of the server to which the media was uploaded. */
  readonly server_name: string;
  /** The media id on that server. */
  readonly media_id: string;
}

/** The parameters of `media.protect`. */
export interface MediaProtectParams {
  /** The media id on this server. */
  readonly media_id: string;
}

/** The parameters of `media.unprotect`. */
export interface MediaUnprotectParams {
  /** The media id on this server. */
  readonly media_id: string;
}

/** The parameters of `media.delete`. */
export interface MediaDeleteParams {
  /** The server name, which must be this server's. */
  readonly server_name: string;
  /** The media id. */
  readonly media_id: string;
}

/** The parameters of `media.get`. */
export interface MediaGetParams {
  /** The name of the server to which the media was uploaded. */
  readonly server_name: string;
  /** The media id on that server. */
  readonly media_id: string;
}

/** The parameters of `media.deleteBefore`. */
export interface MediaDeleteBeforeParams {
  /** This server's name; the current form of the path does not contain it. */
  readonly server_name?: string;
  /** Only media not accessed since this time, in milliseconds since the Unix epoch. Times that appear to be in seconds are refused. */
  readonly before_ts: number;
  /** Only media larger than this number of bytes; 0 when unset. */
  readonly size_gt?: number;
  /** Whether to keep avatars of users and rooms; true when unset. */
  readonly keep_profiles?: boolean;
}

/** The parameters of `media.purgeCache`. */
export interface MediaPurgeCacheParams {
  /** Only media not accessed since this time, in milliseconds since the Unix epoch. Times that appear to be in seconds are refused. */
  readonly before_ts: number;
}

/** The parameters of `media.move`. */
export interface MediaMoveParams {
  /** How many bytes are copied per second at most; 50,000,000 when unset. While a move runs, its own value stays. */
  readonly bytes_per_second?: number;
}

/** The parameters of `media.listQuarantineChanges`. */
export interface MediaListQuarantineChangesParams {
  /** The position after which the changes start: next_batch of an earlier response; 0, the beginning, when unset. */
  readonly from?: number;
}

/** The parameters of `media.list`. */
export interface MediaListParams {
  /** The next_token of the previous page; unset for the first page. The filters and the order must be those of the first page. */
  readonly from?: string;
  /** The maximum number of media; 100 when unset, at most 1,000. */
  readonly limit?: number;
  /** The sort key; created_ts when unset. Ties follow the direction by origin and media id. */
  readonly order_by?: 'created_ts' | 'last_access_ts' | 'media_length';
  /** The direction: f for ascending or b for descending; b when unset. Media that were never downloaded come first in ascending order of last_access_ts. */
  readonly dir?: 'f' | 'b';
  /** Only media of this server. */
  readonly origin?: string;
  /** Only media that this user uploaded. */
  readonly user_id?: string;
  /** Only media that events of this room show. A list is refused for a room that shows more than 10,000 media. */
  readonly room_id?: string;
  /** Only media of this MIME type, in lower case and without parameters; with an asterisk for all subtypes: image/*. */
  readonly type?: string;
  /** Only media of at least this size, in bytes. */
  readonly size_min?: number;
  /** Only media of at most this size, in bytes. */
  readonly size_max?: number;
  /** Only media uploaded at this time or later, in milliseconds since the Unix epoch. */
  readonly created_after?: number;
  /** Only media uploaded before this time, in milliseconds since the Unix epoch. */
  readonly created_before?: number;
  /** Only media last downloaded at this time or later, in milliseconds since the Unix epoch. */
  readonly accessed_after?: number;
  /** Only media last downloaded before this time, in milliseconds since the Unix epoch; not those that never were. */
  readonly accessed_before?: number;
  /** Whether the media were never downloaded. */
  readonly never_accessed?: boolean;
  /** Whether the media are in quarantine. */
  readonly quarantined?: boolean;
  /** Whether the media are protected from quarantine. */
  readonly protected?: boolean;
  /** Whether no event of a room and no profile shows the media. The server cannot see what encrypted events show: their media seem orphaned. Media that have not been looked up yet are neither. */
  readonly orphaned?: boolean;
}

/** The parameters of `media.getThumbnail`. */
export interface MediaGetThumbnailParams {
  /** The name of the server to which the media was uploaded. */
  readonly server_name: string;
  /** The media id on that server. */
  readonly media_id: string;
  /** The minimum width in pixels; 96 when unset. */
  readonly width?: number;
  /** The minimum height in pixels; 96 when unset. */
  readonly height?: number;
  /** Whether the thumbnail fills the size (crop) or fits into it (scale); scale when unset. */
  readonly method?: 'crop' | 'scale';
  /** Whether the thumbnail is returned although the image is quarantined; requires the scope rooms:content as well. */
  readonly allow_quarantined?: boolean;
}

/** The parameters of `media.orderQuarantine`. */
export interface MediaOrderQuarantineParams {
  /** Whether the order is only tried: the answer says how many media it would find, and nothing is changed. */
  readonly dry_run?: boolean;
  /** Only media of this server. */
  readonly origin?: string;
  /** Only media that this user uploaded. */
  readonly user_id?: string;
  /** Only media that events of this room show. A list is refused for a room that shows more than 10,000 media. */
  readonly room_id?: string;
  /** Only media of this MIME type, in lower case and without parameters; with an asterisk for all subtypes: image/*. */
  readonly type?: string;
  /** Only media of at least this size, in bytes. */
  readonly size_min?: number;
  /** Only media of at most this size, in bytes. */
  readonly size_max?: number;
  /** Only media uploaded at this time or later, in milliseconds since the Unix epoch. */
  readonly created_after?: number;
  /** Only media uploaded before this time, in milliseconds since the Unix epoch. */
  readonly created_before?: number;
  /** Only media last downloaded at this time or later, in milliseconds since the Unix epoch. */
  readonly accessed_after?: number;
  /** Only media last downloaded before this time, in milliseconds since the Unix epoch; not those that never were. */
  readonly accessed_before?: number;
  /** Whether the media were never downloaded. */
  readonly never_accessed?: boolean;
  /** Whether the media are in quarantine. */
  readonly quarantined?: boolean;
  /** Whether the media are protected from quarantine. */
  readonly protected?: boolean;
  /** Whether no event of a room and no profile shows the media. The server cannot see what encrypted events show: their media seem orphaned. Media that have not been looked up yet are neither. */
  readonly orphaned?: boolean;
}

/** The parameters of `media.orderRelease`. */
export interface MediaOrderReleaseParams {
  /** Whether the order is only tried: the answer says how many media it would find, and nothing is changed. */
  readonly dry_run?: boolean;
  /** Only media of this server. */
  readonly origin?: string;
  /** Only media that this user uploaded. */
  readonly user_id?: string;
  /** Only media that events of this room show. A list is refused for a room that shows more than 10,000 media. */
  readonly room_id?: string;
  /** Only media of this MIME type, in lower case and without parameters; with an asterisk for all subtypes: image/*. */
  readonly type?: string;
  /** Only media of at least this size, in bytes. */
  readonly size_min?: number;
  /** Only media of at most this size, in bytes. */
  readonly size_max?: number;
  /** Only media uploaded at this time or later, in milliseconds since the Unix epoch. */
  readonly created_after?: number;
  /** Only media uploaded before this time, in milliseconds since the Unix epoch. */
  readonly created_before?: number;
  /** Only media last downloaded at this time or later, in milliseconds since the Unix epoch. */
  readonly accessed_after?: number;
  /** Only media last downloaded before this time, in milliseconds since the Unix epoch; not those that never were. */
  readonly accessed_before?: number;
  /** Whether the media were never downloaded. */
  readonly never_accessed?: boolean;
  /** Whether the media are in quarantine. */
  readonly quarantined?: boolean;
  /** Whether the media are protected from quarantine. */
  readonly protected?: boolean;
  /** Whether no event of a room and no profile shows the media. The server cannot see what encrypted events show: their media seem orphaned. Media that have not been looked up yet are neither. */
  readonly orphaned?: boolean;
}

/** The parameters of `media.orderProtection`. */
export interface MediaOrderProtectionParams {
  /** Whether the order is only tried: the answer says how many media it would find, and nothing is changed. */
  readonly dry_run?: boolean;
  /** Only media of this server. */
  readonly origin?: string;
  /** Only media that this user uploaded. */
  readonly user_id?: string;
  /** Only media that events of this room show. A list is refused for a room that shows more than 10,000 media. */
  readonly room_id?: string;
  /** Only media of this MIME type, in lower case and without parameters; with an asterisk for all subtypes: image/*. */
  readonly type?: string;
  /** Only media of at least this size, in bytes. */
  readonly size_min?: number;
  /** Only media of at most this size, in bytes. */
  readonly size_max?: number;
  /** Only media uploaded at this time or later, in milliseconds since the Unix epoch. */
  readonly created_after?: number;
  /** Only media uploaded before this time, in milliseconds since the Unix epoch. */
  readonly created_before?: number;
  /** Only media last downloaded at this time or later, in milliseconds since the Unix epoch. */
  readonly accessed_after?: number;
  /** Only media last downloaded before this time, in milliseconds since the Unix epoch; not those that never were. */
  readonly accessed_before?: number;
  /** Whether the media were never downloaded. */
  readonly never_accessed?: boolean;
  /** Whether the media are in quarantine. */
  readonly quarantined?: boolean;
  /** Whether the media are protected from quarantine. */
  readonly protected?: boolean;
  /** Whether no event of a room and no profile shows the media. The server cannot see what encrypted events show: their media seem orphaned. Media that have not been looked up yet are neither. */
  readonly orphaned?: boolean;
}

/** The parameters of `media.orderEndOfProtection`. */
export interface MediaOrderEndOfProtectionParams {
  /** Whether the order is only tried: the answer says how many media it would find, and nothing is changed. */
  readonly dry_run?: boolean;
  /** Only media of this server. */
  readonly origin?: string;
  /** Only media that this user uploaded. */
  readonly user_id?: string;
  /** Only media that events of this room show. A list is refused for a room that shows more than 10,000 media. */
  readonly room_id?: string;
  /** Only media of this MIME type, in lower case and without parameters; with an asterisk for all subtypes: image/*. */
  readonly type?: string;
  /** Only media of at least this size, in bytes. */
  readonly size_min?: number;
  /** Only media of at most this size, in bytes. */
  readonly size_max?: number;
  /** Only media uploaded at this time or later, in milliseconds since the Unix epoch. */
  readonly created_after?: number;
  /** Only media uploaded before this time, in milliseconds since the Unix epoch. */
  readonly created_before?: number;
  /** Only media last downloaded at this time or later, in milliseconds since the Unix epoch. */
  readonly accessed_after?: number;
  /** Only media last downloaded before this time, in milliseconds since the Unix epoch; not those that never were. */
  readonly accessed_before?: number;
  /** Whether the media were never downloaded. */
  readonly never_accessed?: boolean;
  /** Whether the media are in quarantine. */
  readonly quarantined?: boolean;
  /** Whether the media are protected from quarantine. */
  readonly protected?: boolean;
  /** Whether no event of a room and no profile shows the media. The server cannot see what encrypted events show: their media seem orphaned. Media that have not been looked up yet are neither. */
  readonly orphaned?: boolean;
}

/** The parameters of `media.orderDeletion`. */
export interface MediaOrderDeletionParams {
  /** Whether the order is only tried: the answer says how many media it would find, and nothing is changed. */
  readonly dry_run?: boolean;
  /** Only media of this server. */
  readonly origin?: string;
  /** Only media that this user uploaded. */
  readonly user_id?: string;
  /** Only media that events of this room show. A list is refused for a room that shows more than 10,000 media. */
  readonly room_id?: string;
  /** Only media of this MIME type, in lower case and without parameters; with an asterisk for all subtypes: image/*. */
  readonly type?: string;
  /** Only media of at least this size, in bytes. */
  readonly size_min?: number;
  /** Only media of at most this size, in bytes. */
  readonly size_max?: number;
  /** Only media uploaded at this time or later, in milliseconds since the Unix epoch. */
  readonly created_after?: number;
  /** Only media uploaded before this time, in milliseconds since the Unix epoch. */
  readonly created_before?: number;
  /** Only media last downloaded at this time or later, in milliseconds since the Unix epoch. */
  readonly accessed_after?: number;
  /** Only media last downloaded before this time, in milliseconds since the Unix epoch; not those that never were. */
  readonly accessed_before?: number;
  /** Whether the media were never downloaded. */
  readonly never_accessed?: boolean;
  /** Whether the media are in quarantine. */
  readonly quarantined?: boolean;
  /** Whether the media are protected from quarantine. */
  readonly protected?: boolean;
  /** Whether no event of a room and no profile shows the media. The server cannot see what encrypted events show: their media seem orphaned. Media that have not been looked up yet are neither. */
  readonly orphaned?: boolean;
}

/**
 * Lists, quarantines and deletes media.
 *
 * Finds media of all users and servers, and changes all that a selector finds.
 */
export interface MediaApi {
  /**
   * Quarantines a media item, unless it is protected, and all other unprotected media with the same bytes. Later uploads of these bytes are quarantined as well. Safe to repeat.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  quarantine(params: MediaQuarantineParams, options?: CallOptions): Promise<QuarantineMediaResponse>;

  /**
   * Releases a media item from quarantine, and all other media with the same bytes. Safe to repeat.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  unquarantine(params: MediaUnquarantineParams, options?: CallOptions): Promise<UnquarantineMediaResponse>;

  /**
   * Protects a media item of this server from quarantine. Safe to repeat.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  protect(params: MediaProtectParams, options?: CallOptions): Promise<ProtectMediaResponse>;

  /**
   * Removes the protection of a media item. Safe to repeat.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  unprotect(params: MediaUnprotectParams, options?: CallOptions): Promise<UnprotectMediaResponse>;

  /**
   * Deletes a media item of this server, even if it is protected or quarantined.
   *
   * For administrators with the scope `media:delete`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  delete(params: MediaDeleteParams, options?: CallOptions): Promise<DeleteMediaResponse>;

  /**
   * Returns all stored information about a media item.
   *
   * For administrators with the scope `media:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: MediaGetParams, options?: CallOptions): Promise<GetMediaInfoResponse>;

  /**
   * Deletes media of this server that have not been accessed since a time.
   *
   * For administrators with the scope `media:delete`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  deleteBefore(params: MediaDeleteBeforeParams, options?: CallOptions): Promise<DeleteMediaBeforeResponse>;

  /**
   * Deletes media of other servers that have not been accessed since a time.
   *
   * For administrators with the scope `media:delete`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  purgeCache(params: MediaPurgeCacheParams, options?: CallOptions): Promise<PurgeMediaCacheResponse>;

  /**
   * Begins to move media from the second store of the settings to the first, while they are used. Returns the task that does it; while one runs, returns that one. Safe to repeat.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  move(params?: MediaMoveParams, options?: CallOptions): Promise<MoveMediaResponse>;

  /**
   * Lists the changes of quarantine since a position.
   *
   * For administrators with the scope `media:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listQuarantineChanges(params?: MediaListQuarantineChangesParams, options?: CallOptions): Listing<ListQuarantineChangesResponse, QuarantineChange>;

  /**
   * Lists media, one page at a time. The first page has the exact number and size of all media that the filters select.
   *
   * For administrators with the scope `media:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: MediaListParams, options?: CallOptions): Listing<ListMediaResponse, InventoryMedia>;

  /**
   * Returns a thumbnail of an image. One of a quarantined image is returned only with allow_quarantined, and is recorded in the audit log before it is returned.
   *
   * For administrators with the scope `media:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getThumbnail(params: MediaGetThumbnailParams, options?: CallOptions): Promise<ByteStream>;

  /**
   * Begins to quarantine all media that the filters select, with all others of the same bytes, except protected ones. At least one filter must be given.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  orderQuarantine(params?: MediaOrderQuarantineParams, options?: CallOptions): Promise<OrderQuarantineResponse>;

  /**
   * Begins to release all media that the filters select from quarantine, with all others of the same bytes. At least one filter must be given.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  orderRelease(params?: MediaOrderReleaseParams, options?: CallOptions): Promise<OrderReleaseResponse>;

  /**
   * Begins to protect all media that the filters select from quarantine. At least one filter must be given.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  orderProtection(params?: MediaOrderProtectionParams, options?: CallOptions): Promise<OrderProtectionResponse>;

  /**
   * Begins to end the protection of all media that the filters select. At least one filter must be given.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  orderEndOfProtection(params?: MediaOrderEndOfProtectionParams, options?: CallOptions): Promise<OrderEndOfProtectionResponse>;

  /**
   * Begins to delete all media that the filters select, protected and quarantined ones included unless a filter excludes them. At least one filter must be given.
   *
   * For administrators with the scope `media:delete`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  orderDeletion(params?: MediaOrderDeletionParams, options?: CallOptions): Promise<OrderDeletionResponse>;
}

/** The parameters of `mediaHashes.list`. */
export interface MediaHashesListParams {
  /** The next_token of the previous page; the first hash when unset. */
  readonly from?: string;
  /** The maximum number of hashes; 100 when unset, at most 1,000. */
  readonly limit?: number;
  /** Only hashes of this source. */
  readonly source?: string;
  /** Only hashes with this action. */
  readonly action?: 'refuse' | 'quarantine';
}

/** The parameters of `mediaHashes.add`. */
export interface MediaHashesAddParams {
  /** The SHA-256 hashes in hexadecimal, in upper or lower case; at least 1, at most 1,000. */
  readonly sha256: readonly string[];
  /** What happens to uploads of these bytes; quarantine when unset. */
  readonly action?: 'refuse' | 'quarantine';
  /** Whether an upload of these bytes opens a report of its uploader; false when unset. */
  readonly open_report?: boolean;
  /** Which list they are from. */
  readonly source?: string;
  /** Why they are listed. */
  readonly note?: string;
  /** Whether a task quarantines the media with these bytes that exist already; false when unset. It leaves out protected media. */
  readonly apply_to_existing?: boolean;
}

/** The parameters of `mediaHashes.deleteSource`. */
export interface MediaHashesDeleteSourceParams {
  /** The source whose hashes are removed. */
  readonly source: string;
}

/** The parameters of `mediaHashes.get`. */
export interface MediaHashesGetParams {
  /** The SHA-256 hash in hexadecimal. */
  readonly sha256: string;
}

/** The parameters of `mediaHashes.delete`. */
export interface MediaHashesDeleteParams {
  /** The SHA-256 hash in hexadecimal. */
  readonly sha256: string;
}

/** The parameters of `mediaHashes.import`. */
export interface MediaHashesImportParams {
  /** The format of the file; text when unset. text: a hash at the start of each line, as sha256sum writes it; what follows after a space is ignored, as are empty lines and those that begin with #. csv: a first line with names, of which sha256 is required, and action, open_report, source and note are known. ndjson: an object with these keys on each line. */
  readonly format?: 'text' | 'csv' | 'ndjson';
  /** What happens to uploads of these bytes, where the file does not say so; quarantine when unset. */
  readonly action?: 'refuse' | 'quarantine';
  /** Whether an upload of these bytes opens a report of its uploader, where the file does not say so; false when unset. */
  readonly open_report?: boolean;
  /** Which list they are from, where the file does not say so. */
  readonly source?: string;
  /** Why they are listed, where the file does not say so. */
  readonly note?: string;
  /** Whether a task quarantines the media with these bytes that exist already; false when unset. It leaves out protected media. */
  readonly apply_to_existing?: boolean;
  /** The body: the file. */
  readonly content: RequestBody;
}

/** Administers the SHA-256 hashes of known-bad content. An upload whose bytes have a listed hash is refused or quarantined. */
export interface MediaHashesApi {
  /**
   * Lists the hashes, in their order, one page at a time, with the exact total.
   *
   * For administrators with the scope `media:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: MediaHashesListParams, options?: CallOptions): Listing<ListMediaHashesResponse, MediaHash>;

  /**
   * Adds hashes to the list, or replaces what the list says of them. Safe to repeat.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  add(params: MediaHashesAddParams, options?: CallOptions): Promise<AddMediaHashesResponse>;

  /**
   * Removes all hashes of a source from the list. Safe to repeat, also after an interruption.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  deleteSource(params: MediaHashesDeleteSourceParams, options?: CallOptions): Promise<DeleteSourceMediaHashesResponse>;

  /**
   * Returns a listed hash.
   *
   * For administrators with the scope `media:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: MediaHashesGetParams, options?: CallOptions): Promise<MediaHash>;

  /**
   * Removes a hash from the list. Media that were quarantined because of it stay in quarantine.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  delete(params: MediaHashesDeleteParams, options?: CallOptions): Promise<DeleteMediaHashResponse>;

  /**
   * Adds the hashes of a file to the list, or replaces what the list says of them. The file is the body: text, CSV or NDJSON of at most 100,000 lines and 32 MiB. Lines that cannot be read are left out and reported. Safe to repeat, also after an interruption.
   *
   * For administrators with the scope `media:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  import(params: MediaHashesImportParams, options?: CallOptions): Promise<ImportMediaHashesResponse>;
}

/** The parameters of `eventReports.list`. */
export interface EventReportsListParams {
  /** The number of reports to skip; 0 when unset. */
  readonly from?: number;
  /** The maximum number of reports; 100 when unset, at most 10,000. */
  readonly limit?: number;
  /** The direction: f for oldest first or b for newest first; b when unset. */
  readonly dir?: 'f' | 'b';
  /** Only reports by users whose ids contain this text. */
  readonly user_id?: string;
  /** Only reports from rooms whose ids contain this text. */
  readonly room_id?: string;
  /** Only reports of events that this user sent. */
  readonly event_sender_user_id?: string;
}

/** The parameters of `eventReports.get`. */
export interface EventReportsGetParams {
  /** The report number. */
  readonly report_id: number;
}

/** The parameters of `eventReports.delete`. */
export interface EventReportsDeleteParams {
  /** The report number. */
  readonly report_id: number;
}

/** Creates and administers reports of events. */
export interface EventReportsApi {
  /**
   * Lists the event reports, filtered and sorted, with the exact total. Reports from purged rooms are excluded.
   *
   * For administrators with the scope `reports:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: EventReportsListParams, options?: CallOptions): Listing<ListEventReportsResponse, EventReport>;

  /**
   * Returns a report with its event.
   *
   * For administrators with the scope `reports:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: EventReportsGetParams, options?: CallOptions): Promise<GetEventReportResponse>;

  /**
   * Deletes a report, whether its event still exists or not.
   *
   * For administrators with the scope `reports:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  delete(params: EventReportsDeleteParams, options?: CallOptions): Promise<DeleteEventReportResponse>;
}

/** The parameters of `userReports.list`. */
export interface UserReportsListParams {
  /** The number of reports to skip; 0 when unset. */
  readonly from?: number;
  /** The maximum number of reports; 100 when unset, at most 10,000. */
  readonly limit?: number;
  /** The direction: f for oldest first or b for newest first; b when unset. */
  readonly dir?: 'f' | 'b';
  /** Only reports by users whose ids contain this text. */
  readonly user_id?: string;
  /** Only reports of users whose ids contain this text. */
  readonly target_user_id?: string;
}

/** The parameters of `userReports.get`. */
export interface UserReportsGetParams {
  /** The report number. */
  readonly report_id: number;
}

/** The parameters of `userReports.delete`. */
export interface UserReportsDeleteParams {
  /** The report number. */
  readonly report_id: number;
}

/** Creates and administers reports that are not about a single event. */
export interface UserReportsApi {
  /**
   * Lists the user reports, filtered and sorted, with the exact total.
   *
   * For administrators with the scope `reports:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: UserReportsListParams, options?: CallOptions): Listing<ListUserReportsResponse, UserReport>;

  /**
   * Returns a report of a user.
   *
   * For administrators with the scope `reports:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: UserReportsGetParams, options?: CallOptions): Promise<UserReport>;

  /**
   * Deletes a report of a user.
   *
   * For administrators with the scope `reports:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  delete(params: UserReportsDeleteParams, options?: CallOptions): Promise<DeleteUserReportResponse>;
}

/** The parameters of `reports.resolve`. */
export interface ReportsResolveParams {
  /** The kind and the number of a report of the case, or the id of the case. */
  readonly report_id: string;
  /** The decision: actioned, dismissed or duplicate. */
  readonly outcome: 'actioned' | 'dismissed' | 'duplicate';
  /** Why; in the case and its history, not in events of rooms. At most 1,000 characters. */
  readonly reason?: string | null;
  /** For a duplicate, and required then: the case of which it is one, or a report of that; not itself a duplicate. */
  readonly duplicate_of?: string | null;
  /** What is to be done, in this order, for the outcome actioned only; at most 20. */
  readonly orders?: readonly NewReportOrder[] | null;
  /** Whether the reporters are notified of the outcome by a server notice; reports.notify_reporters of the configuration when unset. */
  readonly notify?: boolean | null;
}

/** The parameters of `reports.list`. */
export interface ReportsListParams {
  /** The next_token of the previous page, for a request with the same filters; the first page when unset. */
  readonly from?: string;
  /** The maximum number of reports or cases; 100 when unset, at most 1,000. */
  readonly limit?: number;
  /** What the order is by: received_ts, for cases the time of the last report; for cases only, first_received_ts, report_count or urgency. received_ts when unset. The most urgent cases are those with the highest severity, where a case without one is between low and medium; of these the ones with the most different reporters; of these the ones whose first report is the oldest. A further report can move a case in all orders except that by the first report. */
  readonly order_by?: 'received_ts' | 'first_received_ts' | 'report_count' | 'urgency';
  /** The direction: f for the lowest first or b for the highest first; b when unset. */
  readonly dir?: 'f' | 'b';
  /** subject for cases instead of reports. */
  readonly group?: 'subject';
  /** Only what is about an event, user, room or media. */
  readonly kind?: 'event' | 'user' | 'room' | 'media';
  /** Only what is in one of these states: open, triaged, escalated, resolved; may be repeated. All when empty. */
  readonly state?: readonly ('open' | 'triaged' | 'escalated' | 'resolved')[];
  /** Only what is assigned to this user; none for what is assigned to no one. */
  readonly assignee?: string;
  /** Only reports by this user; not with group. */
  readonly reporter?: string;
  /** Only what is about this user, or something of theirs. */
  readonly user?: string;
  /** Only what is about this room, or an event in it. */
  readonly room_id?: string;
  /** Only what has this severity: low, medium, high, critical; none for what has none. */
  readonly severity?: 'none' | 'low' | 'medium' | 'high' | 'critical';
  /** Only what was received at this time or later, in milliseconds since the Unix epoch; cases: whose last report was. */
  readonly received_after?: number;
  /** Only what was received before this time, in milliseconds since the Unix epoch; cases: whose last report was. */
  readonly received_before?: number;
}

/** The parameters of `reports.getCaseOverviews`. */
export interface ReportsGetCaseOverviewsParams {
  /** Their ids, at most 100. */
  readonly case_id?: readonly string[];
}

/** The parameters of `reports.getCaseExcerpts`. */
export interface ReportsGetCaseExcerptsParams {
  /** Their ids, at most 100. */
  readonly case_id?: readonly string[];
}

/** The parameters of `reports.get`. */
export interface ReportsGetParams {
  /** The kind and the number of a report, or the id of a case. */
  readonly report_id: string;
}

/** The parameters of `reports.listOfCase`. */
export interface ReportsListOfCaseParams {
  /** The kind and the number of a report of the case, or the id of the case. */
  readonly report_id: string;
  /** The next_token of the previous page; the first page when unset. */
  readonly from?: string;
  /** The maximum number of reports; 100 when unset, at most 1,000. */
  readonly limit?: number;
  /** The direction: f for oldest first or b for newest first; b when unset. */
  readonly dir?: 'f' | 'b';
}

/** The parameters of `reports.getEvidence`. */
export interface ReportsGetEvidenceParams {
  /** The kind and the number of a report, or the id of a case. */
  readonly report_id: string;
  /** The next_token of the previous page; the first page when unset. */
  readonly from?: string;
  /** The maximum number of copies; 20 when unset, at most 100. */
  readonly limit?: number;
}

/** The parameters of `reports.markTriaged`. */
export interface ReportsMarkTriagedParams {
  /** The kind and the number of a report of the case, or the id of the case. */
  readonly report_id: string;
  /** Why; in the history of the case. At most 1,000 characters. */
  readonly reason?: string | null;
}

/** The parameters of `reports.escalate`. */
export interface ReportsEscalateParams {
  /** The kind and the number of a report of the case, or the id of the case. */
  readonly report_id: string;
  /** Why; in the history of the case. At most 1,000 characters. */
  readonly reason?: string | null;
}

/** The parameters of `reports.reopen`. */
export interface ReportsReopenParams {
  /** The kind and the number of a report of the case, or the id of the case. */
  readonly report_id: string;
  /** Why; in the history of the case. At most 1,000 characters. */
  readonly reason?: string | null;
}

/** The parameters of `reports.assign`. */
export interface ReportsAssignParams {
  /** The kind and the number of a report of the case, or the id of the case. */
  readonly report_id: string;
  /** The id of a user of this server; the caller when unset. */
  readonly user_id?: string | null;
  /** Why; in the history of the case. At most 1,000 characters. */
  readonly reason?: string | null;
}

/** The parameters of `reports.unassign`. */
export interface ReportsUnassignParams {
  /** The kind and the number of a report of the case, or the id of the case. */
  readonly report_id: string;
  /** Why; in the history of the case. At most 1,000 characters. */
  readonly reason?: string | null;
}

/** The parameters of `reports.addNote`. */
export interface ReportsAddNoteParams {
  /** The kind and the number of a report of the case, or the id of the case. */
  readonly report_id: string;
  /** What to note: 1 to 4,000 characters. */
  readonly text: string;
}

/** The parameters of `reports.setSeverity`. */
export interface ReportsSetSeverityParams {
  /** The kind and the number of a report of the case, or the id of the case. */
  readonly report_id: string;
  /** low, medium, high, critical, or none to clear it. */
  readonly severity: 'none' | 'low' | 'medium' | 'high' | 'critical';
  /** Why; in the history of the case. At most 1,000 characters. */
  readonly reason?: string | null;
}

/**
 * Resolves the cases of reports.
 *
 * Lists the reports, and decides about them. All reports of one subject since its last case was resolved are one case; what is done to a report is done to its case. A path names a report by its kind and its number (event-12), or a case by its id.
 */
export interface ReportsApi {
  /**
   * Resolves a case that is not resolved, with a decision and up to 20 orders. The decision and the orders are one commit. After it, a task of the kind report.resolve carries the orders out, one after the other, each once; the case says the outcome of each. Each order requires the scope of the endpoint that does the same, and is recorded in the audit log and the feed like a request to it. An order that is refused then does not stop the others; one that could not be carried out now is refused with the whole request.
   *
   * For administrators with the scope `reports:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_PRECONDITION_FAILED, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  resolve(params: ReportsResolveParams, options?: CallOptions): Promise<ResolveReportResponse>;

  /**
   * Lists the reports, or with group=subject the cases, one page at a time, with exact counts by state of what the filters select.
   *
   * For administrators with the scope `reports:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params: ReportsListParams & { readonly group: 'subject' }, options?: CallOptions): Listing<ListReportsResponse, ReportCaseSummary>;
  list(params?: ReportsListParams & { readonly group?: undefined }, options?: CallOptions): Listing<ListReportsResponse, InboxReport>;
  list(params?: ReportsListParams, options?: CallOptions): Listing<ListReportsResponse, InboxReport | ReportCaseSummary>;

  /**
   * Returns what a list says of up to 100 cases besides their fields: the reasons of their reporters, and how many cases that are not resolved are about the same user.
   *
   * For administrators with the scope `reports:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getCaseOverviews(params?: ReportsGetCaseOverviewsParams, options?: CallOptions): Promise<GetCaseOverviewsResponse>;

  /**
   * Returns the beginning of what was reported in up to 100 cases, from the last copy of each. The audit log records each call that returns any, as for the copies themselves.
   *
   * For administrators with the scope `rooms:content`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getCaseExcerpts(params?: ReportsGetCaseExcerptsParams, options?: CallOptions): Promise<GetCaseExcerptsResponse>;

  /**
   * Returns the case of a report, and the report if the path names one.
   *
   * For administrators with the scope `reports:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: ReportsGetParams, options?: CallOptions): Promise<GetReportResponse>;

  /**
   * Lists the reports of a case, one page at a time.
   *
   * For administrators with the scope `reports:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listOfCase(params: ReportsListOfCaseParams, options?: CallOptions): Listing<ListReportsOfCaseResponse, InboxReport>;

  /**
   * Returns the copies of what was reported, as it was when it was reported, also after its redaction or removal: that of one report, or all of the subject of a case. They are kept for reports.evidence_retention_ms after the last report that shows them. The audit log records each call.
   *
   * For administrators with the scope `rooms:content`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getEvidence(params: ReportsGetEvidenceParams, options?: CallOptions): Listing<GetReportEvidenceResponse, ReportEvidence>;

  /**
   * States that a moderator has looked at an open case, or that an escalated one is back.
   *
   * For administrators with the scope `reports:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_PRECONDITION_FAILED, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  markTriaged(params: ReportsMarkTriagedParams, options?: CallOptions): Promise<ReportCase>;

  /**
   * Hands an open or triaged case to those who decide difficult ones.
   *
   * For administrators with the scope `reports:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_PRECONDITION_FAILED, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  escalate(params: ReportsEscalateParams, options?: CallOptions): Promise<ReportCase>;

  /**
   * Opens a resolved case again, if its subject has no later case and no order of its resolution is pending. A case can be opened again 20 times.
   *
   * For administrators with the scope `reports:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_PRECONDITION_FAILED, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  reopen(params: ReportsReopenParams, options?: CallOptions): Promise<ReportCase>;

  /**
   * Assigns a case that is not resolved to a user, by default to the caller.
   *
   * For administrators with the scope `reports:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_PRECONDITION_FAILED, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  assign(params: ReportsAssignParams, options?: CallOptions): Promise<ReportCase>;

  /**
   * Takes a case that is not resolved from its assignee.
   *
   * For administrators with the scope `reports:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_PRECONDITION_FAILED, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  unassign(params: ReportsUnassignParams, options?: CallOptions): Promise<ReportCase>;

  /**
   * Adds a note to a case in any state. Notes are never changed or removed; a case has at most 100.
   *
   * For administrators with the scope `reports:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_PRECONDITION_FAILED, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  addNote(params: ReportsAddNoteParams, options?: CallOptions): Promise<ReportCase>;

  /**
   * Sets or clears the severity of a case that is not resolved.
   *
   * For administrators with the scope `reports:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_PRECONDITION_FAILED, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  setSeverity(params: ReportsSetSeverityParams, options?: CallOptions): Promise<ReportCase>;
}

/** The parameters of `notices.send`. */
export interface NoticesSendParams {
  /** The id of the recipient. */
  readonly user_id: unknown;
  /** The content of the event, a JSON object. */
  readonly content: unknown;
  /** The event type; m.room.message when unset. */
  readonly type?: string | null;
  /** The state key; unset for a message event. */
  readonly state_key?: string | null;
}

/** The parameters of `notices.put`. */
export interface NoticesPutParams {
  /** The transaction id, unique within the session of the sender. */
  readonly txn_id: string;
  /** The id of the recipient. */
  readonly user_id: unknown;
  /** The content of the event, a JSON object. */
  readonly content: unknown;
  /** The event type; m.room.message when unset. */
  readonly type?: string | null;
  /** The state key; unset for a message event. */
  readonly state_key?: string | null;
}

/** Sends server notices. */
export interface NoticesApi {
  /**
   * Sends a server notice to a user, in a room of its own. While the account that sends notices is deactivated, or is one that the server did not make, notices are refused with 400 M_UNKNOWN; after its reactivation they are sent in new rooms.
   *
   * For administrators with the scope `notices:send`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  send(params: NoticesSendParams, options?: CallOptions): Promise<SendServerNoticeResponse>;

  /**
   * Sends a server notice to a user, once per transaction.
   *
   * For administrators with the scope `notices:send`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  put(params: NoticesPutParams, options?: CallOptions): Promise<PutServerNoticeResponse>;
}

/** The parameters of `audit.list`. */
export interface AuditListParams {
  /** The id of the entry to begin with, such as the next_token of the previous page; the newest entry when unset. */
  readonly from?: string;
  /** The maximum number of entries; 100 when unset, at most 1,000. */
  readonly limit?: number;
  /** Only calls of this actor; empty for calls with the shared secret. */
  readonly actor?: string;
  /** Only calls about this target: the id of a user, room, media item, report and so on. */
  readonly target?: string;
  /** Only calls of this action, for example user.deactivate. */
  readonly action?: string;
  /** Only calls with this outcome. */
  readonly outcome?: 'unknown' | 'ok' | 'refused' | 'failed';
  /** Only calls received at or after this time, in milliseconds since the Unix epoch. */
  readonly from_ts?: number;
  /** Only calls received before this time, in milliseconds since the Unix epoch. */
  readonly until_ts?: number;
  /** Only calls of the HTTP request with this id, the X-Request-Id of its response. */
  readonly request_id?: string;
  /** Only calls about this registration token, of which the entries have fingerprints. */
  readonly registration_token?: string;
}

/** The parameters of `audit.verify`. */
export interface AuditVerifyParams {
  /** The first number to verify, for example the next_number of the previous part; the first one in the log when unset. */
  readonly from_number?: number;
  /** The maximum number of entries to verify; 10,000 when unset, at most 100,000. */
  readonly limit?: number;
}

/** The parameters of `audit.export`. */
export interface AuditExportParams {
  /** The first number to export; the first one in the log when unset. */
  readonly from_number?: number;
  /** The last number to export; the last one in the log when unset. */
  readonly to_number?: number;
}

/** The parameters of `audit.createCheckpoint`. */
export type AuditCreateCheckpointParams = Readonly<Record<never, never>>;

/** The parameters of `audit.listCheckpoints`. */
export interface AuditListCheckpointsParams {
  /** The next_token of the previous page; the newest checkpoint when unset. */
  readonly from?: string;
  /** The maximum number of checkpoints; 100 when unset, at most 1,000. */
  readonly limit?: number;
}

/** The audit log. */
export interface AuditApi {
  /**
   * Lists the entries of the audit log, one page at a time, newest first. An entry must match all filters. Reading the log is not recorded.
   *
   * For administrators with the scope `audit:read`. `registration_token` requires `registration_tokens:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: AuditListParams, options?: CallOptions): Listing<ListAuditLogResponse, AuditEntry>;

  /**
   * Verifies that the numbered entries of the audit log are as they were recorded, and names the first one that is not. A long log is verified in parts: next_number says where the next one starts. Requests are carried out one after the other; a caller of whom four wait is refused.
   *
   * For administrators with the scope `audit:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  verify(params?: AuditVerifyParams, options?: CallOptions): Promise<VerifyAuditLogResponse>;

  /**
   * Exports the numbered entries of the audit log and their checkpoints in order, one JSON object per line (application/x-ndjson), for verification without the server.
   *
   * For administrators with the scope `audit:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  export(params?: AuditExportParams, options?: CallOptions): Promise<ByteStream>;

  /**
   * Makes a checkpoint at the last numbered entry, or returns the one that exists there.
   *
   * For administrators with the scope `audit:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  createCheckpoint(params?: AuditCreateCheckpointParams, options?: CallOptions): Promise<AuditCheckpoint>;

  /**
   * Lists the checkpoints of the audit log, one page at a time, newest first.
   *
   * For administrators with the scope `audit:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listCheckpoints(params?: AuditListCheckpointsParams, options?: CallOptions): Listing<ListAuditCheckpointsResponse, AuditCheckpoint>;
}

/** The parameters of `events.list`. */
export interface EventsListParams {
  /** The position after which the page begins: the next_after of the previous page. When unset, the page begins with the oldest event that the feed has. If the feed no longer has the event after this position, or does not have the position yet, the request is refused with 410; the answer then has oldest and latest. */
  readonly after?: number;
  /** The maximum number of events; 100 when unset, at most 1,000. With 0, only next_after and latest are returned. */
  readonly limit?: number;
  /** Only events of this type, for example account.deactivated, or of the types with this beginning: account.*; may be repeated. */
  readonly type?: readonly string[];
  /** Only events about this target: the id of a user, room, media item, report and so on. */
  readonly target?: string;
  /** Only changes by this actor; empty for those by the server or with the shared secret. */
  readonly actor?: string;
}

/** The feed: what was changed on the server, in one order. */
export interface EventsApi {
  /**
   * Lists the events of the feed, one page at a time, oldest first. An event must match all filters; the caller sees the events of types to which one of its scopes belongs. The feed has no end: a page that reaches the last event has a next_after that equals latest, and the next request returns what was appended since. Reading the feed is not recorded.
   *
   * For administrators with the scope `events:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_POSITION_GONE, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: EventsListParams, options?: CallOptions): Listing<ListEventsResponse, Event>;
}

/** The parameters of `webhooks.list`. */
export interface WebhooksListParams {
  /** The next_token of the previous page; the newest webhook when unset. */
  readonly from?: string;
  /** The maximum number of webhooks; 100 when unset, at most 1,000. */
  readonly limit?: number;
}

/** The parameters of `webhooks.create`. */
export interface WebhooksCreateParams {
  /** Where messages are sent to: an http or https URL of at most 2,048 characters, without user name, password and fragment, whose host is not an internal address. */
  readonly url: string;
  /** What it is for, at most 256 characters. */
  readonly description?: string;
  /** The types of events that it gets, for example account.deactivated, and beginnings of types: account.*; at most 100. All that the caller may see when empty. */
  readonly types?: readonly string[] | null;
  /** The ids of users, rooms, media and so on: only events with one of them among their targets; at most 100, each of at most 255 characters. All when empty. */
  readonly targets?: readonly string[] | null;
  /** The secret: whsec_ and the base64 of 24 to 64 bytes; generated when unset. */
  readonly secret?: string | null;
  /** Whether it is switched on; true when unset. */
  readonly enabled?: boolean | null;
  /** The position of the feed after which it gets events; from now on when unset. */
  readonly after?: number | null;
}

/** The parameters of `webhooks.get`. */
export interface WebhooksGetParams {
  /** The id. */
  readonly id: string;
}

/** The parameters of `webhooks.update`. */
export interface WebhooksUpdateParams {
  /** The id. */
  readonly id: string;
  /** As when it is created. What waits is sent there, too. */
  readonly url?: string;
  /** As when it is created. */
  readonly description?: string;
  /** As when it is created; they replace the current ones, for events that the webhook has not reached yet. */
  readonly types?: readonly string[];
  /** As when it is created; they replace the current ones, for events that the webhook has not reached yet. */
  readonly targets?: readonly string[];
  /** Whether it is switched on. With true, what waits is due at once, also if it was switched on before. */
  readonly enabled?: boolean;
  /** Whether it gets the scopes of the caller in place of those that it has. This requires url, so that a receiver gets more only from a caller who names it. */
  readonly take_scopes?: boolean;
}

/** The parameters of `webhooks.delete`. */
export interface WebhooksDeleteParams {
  /** The id. */
  readonly id: string;
}

/** The parameters of `webhooks.rotateSecret`. */
export interface WebhooksRotateSecretParams {
  /** The id. */
  readonly id: string;
  /** How long messages are signed with the current secret, too, in milliseconds: 86,400,000 (a day) when unset, at most 604,800,000 (a week). With 0 it ends at once. */
  readonly overlap_ms?: number | null;
  /** The new secret, as when a webhook is created; generated when unset. */
  readonly secret?: string | null;
}

/** The parameters of `webhooks.test`. */
export interface WebhooksTestParams {
  /** The id. */
  readonly id: string;
}

/** The parameters of `webhooks.listDeliveries`. */
export interface WebhooksListDeliveriesParams {
  /** The id of the webhook. */
  readonly id: string;
  /** The next_token of the previous page; the newest delivery when unset. */
  readonly from?: string;
  /** The maximum number of deliveries; 100 when unset, at most 500. */
  readonly limit?: number;
  /** Only deliveries in this state. */
  readonly state?: 'pending' | 'delivered' | 'failed' | 'discarded';
  /** Only the delivery of this event. */
  readonly event_id?: string;
}

/** The parameters of `webhooks.getDelivery`. */
export interface WebhooksGetDeliveryParams {
  /** The id of the webhook. */
  readonly id: string;
  /** The id of the delivery. */
  readonly delivery_id: string;
}

/** The parameters of `webhooks.replayDelivery`. */
export interface WebhooksReplayDeliveryParams {
  /** The id of the webhook. */
  readonly id: string;
  /** The id of the delivery. */
  readonly delivery_id: string;
}

/** The parameters of `webhooks.replay`. */
export interface WebhooksReplayParams {
  /** The id of the webhook. */
  readonly id: string;
  /** The position after which events are sent again. */
  readonly after?: number | null;
  /** Events of this time and later ones are sent again, in milliseconds since the Unix epoch. */
  readonly since_ts?: number | null;
  /** Events of this time and earlier ones only, in milliseconds since the Unix epoch. */
  readonly until_ts?: number | null;
}

/** Administers webhooks. A webhook gets events of those types to which a scope belongs that its maker had when it was made, or that a caller had who gave it theirs later. Only a caller with all its scopes changes, rotates and deletes it. */
export interface WebhooksApi {
  /**
   * Lists the webhooks, one page at a time, newest first. Secrets are not shown.
   *
   * For administrators with the scope `webhooks:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: WebhooksListParams, options?: CallOptions): Listing<ListWebhooksResponse, Webhook>;

  /**
   * Creates a webhook. Its secret is in the answer and cannot be read again. A URL that leads to an address inside is refused. A caller selects only types to which one of the caller's scopes belongs.
   *
   * For administrators with the scope `webhooks:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_POSITION_GONE, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  create(params: WebhooksCreateParams, options?: CallOptions): Promise<CreateWebhookResponse>;

  /**
   * Returns a webhook, without its secret.
   *
   * For administrators with the scope `webhooks:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: WebhooksGetParams, options?: CallOptions): Promise<Webhook>;

  /**
   * Changes those fields of a webhook that the body contains, at least one. The caller has all scopes of the webhook, which it keeps unless take_scopes is true. Enabling a webhook resumes it at its last position and retries pending deliveries at once.
   *
   * For administrators with the scope `webhooks:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  update(params: WebhooksUpdateParams, options?: CallOptions): Promise<Webhook>;

  /**
   * Deletes a webhook with its deliveries. The caller has all scopes of the webhook. What is being sent at that moment may still arrive.
   *
   * For administrators with the scope `webhooks:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  delete(params: WebhooksDeleteParams, options?: CallOptions): Promise<DeleteWebhookResponse>;

  /**
   * Gives a webhook a new secret, which is in the answer and cannot be read again. Messages are signed with the previous secret, too, for the rest of the overlap; an older one ends at once. The caller has all scopes of the webhook.
   *
   * For administrators with the scope `webhooks:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  rotateSecret(params: WebhooksRotateSecretParams, options?: CallOptions): Promise<RotateWebhookSecretResponse>;

  /**
   * Sends a message of the type webhook.test, once and before what waits: the delivery shows what the receiver answered. While 10 tests wait, a further one is answered with 429. A webhook that is switched off sends none and is answered with 409.
   *
   * For administrators with the scope `webhooks:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  test(params: WebhooksTestParams, options?: CallOptions): Promise<TestWebhookResponse>;

  /**
   * Lists the deliveries of a webhook, one page at a time, newest first.
   *
   * For administrators with the scope `webhooks:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listDeliveries(params: WebhooksListDeliveriesParams, options?: CallOptions): Listing<ListWebhookDeliveriesResponse, WebhookDelivery>;

  /**
   * Returns a delivery.
   *
   * For administrators with the scope `webhooks:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getDelivery(params: WebhooksGetDeliveryParams, options?: CallOptions): Promise<WebhookDelivery>;

  /**
   * Sends the message of a delivery again, with the same id: at once if it still waits for its next attempt, otherwise as a new delivery with all its attempts. A webhook that is switched off sends none and is answered with 409.
   *
   * For administrators with the scope `webhooks:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  replayDelivery(params: WebhooksReplayDeliveryParams, options?: CallOptions): Promise<WebhookDelivery>;

  /**
   * Sends all events of a part of the feed again that the webhook selects, as a task. Events that the webhook has not reached yet follow in any case.
   *
   * For administrators with the scope `webhooks:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_POSITION_GONE, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  replay(params: WebhooksReplayParams, options?: CallOptions): Promise<ReplayWebhookResponse>;
}

/** The parameters of `bulks.create`. */
export interface BulksCreateParams {
  /** The request that is made for each. */
  readonly action: BulkAction;
  /** The ids of the users, at most 10,000; one that occurs twice is one. */
  readonly users: readonly string[];
  /** The number of different users: required above 100, so that a wrong list is noticed. */
  readonly confirm_count?: number;
}

/** The parameters of `bulks.get`. */
export interface BulksGetParams {
  /** The id of the task. */
  readonly task_id: string;
  /** The next_token of the previous page; the first results when unset. */
  readonly from?: string;
  /** The maximum number of results; 100 when unset, at most 1,000. */
  readonly limit?: number;
}

/** Actions for many. */
export interface BulksApi {
  /**
   * Begins to carry one action out for many users: a task makes a request for each, as the caller. Each stands alone: what is refused for one does not stop the others. The caller needs the scopes of the action, now and when it is carried out for each.
   *
   * For administrators with the scope `tasks:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_UNRECOGNIZED, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  create(params: BulksCreateParams, options?: CallOptions): Promise<CreateBulkResponse>;

  /**
   * Returns the progress of a bulk, and the outcome of each of its requests, until one day after its end.
   *
   * For administrators with the scope `tasks:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: BulksGetParams, options?: CallOptions): Listing<GetBulkResponse, BulkResult>;
}

/** The parameters of `tasks.list`. */
export interface TasksListParams {
  /** The next_token of the previous page; the newest task when unset. */
  readonly from?: string;
  /** The maximum number of tasks; 100 when unset, at most 500. */
  readonly limit?: number;
  /** Only tasks of this kind; may be repeated. */
  readonly kind?: readonly string[];
  /** Only tasks in this state; may be repeated. */
  readonly state?: readonly ('scheduled' | 'active' | 'complete' | 'failed' | 'cancelled')[];
  /** Only tasks that work on this room or user, or on the media with this SHA-256 hash. */
  readonly target?: string;
  /** Only tasks that this user requested. */
  readonly requested_by?: string;
  /** Only tasks created at or after this time, in milliseconds since the Unix epoch. */
  readonly from_ts?: number;
  /** Only tasks created at or before this time, in milliseconds since the Unix epoch. */
  readonly until_ts?: number;
}

/** The parameters of `tasks.get`. */
export interface TasksGetParams {
  /** The task id. */
  readonly task_id: string;
}

/** The parameters of `tasks.cancel`. */
export interface TasksCancelParams {
  /** The task id. */
  readonly task_id: string;
}

/** The parameters of `tasks.listScheduled`. */
export interface TasksListScheduledParams {
  /** Only tasks of this kind; may be repeated. */
  readonly action_name?: readonly string[];
  /** Only tasks that work on this room or user, or on the media with this SHA-256 hash. */
  readonly resource_id?: string;
  /** Only tasks in this state; may be repeated. */
  readonly status?: readonly ('scheduled' | 'active' | 'complete' | 'failed' | 'cancelled')[];
  /** The same as status; both together select the tasks in any of the states. */
  readonly job_status?: readonly ('scheduled' | 'active' | 'complete' | 'failed' | 'cancelled')[];
  /** Only tasks created at or before this time, in milliseconds since the Unix epoch. */
  readonly max_timestamp?: number;
}

/** The tasks of all services: queued and active ones, and ended ones for one day. */
export interface TasksApi {
  /**
   * Lists the tasks, one page at a time, newest first.
   *
   * For administrators with the scope `tasks:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: TasksListParams, options?: CallOptions): Listing<ListTasksResponse, Task>;

  /**
   * Returns a task.
   *
   * For administrators with the scope `tasks:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  get(params: TasksGetParams, options?: CallOptions): Promise<Task>;

  /**
   * Cancels a task. A queued task stops at once; an active one stops at its next checkpoint and reports cancelling until then. Completed work is not undone. A room.delete can be cancelled until it starts to purge the room, a room.purge_history until it starts, tasks of all other kinds at any time; after that point, or after the task has ended, the call is refused with 409. Safe to repeat.
   *
   * For administrators with the scope `tasks:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  cancel(params: TasksCancelParams, options?: CallOptions): Promise<Task>;

  /**
   * Lists the newest 10,000 tasks, in the order of their creation, in the format of existing tools.
   *
   * For administrators with the scope `tasks:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listScheduled(params?: TasksListScheduledParams, options?: CallOptions): Listing<ListScheduledTasksResponse, ScheduledTask>;
}

/** The parameters of `deadLetters.list`. */
export interface DeadLettersListParams {
  /** The next_token of the previous page; the first page when unset. */
  readonly from?: string;
  /** The maximum number of dead letters; 100 when unset, at most 500. */
  readonly limit?: number;
}

/** The parameters of `deadLetters.replay`. */
export interface DeadLettersReplayParams {
  /** The id of the dead letter. */
  readonly letter_id: string;
}

/** The parameters of `deadLetters.drop`. */
export interface DeadLettersDropParams {
  /** The id of the dead letter. */
  readonly letter_id: string;
}

/** Administers dead letters: facts that a consumer gave up after repeated failures. They are kept for 90 days. */
export interface DeadLettersApi {
  /**
   * Lists the dead letters, one page at a time.
   *
   * For administrators with the scope `server:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  list(params?: DeadLettersListParams, options?: CallOptions): Listing<ListDeadLettersResponse, DeadLetter>;

  /**
   * Delivers a dead letter to its consumer again, after the waiting facts of the same aggregate. If the consumer fails again, the fact becomes a dead letter again.
   *
   * For administrators with the scope `server:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  replay(params: DeadLettersReplayParams, options?: CallOptions): Promise<ReplayDeadLetterResponse>;

  /**
   * Deletes a dead letter: the consumer never processes the fact. The dead letter of an audit log entry (the fact audit.recorded) is kept.
   *
   * For administrators with the scope `server:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  drop(params: DeadLettersDropParams, options?: CallOptions): Promise<DropDeadLetterResponse>;
}

/** The parameters of `server.getStatus`. */
export type ServerGetStatusParams = Readonly<Record<never, never>>;

/** The parameters of `server.getVersion`. */
export type ServerGetVersionParams = Readonly<Record<never, never>>;

/**
 * The state of the server, for administrators.
 *
 * The server's version, capabilities and addresses.
 */
export interface ServerApi {
  /**
   * Returns the state of the server and of each of its processes. Processes report every 10 seconds; the one that answers in a server of one process reports at once. A process that has not reported for 30 seconds is lost, and is left out after five minutes; one that ends in order is left out at once. What cannot be read in time is null or left out.
   *
   * For administrators with the scope `server:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getStatus(params?: ServerGetStatusParams, options?: CallOptions): Promise<GetServerStatusResponse>;

  /**
   * Returns the version of steward.
   *
   * For administrators with the scope `server:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getVersion(params?: ServerGetVersionParams, options?: CallOptions): Promise<GetServerVersionResponse>;
}

/** The parameters of `federation.listDestinations`. */
export interface FederationListDestinationsParams {
  /** The number of destinations to skip; 0 when unset. */
  readonly from?: number;
  /** The maximum number of destinations; 100 when unset. */
  readonly limit?: number;
  /** Only destinations whose names contain this text, ignoring case. */
  readonly destination?: string;
  /** The sort key; destination when unset. Ties ascend by destination. */
  readonly order_by?: 'destination' | 'retry_last_ts' | 'retry_interval' | 'failure_ts' | 'last_successful_stream_ordering';
  /** The direction: f for ascending or b for descending; f when unset. */
  readonly dir?: 'f' | 'b';
}

/** The parameters of `federation.getDestination`. */
export interface FederationGetDestinationParams {
  /** The server name. */
  readonly destination: string;
}

/** The parameters of `federation.listDestinationRooms`. */
export interface FederationListDestinationRoomsParams {
  /** The server name. */
  readonly destination: string;
  /** The number of rooms to skip; 0 when unset. */
  readonly from?: number;
  /** The maximum number of rooms; 100 when unset. */
  readonly limit?: number;
  /** The direction: f for ascending or b for descending room ids; f when unset. */
  readonly dir?: 'f' | 'b';
}

/** The parameters of `federation.resetConnection`. */
export interface FederationResetConnectionParams {
  /** The server name. */
  readonly destination: string;
}

/** The servers to which events are sent. */
export interface FederationApi {
  /**
   * Lists the destinations, one page at a time.
   *
   * For administrators with the scope `server:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listDestinations(params?: FederationListDestinationsParams, options?: CallOptions): Listing<ListDestinationsResponse, Destination>;

  /**
   * Returns a destination.
   *
   * For administrators with the scope `server:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getDestination(params: FederationGetDestinationParams, options?: CallOptions): Promise<Destination>;

  /**
   * Lists the rooms that are shared with a destination.
   *
   * For administrators with the scope `server:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  listDestinationRooms(params: FederationListDestinationRoomsParams, options?: CallOptions): Listing<ListDestinationRoomsResponse, DestinationRoom>;

  /**
   * Retries an unreachable destination at once.
   *
   * For administrators with the scope `server:write`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  resetConnection(params: FederationResetConnectionParams, options?: CallOptions): Promise<ResetConnectionResponse>;
}

/** The parameters of `backgroundUpdates.getStatus`. */
export type BackgroundUpdatesGetStatusParams = Readonly<Record<never, never>>;

/** The parameters of `backgroundUpdates.getEnabled`. */
export type BackgroundUpdatesGetEnabledParams = Readonly<Record<never, never>>;

/** The parameters of `backgroundUpdates.setEnabled`. */
export interface BackgroundUpdatesSetEnabledParams {
  /** Whether background updates may run; true when unset. */
  readonly enabled?: boolean;
}

/** The parameters of `backgroundUpdates.startJob`. */
export interface BackgroundUpdatesStartJobParams {
  /** The data to rebuild: the statistics of rooms, or the user directory. */
  readonly job_name: 'populate_stats_process_rooms' | 'regenerate_directory';
}

/** Background updates, for existing tools. None ever run: derived data is updated with each change. */
export interface BackgroundUpdatesApi {
  /**
   * Returns the running background updates.
   *
   * For administrators with the scope `server:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getStatus(params?: BackgroundUpdatesGetStatusParams, options?: CallOptions): Promise<GetUpdateStatusResponse>;

  /**
   * Returns whether background updates may run.
   *
   * For administrators with the scope `server:read`.
   *
   * @throws StewardError: M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_TOKEN, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  getEnabled(params?: BackgroundUpdatesGetEnabledParams, options?: CallOptions): Promise<GetUpdatesEnabledResponse>;

  /**
   * Enables or disables background updates, in the instance that receives the call and until it exits.
   *
   * For administrators with the scope `server:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  setEnabled(params?: BackgroundUpdatesSetEnabledParams, options?: CallOptions): Promise<SetUpdatesEnabledResponse>;

  /**
   * Starts a job that rebuilds derived data; completes at once, because the data is always up to date.
   *
   * For administrators with the scope `server:write`.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_USER_LOCKED, M_USER_SUSPENDED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_ACTION_IN_PROGRESS, STEWARD_ALREADY_DONE, STEWARD_CREDENTIAL_LIMITED, STEWARD_IDEMPOTENCY_KEY_REUSED, STEWARD_SECOND_FACTOR_REQUIRED, STEWARD_STEP_UP_REQUIRED
   */
  startJob(params: BackgroundUpdatesStartJobParams, options?: CallOptions): Promise<StartJobResponse>;
}

/** The parameters of `plans.create`. */
export interface PlansCreateParams {
  /** Its verb. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  /** Its path, escaped as in the request line, with the query if it has one. */
  readonly path: string;
  /** Its body. Without one it is sent without a body. */
  readonly body?: unknown;
}

/** Plans requests. */
export interface PlansApi {
  /**
   * Answers what a request would do, and never does it. It is checked as the request itself, and refused with the same status and errcode; it requires the same scopes.
   *
   * For all accounts except guests.
   *
   * @throws StewardError: M_BAD_JSON, M_FORBIDDEN, M_GUEST_ACCESS_FORBIDDEN, M_INVALID_PARAM, M_LIMIT_EXCEEDED, M_MISSING_PARAM, M_MISSING_TOKEN, M_NOT_FOUND, M_NOT_JSON, M_TOO_LARGE, M_UNKNOWN, M_UNKNOWN_TOKEN, M_UNRECOGNIZED, M_USER_LOCKED, ORG_MATRIX_EXPIRED_ACCOUNT, STEWARD_CREDENTIAL_LIMITED
   */
  create(params: PlansCreateParams, options?: CallOptions): Promise<Plan>;
}

/** The operations of the administrative API, by group. */
export interface Methods {
  /** Creates accounts. */
  readonly registration: RegistrationApi;
  /** Administers the tokens that permit registration. */
  readonly registrationTokens: RegistrationTokensApi;
  /**
   * Inspects, creates, changes, deactivates and finds the accounts of this server.
   *
   * Administers roles. A caller gives, takes and changes only what the caller has: a role whose scopes the caller does not all have is refused with 403 M_FORBIDDEN.
   *
   * Administrator sessions. Their secret is in a cookie that scripts cannot read, that is sent to pages of the same site only, and that only the administrative API accepts.
   *
   * Adds, names and removes passkeys. Users do so in an administrator session with a recent step-up; browsers create and use passkeys at the address of server.public_baseurl, without which there are none. An account has at most 20.
   *
   * Enrols and removes second factors. While an account has one, its access tokens carry no administrative rights, and its administrator sessions begin with a code. A caller manages the factor of their own account with an access token and the password, or with an administrator session and a recent step-up; tokens to act as another user, automation tokens and clients of services are refused with 403 M_FORBIDDEN. After 10 wrong codes of the app, one more can be tried each hour; recovery codes work all the time.
   *
   * Account conditions: shadow-ban, suspension, rate limit, validity, experimental features.
   *
   * Quotas: how much of each kind a user may store. A request that would exceed one is refused with 403 M_RESOURCE_LIMIT_EXCEEDED, whose limit_type is the name of the kind. What a user already has stays, and can always be deleted. Administrators have no quotas, except those set for them here.
   *
   * Sessions and access tokens.
   *
   * Kicks, bans, invites, redacts and sends in rooms that the administrator need not have joined. The event is sent in the name of the local member with the most power who may send it; if there is none, the order is refused with 400 M_UNKNOWN. The event says in `unsigned`, as administrators receive it, who ordered it: `steward.ordered_by`.
   *
   * Redacts the events of a user in many rooms. The work runs as a task, which survives a restart of the process.
   *
   * The memberships and activity of a user, of this server or another, in the rooms of this server. User ids are not validated: an unknown user has no memberships.
   *
   * What the server knows of the push gateways of a user. User ids are not validated: an unknown user has no pushers.
   *
   * Lists, quarantines and deletes media.
   *
   * What one user did, and what concerned the user.
   *
   * Account data: JSON objects by type, global or per room.
   *
   * Pushers of accounts.
   *
   * The state of encryption of accounts. It shows no content and no private key: the server has none.
   */
  readonly users: UsersApi;
  /** Administers groups. A caller gives a group only roles whose scopes the caller has, and changes and deletes only groups, and adds and removes members only of groups, of whose roles the caller has all scopes: any other is refused with 403 M_FORBIDDEN. */
  readonly groups: GroupsApi;
  /** Administers roles. A caller gives, takes and changes only what the caller has: a role whose scopes the caller does not all have is refused with 403 M_FORBIDDEN. */
  readonly roles: RolesApi;
  /** Administers roles. A caller gives, takes and changes only what the caller has: a role whose scopes the caller does not all have is refused with 403 M_FORBIDDEN. */
  readonly me: MeApi;
  /** Administrator sessions. Their secret is in a cookie that scripts cannot read, that is sent to pages of the same site only, and that only the administrative API accepts. */
  readonly sessions: SessionsApi;
  /** Adds, names and removes passkeys. Users do so in an administrator session with a recent step-up; browsers create and use passkeys at the address of server.public_baseurl, without which there are none. An account has at most 20. */
  readonly passkeys: PasskeysApi;
  /** Enrols and removes second factors. While an account has one, its access tokens carry no administrative rights, and its administrator sessions begin with a code. A caller manages the factor of their own account with an access token and the password, or with an administrator session and a recent step-up; tokens to act as another user, automation tokens and clients of services are refused with 403 M_FORBIDDEN. After 10 wrong codes of the app, one more can be tried each hour; recovery codes work all the time. */
  readonly secondFactor: SecondFactorApi;
  /** Administers automation tokens. A caller makes, rotates and revokes only tokens whose scopes the caller has: any other is refused with 403 M_FORBIDDEN. */
  readonly tokens: TokensApi;
  /** Lists, renames, creates and deletes the devices of accounts, with their tokens. */
  readonly devices: DevicesApi;
  /** Pages and redirects for browsers, with which users sign in at an identity provider. */
  readonly providerSignIns: ProviderSignInsApi;
  /**
   * Lists, inspects, blocks and repairs all rooms of this server, whether the administrator has joined them or not.
   *
   * Lists the blocks of rooms, which need not exist.
   *
   * Kicks, bans, invites, redacts and sends in rooms that the administrator need not have joined. The event is sent in the name of the local member with the most power who may send it; if there is none, the order is refused with 400 M_UNKNOWN. The event says in `unsigned`, as administrators receive it, who ordered it: `steward.ordered_by`.
   *
   * Removes the local users from a room, ends their invitations and knocks, and purges its data. The work runs as a task, which survives a restart of the process.
   *
   * Removes the events of a room before a point; the room state stays. The work runs as a task, which survives a restart of the process.
   *
   * The media of rooms.
   *
   * Lists, quarantines and deletes media.
   */
  readonly rooms: RoomsApi;
  /**
   * Shows the figures of the server and of parts of it. A figure is null when the service that has it cannot be reached.
   *
   * Statistics about rooms.
   *
   * Statistics about media.
   */
  readonly statistics: StatisticsApi;
  /**
   * Lists, quarantines and deletes media.
   *
   * Finds media of all users and servers, and changes all that a selector finds.
   */
  readonly media: MediaApi;
  /** Administers the SHA-256 hashes of known-bad content. An upload whose bytes have a listed hash is refused or quarantined. */
  readonly mediaHashes: MediaHashesApi;
  /** Creates and administers reports of events. */
  readonly eventReports: EventReportsApi;
  /** Creates and administers reports that are not about a single event. */
  readonly userReports: UserReportsApi;
  /**
   * Resolves the cases of reports.
   *
   * Lists the reports, and decides about them. All reports of one subject since its last case was resolved are one case; what is done to a report is done to its case. A path names a report by its kind and its number (event-12), or a case by its id.
   */
  readonly reports: ReportsApi;
  /** Sends server notices. */
  readonly notices: NoticesApi;
  /** The audit log. */
  readonly audit: AuditApi;
  /** The feed: what was changed on the server, in one order. */
  readonly events: EventsApi;
  /** Administers webhooks. A webhook gets events of those types to which a scope belongs that its maker had when it was made, or that a caller had who gave it theirs later. Only a caller with all its scopes changes, rotates and deletes it. */
  readonly webhooks: WebhooksApi;
  /** Actions for many. */
  readonly bulks: BulksApi;
  /** The tasks of all services: queued and active ones, and ended ones for one day. */
  readonly tasks: TasksApi;
  /** Administers dead letters: facts that a consumer gave up after repeated failures. They are kept for 90 days. */
  readonly deadLetters: DeadLettersApi;
  /**
   * The state of the server, for administrators.
   *
   * The server's version, capabilities and addresses.
   */
  readonly server: ServerApi;
  /** The servers to which events are sent. */
  readonly federation: FederationApi;
  /** Background updates, for existing tools. None ever run: derived data is updated with each change. */
  readonly backgroundUpdates: BackgroundUpdatesApi;
  /** Plans requests. */
  readonly plans: PlansApi;
}
