/**
 * The fields that a table of a list shows unless the caller asks for others, at most five: what the row is called, what a person decides
 * by, and when. Lists that are not named show the first fields of the contract.
 */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  AccountService_ListUsers: ['name', 'displayname', 'admin', 'creation_ts', 'last_seen_ts'],
  AccountService_ListUsersByState: ['name', 'displayname', 'admin', 'creation_ts', 'last_seen_ts'],
  ActivityService_ListUserActivity: ['ts', 'type', 'room_id', 'address', 'device_id'],
  AdminSessionService_ListAccountAdminSessions: ['id', 'address', 'user_agent', 'created_ts', 'last_used_ts'],
  AdminSessionService_ListOwnAdminSessions: ['id', 'current', 'address', 'created_ts', 'last_used_ts'],
  AuditService_ListAuditCheckpoints: ['number', 'ts', 'newest_ts', 'key_id', 'hash'],
  AuditService_ListAuditLog: ['ts', 'actor', 'action', 'outcome', 'reason'],
  AutomationTokenService_ListAutomationTokens: ['name', 'id', 'role', 'created_ts', 'expires_ts'],
  BlockedRoomService_ListBlockedRooms: ['name', 'room_id', 'canonical_alias', 'user_id', 'blocked_ts'],
  DeadLetterService_ListDeadLetters: ['id', 'consumer', 'event', 'given_up_ts', 'error'],
  DeviceService_ListDevices: ['device_id', 'display_name', 'last_seen_ip', 'last_seen_ts', 'dehydrated'],
  EventReportService_ListEventReports: ['id', 'name', 'sender', 'reason', 'received_ts'],
  FederationService_ListDestinations: ['destination', 'failure_ts', 'retry_last_ts', 'retry_interval'],
  FeedService_ListEvents: ['position', 'time', 'type', 'actor', 'targets'],
  MediaAdministrationService_ListUserMedia: [
    'upload_name',
    'media_id',
    'media_type',
    'media_length',
    'created_ts',
  ],
  MediaHashService_ListMediaHashes: ['sha256', 'source', 'action', 'note', 'added_ts'],
  MediaInventoryService_ListMedia: ['upload_name', 'media_id', 'media_type', 'user_id', 'created_ts'],
  MediaStatisticsService_ListUsage: ['user_id', 'displayname', 'media_count', 'media_length'],
  RegistrationTokenService_ListRegistrationTokens: [
    'token',
    'uses_allowed',
    'completed',
    'pending',
    'expiry_time',
  ],
  ReportService_GetReportEvidence: ['id', 'first_received_ts', 'last_received_ts', 'kept_until_ts'],
  ReportService_ListReports: ['id', 'user_id', 'reason', 'state', 'received_ts'],
  ReportService_ListReportsOfCase: ['id', 'reporter', 'reason', 'score', 'received_ts'],
  RoomAdminService_GetHierarchy: ['name', 'room_id', 'canonical_alias', 'num_joined_members', 'join_rule'],
  RoomAdminService_ListRoomMessages: ['origin_server_ts', 'sender', 'type', 'content', 'event_id'],
  RoomAdminService_ListRoomState: ['type', 'state_key', 'sender', 'origin_server_ts', 'content'],
  RoomAdminService_ListRooms: ['name', 'room_id', 'canonical_alias', 'joined_members', 'creator'],
  RoomDeletionService_ListRoomDeletions: ['delete_id', 'status', 'error', 'room_id'],
  BulkService_GetBulk: ['id', 'outcome', 'errcode', 'error'],
  RoomOrderService_GetRoomOrder: ['room_id', 'user_id', 'outcome', 'sender', 'error'],
  TaskService_ListScheduledTasks: ['id', 'action', 'status', 'resource_id', 'timestamp_ms'],
  TaskService_ListTasks: ['id', 'kind', 'state', 'target', 'created_ts'],
  UserReportService_ListUserReports: ['id', 'target_user_id', 'user_id', 'reason', 'received_ts'],
  WebhookService_ListWebhookDeliveries: ['id', 'type', 'state', 'created_ts', 'ended_ts'],
  WebhookService_ListWebhooks: ['id', 'url', 'description', 'enabled', 'last_success_ts'],
};

/** As `COLUMNS`, for the lists that a value of a parameter makes: by operation and value. */
const COLUMNS_OF_VARIANTS: Readonly<Record<string, readonly string[]>> = {
  'ReportService_ListReports subject': ['case_id', 'state', 'user_id', 'report_count', 'last_received_ts'],
};

const MOST = 5;

/**
 * Returns the fields that a table shows at first.
 *
 * @param all the fields of a row that have one value, in the order of the contract
 * @param rows the fields of a row; undefined where the contract does not say which there are
 * @param value the value that makes the list, for a list of a variant
 * @throws Error if the table names a field that no row has
 */
export function narrowColumns(
  operationId: string,
  all: readonly string[],
  rows: readonly string[] | undefined,
  value?: string,
): readonly string[] {
  const named = value === undefined ? COLUMNS[operationId] : COLUMNS_OF_VARIANTS[`${operationId} ${value}`];
  const unknown = named?.find((name) => rows !== undefined && !rows.includes(name));
  if (unknown !== undefined) throw new Error(`${operationId}: rows have no ${unknown}`);
  return named ?? all.slice(0, MOST);
}
