/**
 * How the operations of the administrative API are called in programs: a group of related operations, and a name within
 * it. The name is that of the RPC without the nouns of the group: `AccountService_ListUsers` is `users.list`.
 */
export interface OperationName {
  /** The group, in lower camel case, such as `registrationTokens`. */
  readonly group: string;
  /** The name within the group, in lower camel case, such as `list`. */
  readonly name: string;
}

interface Group {
  readonly group: string;
  /** The words that names within the group leave out, each possibly of several words, such as `RegistrationToken`. */
  readonly nouns: readonly string[];
}

const USERS: Group = { group: 'users', nouns: ['User', 'Users', 'Account'] };
const ROOMS: Group = { group: 'rooms', nouns: ['Room', 'Rooms'] };
const SERVER: Group = { group: 'server', nouns: ['Server'] };
const STATISTICS: Group = { group: 'statistics', nouns: [] };

/** The groups of the tags whose plural would read badly, or that share a group. */
const GROUPS: Readonly<Record<string, Group>> = {
  Account: USERS,
  Activity: USERS,
  AccountData: USERS,
  AdminSession: { group: 'sessions', nouns: ['AdminSession', 'AdminSessions'] },
  Audit: { group: 'audit', nouns: ['AuditLog', 'Audit'] },
  AutomationToken: { group: 'tokens', nouns: ['AutomationToken', 'AutomationTokens'] },
  Condition: USERS,
  Encryption: USERS,
  Federation: { group: 'federation', nouns: [] },
  Feed: { group: 'events', nouns: ['Event', 'Events'] },
  HistoryPurge: ROOMS,
  Maintenance: { group: 'backgroundUpdates', nouns: ['Update', 'Updates'] },
  MediaAdministration: { group: 'media', nouns: ['Media'] },
  MediaHash: { group: 'mediaHashes', nouns: ['MediaHash', 'MediaHashes'] },
  MediaInventory: { group: 'media', nouns: ['Media'] },
  MediaStatistics: STATISTICS,
  Pusher: USERS,
  PushState: USERS,
  Quota: USERS,
  Registration: { group: 'registration', nouns: [] },
  Report: { group: 'reports', nouns: ['Report', 'Reports'] },
  ReportResolution: { group: 'reports', nouns: ['Report', 'Reports'] },
  BlockedRoom: ROOMS,
  RoomAdmin: ROOMS,
  RoomDeletion: ROOMS,
  RoomMedia: ROOMS,
  RoomOrder: ROOMS,
  RoomStatistics: STATISTICS,
  SecondFactor: { group: 'secondFactor', nouns: [] },
  Server: SERVER,
  Passkey: { group: 'passkeys', nouns: ['Passkey'] },
  ServerNotice: { group: 'notices', nouns: ['ServerNotice'] },
  ServerStatus: SERVER,
  Session: USERS,
  Statistics: STATISTICS,
  UserRedaction: USERS,
  UserRoom: USERS,
};

/** The operations whose names the rule would make unclear. */
const NAMES: Readonly<Record<string, OperationName>> = {
  AccountService_CheckUsername: { group: 'users', name: 'checkUsername' },
  AccountService_GetUserNames: { group: 'users', name: 'getNames' },
  AccountService_GetAdminFlag: { group: 'users', name: 'getAdmin' },
  AccountService_PutAdminFlag: { group: 'users', name: 'setAdmin' },
  AccountDataService_ListAccountData: { group: 'users', name: 'listAccountData' },
  ActivityService_ListUserActivity: { group: 'users', name: 'listActivity' },
  AdminSessionService_ListAccountAdminSessions: { group: 'users', name: 'listSessions' },
  AdminSessionService_EndAccountAdminSession: { group: 'users', name: 'endSession' },
  AuditService_ListAuditLog: { group: 'audit', name: 'list' },
  DeviceService_DeleteDevices: { group: 'devices', name: 'deleteMany' },
  MediaAdministrationService_DeleteUserMedia: { group: 'users', name: 'deleteMedia' },
  MediaAdministrationService_GetMediaInfo: { group: 'media', name: 'get' },
  MediaAdministrationService_ListUserMedia: { group: 'users', name: 'listMedia' },
  MediaAdministrationService_PurgeMediaCache: { group: 'media', name: 'purgeCache' },
  MediaAdministrationService_QuarantineRoomMedia: { group: 'rooms', name: 'quarantineMedia' },
  MediaAdministrationService_QuarantineUserMedia: { group: 'users', name: 'quarantineMedia' },
  MediaHashService_DeleteSourceMediaHashes: { group: 'mediaHashes', name: 'deleteSource' },
  MediaStatisticsService_ListUsage: { group: 'statistics', name: 'listMediaUsage' },
  // The command line has `reports triage`, which goes through all of them.
  ReportService_TriageReport: { group: 'reports', name: 'markTriaged' },
  RoleService_GetAccountRoles: { group: 'users', name: 'getRoles' },
  RoleService_GetMe: { group: 'me', name: 'get' },
  RoleService_SetAccountRoles: { group: 'users', name: 'setRoles' },
  BlockedRoomService_ListBlockedRooms: { group: 'rooms', name: 'listBlocked' },
  RoomAdminService_GetRoomEventContext: { group: 'rooms', name: 'getEventContext' },
  RoomAdminService_JoinUser: { group: 'rooms', name: 'joinUser' },
  RoomOrderService_BanUserFromRooms: { group: 'users', name: 'ban' },
  RoomOrderService_UnbanUserFromRooms: { group: 'users', name: 'unban' },
  PasskeyService_BeginPasskeySignIn: { group: 'passkeys', name: 'beginSignIn' },
  PasskeyService_BeginPasskeyStepUp: { group: 'passkeys', name: 'beginStepUp' },
  PasskeyService_ListAccountPasskeys: { group: 'users', name: 'listPasskeys' },
  PasskeyService_ListOwnPasskeys: { group: 'passkeys', name: 'list' },
  PasskeyService_RemoveAccountPasskey: { group: 'users', name: 'removePasskey' },
  SecondFactorService_GetUserTotp: { group: 'users', name: 'getTotp' },
  SecondFactorService_ResetTotp: { group: 'users', name: 'resetTotp' },
  SessionService_WhoIs: { group: 'users', name: 'whois' },
};

/**
 * Returns how an operation is called.
 *
 * @param operationId of the OpenAPI document: the service and the RPC, joined by an underscore
 * @param tag of the operation: the service without the suffix
 */
export function nameOperation(operationId: string, tag: string): OperationName {
  const fixed = NAMES[operationId];
  if (fixed !== undefined) return fixed;
  const { group, nouns } = GROUPS[tag] ?? { group: pluralOf(lowerFirst(tag)), nouns: [tag, pluralOf(tag)] };
  const [, rpc = ''] = operationId.split('_');
  const words = wordsOf(rpc);
  const name = nouns
    .map(wordsOf)
    .sort((one, other) => other.length - one.length)
    .reduce(without, words)
    .join('');
  return { group, name: lowerFirst(name) };
}

/** Returns the words without those of the noun, which may stand anywhere but in front. */
function without(words: readonly string[], noun: readonly string[]): readonly string[] {
  const at = words.findIndex((_, index) => index > 0 && noun.every((word, i) => words[index + i] === word));
  return at < 0 ? words : without(words.toSpliced(at, noun.length), noun);
}

function wordsOf(name: string): readonly string[] {
  return name.match(/[A-Z][a-z0-9]*/g) ?? [];
}

function pluralOf(noun: string): string {
  return noun.endsWith('s') ? noun : noun.replace(/y$/, 'ie').concat('s');
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
