import type { Part } from './schema.ts';

/** The components of a document, by name. */
export type Components = Readonly<Record<string, Part>>;

const USER = '@alice:example.org';
const ADMIN = '@admin:example.org';
const ROOM = '!wonderland:example.org';
const EVENT = '$SGVsbG8sIHRoaXMgaXMgYW4gZXhhbXBsZSBldmVudA';
const MXC = 'mxc://example.org/FHyPlCeYUSFFxlgbQYZmoEoe';
const TIME_MS = 1_704_067_200_000;
const ADDRESS = '198.51.100.7';
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const TOKEN_ID = '018cc251f4000123456789abcdef';
const PROGRAM = 'Nightly report';
const TOTP_SECRET = 'JBSWY3DPEHPK3PXP';

const FAULT = 'What went wrong, in words';

const MESSAGE = { msgtype: 'm.text', body: 'Hello' };
const SENT = {
  type: 'm.room.message',
  event_id: EVENT,
  room_id: ROOM,
  sender: USER,
  origin_server_ts: TIME_MS,
  content: MESSAGE,
};
const DEVICE_DATA = {
  algorithm: 'm.dehydration.v2',
  device_pickle: 'RU5DUllQVEVE',
  nonce: 'TUFERUZPUlRIRUVYQU1QTEU',
};
const DEVICE_KEYS = {
  user_id: USER,
  device_id: 'JLAFKJWSCS',
  algorithms: ['m.olm.v1.curve25519-aes-sha2', 'm.megolm.v1.aes-sha2'],
  keys: {
    'curve25519:JLAFKJWSCS': '3C5BFWi2Y8MaVvjM8M22DBmh24PmgR0nPvJOIArzgyI',
    'ed25519:JLAFKJWSCS': 'lEuiRJBit0IG6nUf5pUzWTUEsRVVe/HJkoKuEww9ULI',
  },
  signatures: { [USER]: { 'ed25519:JLAFKJWSCS': 'RVhBTVBMRVNJR05BVFVSRQ' } },
};
const STATE = {
  ...SENT,
  type: 'm.room.name',
  state_key: '',
  content: { name: 'Wonderland' },
};

/** Typical values by JSON key, some qualified with the component. Values that the schema does not admit are skipped. */
const TYPICAL: Readonly<Record<string, readonly unknown[]>> = {
  access_token: ['syt_YWxpY2U_example'],
  address: ['alice@example.org'],
  aggregate_id: [USER],
  algorithm: ['m.megolm_backup.v1.curve25519-aes-sha2'],
  alias: ['#wonderland:example.org'],
  aliases: [['#wonderland:example.org']],
  allowed_addresses: [['198.51.100.0/24']],
  app_id: ['org.example.app'],
  auth_provider: ['oidc-example'],
  available: ['stable'],
  avatar: [MXC],
  avatar_url: [MXC],
  average_items_per_ms: [1],
  base_url: ['https://example.org'],
  before_ts: [TIME_MS],
  canonical_alias: ['#wonderland:example.org'],
  chunk: [[SENT]],
  content: [MESSAGE],
  content_uri: [MXC],
  created_by: [ADMIN],
  creator: [USER],
  delete_id: ['EXAMPLEdeleteid'],
  deleted_media: [['FHyPlCeYUSFFxlgbQYZmoEoe']],
  destination: ['other.example'],
  device_data: [DEVICE_DATA],
  device_id: ['JLAFKJWSCS'],
  device_keys: [DEVICE_KEYS],
  devices: [['JLAFKJWSCS']],
  dir: ['f'],
  display_name: ['Telephone'],
  displayname: ['Alice'],
  email_address: ['support@example.org'],
  end: ['t2'],
  event: [SENT],
  event_id: [EVENT],
  event_json: [SENT],
  event_type: ['m.room.message'],
  events_after: [[SENT]],
  events_before: [[SENT]],
  expires_in_ms: [300_000],
  external_id: ['1f3c2a'],
  failed_to_kick_users: [['@bob:example.org']],
  file_name: ['cat.png'],
  filename: ['cat.png'],
  from: [0, '0'],
  hash: [HASH],
  history_visibility: ['shared'],
  home_server: ['example.org'],
  homeserver: ['example.org'],
  id_server_unbind_result: ['success'],
  initial_device_display_name: ['Telephone'],
  ip: [ADDRESS],
  join_rule: ['invite'],
  join_rules: ['invite'],
  joined_members: [2],
  joined_rooms: [[ROOM]],
  kicked_users: [[USER]],
  lang: ['en'],
  last_seen_ip: [ADDRESS],
  limit: [10],
  local_aliases: [['#wonderland:example.org']],
  mac: ['2b5c1d0b7a4f5ad1d4d8d3b6a9a5b2b1a1c0f9e8'],
  media_bytes: [1_073_741_824],
  media_id: ['FHyPlCeYUSFFxlgbQYZmoEoe'],
  media_length: [4096],
  media_type: ['image/png'],
  medium: ['email'],
  members: [[USER]],
  membership: ['join'],
  message: ['This room is closed.'],
  name: ['Wonderland'],
  new_password: ['a long new password'],
  nonce: ['thisisanonce'],
  order_by: ['name'],
  password: ['a long password'],
  purge_id: ['EXAMPLEpurgeid'],
  purge_up_to_event_id: [EVENT],
  pushkey: ['EXAMPLEpushkey'],
  reason: ['Spam'],
  recovery_codes: [['abcd-efgh-ijkl-mnop']],
  redact_id: ['EXAMPLEredactid'],
  refresh_token: ['syr_YWxpY2U_example'],
  replacement_room: [ROOM],
  report_id: ['1', 1],
  room_alias_name: ['wonderland'],
  room_id: [ROOM],
  room_id_or_alias: [ROOM],
  room_version: ['10'],
  roles: [['auditor']],
  rooms: [[ROOM]],
  scopes: [['users:read']],
  search_term: ['alice'],
  sender: [USER],
  server_name: ['example.org'],
  server_version: ['0.2.0'],
  session: ['EXAMPLEsession'],
  start: ['t1'],
  state: [[STATE]],
  state_key: [''],
  target: [ROOM],
  target_user_id: ['@bob:example.org'],
  targets: [[USER]],
  token: ['abcd'],
  topic: ['Tea at six'],
  total_duration_ms: [1_000],
  totp: ['123456'],
  txn_id: ['m1704067200000.1'],
  upload_name: ['cat.png'],
  user: ['alice'],
  user_agent: ['Example/1.0'],
  user_id: [USER],
  username: ['alice'],
  version: ['10'],
  visibility: ['public'],
  'AdminSession.address': [ADDRESS],
  'AdminSession.id': ['EXAMPLEsessionid'],
  'AuditCheckpoint.previous': [0],
  'AuditEntry.action': ['user.deactivate'],
  'AuditEntry.actor': [ADMIN],
  'AuditEntry.address': [ADDRESS],
  'AuditEntry.ended_ts': [TIME_MS],
  'AuditEntry.id': ['001704067200000-EXAMPLEentry'],
  'AuditEntry.outcome': ['ok'],
  'AuditEntry.request': [{ user_id: USER, erase: true }],
  'AuditEntry.request_id': ['EXAMPLErequestid'],
  'AuditEntry.status': [200],
  'AuditEntry.token_kind': ['device'],
  'AuditFault.kind': ['entry_changed'],
  'AuditFault.message': [FAULT],
  'AutomationToken.id': [TOKEN_ID],
  'AutomationToken.name': [PROGRAM],
  'AutomationTokenUse.address': [ADDRESS],
  'BeginTotpResponse.secret': [TOTP_SECRET],
  'BeginTotpResponse.uri': [`otpauth://totp/example.org:alice?secret=${TOTP_SECRET}&issuer=example.org`],
  'CreateAutomationTokenRequest.name': [PROGRAM],
  'CreateAutomationTokenResponse.id': [TOKEN_ID],
  'CreateAutomationTokenResponse.name': [PROGRAM],
  'CreateAutomationTokenResponse.token': ['stw_EXAMPLE'],
  'CreateRoleRequest.name': ['reader'],
  'DeadLetter.consumer': ['room-accounts'],
  'DeadLetter.error': [FAULT],
  'DeadLetter.event': ['user.deactivated'],
  'DeadLetter.event_id': ['EXAMPLEeventid'],
  'DeadLetter.id': ['EXAMPLEletterid'],
  'FoundAccount.name': [USER],
  'GetHistoryPurgeResponse.error': [FAULT],
  'GetHistoryPurgeResponse.status': ['failed'],
  'GetMeResponse.token_kind': ['device'],
  'GetOverviewResponse.accounts': [312],
  'GetOverviewResponse.active_accounts': [298],
  'GetOverviewResponse.active_tasks': [1],
  'GetOverviewResponse.daily_active_users': [74],
  'GetOverviewResponse.failed_sign_ins_last_day': [9],
  'GetOverviewResponse.local_media': [5_120],
  'GetOverviewResponse.local_media_bytes': [1_073_741_824],
  'GetOverviewResponse.locked_accounts': [2],
  'GetOverviewResponse.monthly_active_users': [203],
  'GetOverviewResponse.open_reports': [3],
  'GetOverviewResponse.registrations_last_day': [4],
  'GetOverviewResponse.rooms': [96],
  'GetOverviewResponse.scheduled_tasks': [0],
  'GetOverviewResponse.suspended_accounts': [1],
  'GetOverviewResponse.weekly_active_users': [151],
  'GetRoomDeletionResponse.error': [FAULT],
  'GetRoomDeletionResponse.status': ['failed'],
  'GetUserRedactionResponse.error': [FAULT],
  'GetUserRedactionResponse.status': ['failed'],
  'HistoryPoint.accounts': [312],
  'HistoryPoint.daily_active_users': [74],
  'HistoryPoint.failed_sign_ins': [2],
  'HistoryPoint.local_media_bytes': [1_073_741_824],
  'HistoryPoint.messages': [1_480],
  'HistoryPoint.open_reports': [3],
  'HistoryPoint.registrations': [1],
  'HistoryPoint.rooms': [96],
  'HistoryPoint.sign_ins': [11],
  'HistoryPoint.uploads': [37],
  'Pusher.kind': ['http'],
  'Quota.quota': [1_073_741_824],
  'Quota.used': [1_048_576],
  'Role.name': ['reader'],
  'RoomDeletion.error': [FAULT],
  'RoomDeletion.status': ['failed'],
  'RoomVersionsCapability.default': ['10'],
  'RotateAutomationTokenResponse.id': [TOKEN_ID],
  'RotateAutomationTokenResponse.name': [PROGRAM],
  'RotateAutomationTokenResponse.token': ['stw_EXAMPLE'],
  'ScheduledTask.action': ['room.delete'],
  'ScheduledTask.id': ['EXAMPLEdeleteid'],
  'ScheduledTask.status': ['active'],
  'Task.id': ['EXAMPLEdeleteid'],
  'Task.kind': ['room.delete'],
  'Task.requested_by': [ADMIN],
  'Task.started_ts': [TIME_MS],
  'Task.state': ['active'],
  'User.name': [USER],
  'UserListEntry.name': [USER],
};

/** Typical keys of maps, by the map's name; the default is a device id. */
const KEYS: Readonly<Record<string, string>> = {
  // A map that is the whole answer.
  '': `user_${USER}_suspended`,
  available: '10',
  current_updates: 'example_update',
  features: 'msc3881',
  failures: USER,
  device_keys: USER,
  invite: ROOM,
  join: ROOM,
  joined: USER,
  knock: ROOM,
  leave: ROOM,
  master_keys: USER,
  memberships: ROOM,
  one_time_keys: USER,
  quotas: 'media_bytes',
  rooms: ROOM,
  self_signing_keys: USER,
  unstable_features: 'org.example.feature',
  user_signing_keys: USER,
};
const DEVICE = 'JLAFKJWSCS';

/** Lists nested in more messages than this are shown empty. */
const DEPTH_LIMIT = 6;

/**
 * An example of a whole value: every field of an answer, or the fields of a request that are required or have a
 * typical value. It always conforms to its schema, and is the same each time.
 *
 * @param owner the message that the schema describes, unless it is a component
 */
export function exampleOf(
  schema: Part,
  components: Components,
  direction: 'input' | 'output',
  owner = '',
): unknown {
  return example(schema, '', { components, direction, owner, depth: 0 });
}

/** An example of a parameter; `undefined` when no typical value is known. */
export function exampleOfParameter(name: string, schema: Part): unknown {
  return typical(name, schema);
}

interface Context {
  readonly components: Components;
  readonly direction: 'input' | 'output';
  /** The component or message that is described. */
  readonly owner: string;
  readonly depth: number;
}

function example(schema: Part, name: string, context: Context): unknown {
  const { $ref, anyOf } = schema as { $ref?: string; anyOf?: readonly Part[] };
  if ($ref !== undefined) {
    const component = $ref.slice($ref.lastIndexOf('/') + 1);
    const target = context.components[component] ?? {};
    return example(target, name, { ...context, owner: component, depth: context.depth + 1 });
  }
  if (anyOf?.[0]) return example(anyOf[0], name, context);
  const found = typicalOf(name, schema, context);
  if (found !== undefined) return found;
  const types = [schema.type].flat();
  if (types.includes('null')) return null;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (types[0]) {
    case 'object':
      return object(schema, name, context);
    case 'array': {
      const item =
        context.depth < DEPTH_LIMIT ? example(schema.items as Part, singular(name), context) : undefined;
      return item === undefined ? [] : [item];
    }
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return /(^|_)(ts|at|ms|seen)$/.test(name) ? TIME_MS : Math.max(1, Number(schema.minimum ?? 1));
    case 'boolean':
      return context.direction === 'input';
    default:
      return {};
  }
}

function object(schema: Part, name: string, context: Context): unknown {
  const values = schema.additionalProperties as Part | undefined;
  if (values) return { [KEYS[name] ?? DEVICE]: example(values, singular(name), context) };
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Part>);
  const required = new Set(schema.required as readonly string[] | undefined);
  const shown = properties.filter(
    ([name, property]) =>
      context.direction === 'output' ||
      required.has(name) ||
      typicalOf(name, property, context) !== undefined,
  );
  return Object.fromEntries(shown.map(([name, property]) => [name, example(property, name, context)]));
}

function typicalOf(name: string, schema: Part, { owner }: Context): unknown {
  return typical(`${owner}.${name}`, schema) ?? typical(name, schema);
}

/** The first typical value that a schema admits by itself. */
function typical(name: string, schema: Part): unknown {
  return TYPICAL[name]?.find((value) => admits(schema, value));
}

function admits(schema: Part, value: unknown): boolean {
  const { type, enum: values, pattern, maxLength, minimum, items } = schema;
  const isFree = type === undefined && !('$ref' in schema) && !('anyOf' in schema);
  if (isFree) return true;
  if (Array.isArray(values)) return values.includes(value);
  if (Array.isArray(value)) {
    if (![type].flat().includes('array')) return false;
    return value.every((item) => admits(items as Part, item));
  }
  // An object with a schema gets its example from that schema.
  if (typeof value === 'object') return false;
  const types = [type].flat();
  if (typeof value === 'number') {
    if (!types.includes('integer') && !types.includes('number')) return false;
    return minimum === undefined || value >= Number(minimum);
  }
  if (!types.includes('string')) return false;
  return (
    (pattern === undefined || new RegExp(String(pattern), 'u').test(String(value))) &&
    (maxLength === undefined || String(value).length <= Number(maxLength))
  );
}

function singular(name: string): string {
  return name.replace(/s$/, '');
}
