/** What a collection contains about people. */
export interface StoredData {
  /** What it says about whom. */
  readonly about: string;
  /** For how long; `{key}` stands for a setting with its default. */
  readonly kept: string;
  /** The scopes with which administrators read it; none if they cannot. */
  readonly scopes: readonly string[];
  /** What happens to it when its user is deactivated. */
  readonly deactivation: string;
  /** Whether `export --user` has its documents in `other.ndjson`. */
  readonly other?: true;
}

const REMOVED = 'removed';
const KEPT = 'kept';
const EXPIRES = 'kept until it expires';
const FOR_EVER = 'for ever';

const TASKS: StoredData = {
  about: 'who ordered a task, and on what',
  kept: '24 hours after its end',
  scopes: ['tasks:read'],
  deactivation: EXPIRES,
  other: true,
};

const TASK_PARTS: StoredData = {
  about: 'results of a task for single users, rooms and events',
  kept: '24 hours after its end',
  scopes: ['rooms:read', 'reports:read'],
  deactivation: EXPIRES,
};

const OUTBOX: StoredData = {
  about: 'facts on their way to other services: ids, and names of profiles',
  kept: 'until the bus has them, normally less than a second',
  scopes: [],
  deactivation: EXPIRES,
};

/** The collections with data about people, by name, each as one service stores it. */
export const STORED_DATA: ReadonlyMap<string, StoredData> = new Map<string, StoredData>([
  [
    'user.accounts',
    {
      about:
        'id, display name, avatar and further fields of the profile, e-mail addresses, telephone numbers, ids at identity providers, hash of the password, second factor, roles, groups, state, consent, own limits, last activity',
      kept: FOR_EVER,
      scopes: ['users:read'],
      deactivation:
        'kept without password, addresses, second factor and end of validity; erasure also empties the profile',
      other: true,
    },
  ],
  [
    'user.devices',
    {
      about: 'names, public keys, last address, program and time of use',
      kept: 'until the device is logged out or deleted',
      scopes: ['users:read'],
      deactivation: REMOVED,
    },
  ],
  [
    'user.dehydrated_devices',
    {
      about: 'public keys, and private keys that the client encrypted',
      kept: 'until the client or the end of all sessions removes it; that there was one stays',
      scopes: ['users:read'],
      deactivation: REMOVED,
    },
  ],
  [
    'user.device_messages',
    {
      about: 'messages to a device, with their senders; mostly encrypted',
      kept: 'until the device has received them, {retention.device_messages.max_age_ms} at most; their ids a day longer',
      scopes: [],
      deactivation: REMOVED,
    },
  ],
  [
    'user.device_queues',
    {
      about: 'number and size of these messages',
      kept: 'until the device is logged out or deleted',
      scopes: [],
      deactivation: REMOVED,
    },
  ],
  [
    'user.tokens',
    {
      about: 'digests of access tokens; who acts as the user',
      kept: 'until the session ends',
      scopes: [],
      deactivation: REMOVED,
    },
  ],
  [
    'user.refresh_tokens',
    { about: 'digests of refresh tokens', kept: 'until the session ends', scopes: [], deactivation: REMOVED },
  ],
  [
    'user.admin_sessions',
    {
      about: 'sessions of the console: address, program and time of the last use',
      kept: '{sessions.admin_lifetime_ms}, and {sessions.admin_idle_ms} without use',
      scopes: ['users:read'],
      deactivation: REMOVED,
    },
  ],
  [
    'user.ended_sessions',
    { about: 'whose sessions have just ended', kept: 'a minute', scopes: [], deactivation: EXPIRES },
  ],
  [
    'user.connections',
    {
      about: 'addresses and programs from which sessions were used, with the time of the last use',
      kept: '28 days after the last use',
      scopes: ['users:read'],
      deactivation: EXPIRES,
    },
  ],
  [
    'user.sign_ins',
    {
      about: 'sign-ins: time, device, address and program',
      kept: '28 days',
      scopes: ['users:read'],
      deactivation: EXPIRES,
    },
  ],
  [
    'user.pushers',
    {
      about: 'where push notifications go, and the program that receives them',
      kept: 'until the device ends',
      scopes: ['users:read'],
      deactivation: REMOVED,
    },
  ],
  [
    'user.account_data',
    {
      about: 'push rules, tags of rooms, ignored users, and all else that clients keep for the user',
      kept: 'until the client replaces it; of a room until the room is purged',
      scopes: ['rooms:content'],
      deactivation: REMOVED,
    },
  ],
  [
    'user.account_data_streams',
    { about: 'number and size of these data', kept: FOR_EVER, scopes: ['users:read'], deactivation: KEPT },
  ],
  [
    'user.filters',
    { about: 'what a client wants to sync', kept: 'until deactivation', scopes: [], deactivation: REMOVED },
  ],
  [
    'user.one_time_keys',
    {
      about: 'public keys of a device',
      kept: 'until one is handed out, or the device ends',
      scopes: [],
      deactivation: REMOVED,
    },
  ],
  [
    'user.cross_signing_keys',
    { about: 'public keys of the user', kept: 'until deactivation', scopes: [], deactivation: REMOVED },
  ],
  [
    'user.key_signatures',
    {
      about: 'whose keys the user has verified',
      kept: 'until deactivation',
      scopes: [],
      deactivation: REMOVED,
    },
  ],
  [
    'user.key_changes',
    { about: 'when the keys of a user changed', kept: FOR_EVER, scopes: [], deactivation: KEPT, other: true },
  ],
  [
    'user.key_change_intents',
    {
      about: 'whose keys are being changed',
      kept: 'a minute',
      scopes: [],
      deactivation: EXPIRES,
      other: true,
    },
  ],
  [
    'user.key_backups',
    {
      about: 'versions of the backup of room keys',
      kept: 'until the user deletes it',
      scopes: [],
      deactivation: REMOVED,
    },
  ],
  [
    'user.key_backup_sessions',
    {
      about: 'in which rooms the user has keys; the keys, which the client encrypted',
      kept: 'until the user deletes the backup, or the room is purged',
      scopes: [],
      deactivation: REMOVED,
    },
  ],
  [
    'user.login_tokens',
    {
      about:
        'digests of tokens with which the app of the user begins a session after a sign-in with an identity provider',
      kept: 'two minutes',
      scopes: [],
      deactivation: EXPIRES,
    },
  ],
  [
    'user.openid_tokens',
    {
      about: 'digests of tokens with which the user proves to other programs who they are',
      kept: 'an hour',
      scopes: [],
      deactivation: EXPIRES,
    },
  ],
  [
    'user.interactive_sessions',
    {
      about: 'requests that wait for a proof: user or address, and the request without passwords',
      kept: '48 hours',
      scopes: [],
      deactivation: EXPIRES,
    },
  ],
  [
    'user.automation_tokens',
    {
      about: 'who made it; time and address of its last use',
      kept: 'until it is revoked; seven days after its end',
      scopes: ['access:read'],
      deactivation: KEPT,
    },
  ],
  ['user.tasks', TASKS],
  ['user.task_parts', TASK_PARTS],
  ['user.outbox', OUTBOX],
  [
    'room.rooms',
    {
      about: 'who created a room; its name, topic and avatar',
      kept: 'until the room is purged',
      scopes: ['rooms:read'],
      deactivation: KEPT,
    },
  ],
  [
    'room.events',
    {
      about: 'what users write and do in rooms, encrypted where the room is',
      kept: 'until the room or its history is purged; messages {retention.messages.max_age_ms}',
      scopes: ['rooms:content'],
      deactivation: 'kept; of an erased user shown only to those who were in the room at the time',
    },
  ],
  [
    'room.state',
    {
      about: 'from when to when a state event was current',
      kept: 'as the event',
      scopes: ['rooms:content'],
      deactivation: KEPT,
    },
  ],
  [
    'room.members',
    {
      about: 'memberships, and the display name and avatar in each room',
      kept: 'until the room is purged',
      scopes: ['rooms:read', 'users:read'],
      deactivation: 'kept; the user leaves all rooms',
    },
  ],
  [
    'room.imports',
    { about: 'events that an import loads', kept: 'while it runs', scopes: [], deactivation: EXPIRES },
  ],
  [
    'room.aliases',
    {
      about: 'who created an alias',
      kept: 'until it is deleted',
      scopes: ['rooms:read'],
      deactivation: KEPT,
    },
  ],
  [
    'room.blocks',
    {
      about: 'who blocked a room',
      kept: 'until the block is lifted',
      scopes: ['rooms:read'],
      deactivation: KEPT,
      other: true,
    },
  ],
  [
    'room.cursors',
    {
      about: 'what a client has received of which rooms',
      kept: '30 days',
      scopes: [],
      deactivation: EXPIRES,
    },
  ],
  [
    'room.search_entries',
    {
      about: 'the words of messages in rooms that are not encrypted and were searched',
      kept: 'as long as the event; redaction removes them at the next search',
      scopes: [],
      deactivation: 'kept; of an erased user found only by those who were in the room at the time',
    },
  ],
  [
    'room.receipts',
    {
      about: 'up to where and when users have read rooms and threads',
      kept: 'until the room is purged',
      scopes: [],
      deactivation: REMOVED,
    },
  ],
  [
    'room.push_queues',
    {
      about: 'in which rooms events wait for a pusher of a user',
      kept: 'until they are pushed, 24 hours at most while the server runs',
      scopes: [],
      deactivation: REMOVED,
    },
  ],
  [
    'room.push_states',
    {
      about:
        'when pushes to a pusher of a user succeeded and failed, and how many unread messages it was told',
      kept: 'until the device ends',
      scopes: [],
      deactivation: REMOVED,
    },
  ],
  ['room.tasks', TASKS],
  ['room.task_parts', TASK_PARTS],
  ['room.outbox', OUTBOX],
  [
    'media.media',
    {
      about: 'uploads: who, when, name, type, size, last access, who quarantined or protected them',
      kept: 'until deleted; {retention.media.local_max_unused_ms} without use',
      scopes: ['media:read'],
      deactivation: KEPT,
    },
  ],
  [
    'media.pending_uploads',
    {
      about: 'content URIs that a user has created and whose bytes are not uploaded yet',
      kept: 'until the upload, 24 hours at most',
      scopes: [],
      deactivation: EXPIRES,
      other: true,
    },
  ],
  [
    'media.claims',
    { about: 'uploads in progress', kept: 'an hour at most', scopes: [], deactivation: EXPIRES },
  ],
  [
    'media.usage',
    {
      about: 'number and size of the media of a user, and the display name',
      kept: FOR_EVER,
      scopes: ['media:read'],
      deactivation: 'kept, also the display name after an erasure',
      other: true,
    },
  ],
  [
    'media.hashes',
    {
      about: 'who added a hash of known-bad content, and a note',
      kept: 'until it is removed',
      scopes: ['media:read'],
      deactivation: KEPT,
    },
  ],
  ['media.tasks', TASKS],
  ['media.task_parts', TASK_PARTS],
  ['media.outbox', OUTBOX],
  [
    'moderation.audit_log',
    {
      about:
        'what administrators did and read: who, as whom, with which device, from which address, to whom, why; refused attempts of users',
      kept: '{audit.retention_ms}, and up to a day longer',
      scopes: ['audit:read'],
      deactivation: EXPIRES,
      other: true,
    },
  ],
  [
    'moderation.feed_events',
    {
      about: 'what happened to whom, and who did it: ids and names of what changed, no content',
      kept: '{feed.retention_ms}',
      scopes: ['events:read'],
      deactivation: EXPIRES,
      other: true,
    },
  ],
  [
    'moderation.event_reports',
    {
      about: 'who reported which event of whom, and the reason',
      kept: 'until it is deleted',
      scopes: ['reports:read'],
      deactivation: KEPT,
    },
  ],
  [
    'moderation.user_reports',
    {
      about: 'who reported whom, and the reason',
      kept: 'until it is deleted',
      scopes: ['reports:read'],
      deactivation: KEPT,
    },
  ],
  [
    'moderation.room_reports',
    {
      about: 'who reported which room, and the reason',
      kept: 'until it is deleted',
      scopes: ['reports:read'],
      deactivation: KEPT,
    },
  ],
  [
    'moderation.media_reports',
    {
      about: 'who uploaded the medium that the server reports',
      kept: FOR_EVER,
      scopes: ['reports:read'],
      deactivation: KEPT,
    },
  ],
  [
    'moderation.inbox',
    {
      about: 'who reported, and who is reported',
      kept: 'until the report is deleted',
      scopes: ['reports:read'],
      deactivation: KEPT,
    },
  ],
  [
    'moderation.cases',
    {
      about: 'who is reported; notes, decisions and names of moderators',
      kept: FOR_EVER,
      scopes: ['reports:read'],
      deactivation: KEPT,
    },
  ],
  [
    'moderation.evidence',
    {
      about: 'copies of reported events and profiles',
      kept: '{reports.evidence_retention_ms} after the last report',
      scopes: ['rooms:content'],
      deactivation: 'kept until it expires, also after an erasure',
    },
  ],
  [
    'moderation.notice_rooms',
    {
      about: 'in which room a user receives server notices',
      kept: FOR_EVER,
      scopes: [],
      deactivation: KEPT,
    },
  ],
  [
    'moderation.webhooks',
    {
      about: 'who made it, and where it sends events to',
      kept: 'until it is deleted',
      scopes: ['webhooks:read'],
      deactivation: KEPT,
    },
  ],
  [
    'moderation.webhook_deliveries',
    {
      about: 'events of the feed that are sent, and answers of receivers',
      kept: '{webhooks.delivery_retention_ms}',
      scopes: ['webhooks:read'],
      deactivation: EXPIRES,
    },
  ],
  ['moderation.tasks', TASKS],
  ['moderation.task_parts', TASK_PARTS],
  ['moderation.outbox', OUTBOX],
]);

/** The collections with nothing about a person, with what they contain. */
export const IMPERSONAL: ReadonlyMap<string, string> = new Map([
  ['user.registration_tokens', 'tokens that admit to registration, and how often'],
  ['user.roles', 'names and scopes of roles'],
  ['user.groups', 'names of groups, and the roles of their members'],
  [
    'user.provider_sign_ins',
    'digests of sign-ins with identity providers in progress, and the addresses of their apps',
  ],
  ['user.passkey_challenges', 'digests of challenges for passkeys'],
  ['user.spent_nonces', 'nonces of the shared secret, and logouts of identity providers'],
  ['user.key_change_streams', 'the position of the last change of keys'],
  ['room.purged', 'ids of rooms that were purged'],
  ['room.receipt_streams', 'the position of the last receipt of a room'],
  ['room.push_leases', 'which process sends'],
  ['room.push_positions', 'up to where a room was looked through for pushes'],
  ['room.search_positions', 'up to where the messages of a room can be found'],
  ['media.quarantine_changes', 'which media were quarantined and released, in order'],
  ['moderation.audit_chain', 'the end of the hash chain'],
  ['moderation.audit_checkpoints', 'checkpoints of the hash chain'],
  ['moderation.counters', 'the last number of reports'],
  ['moderation.feed_head', 'the end of the feed'],
  ['moderation.feed_cursors', 'positions in the feed'],
  ['moderation.reported_rooms', 'ids of rooms with reports'],
  ['moderation.webhook_leases', 'which process sends'],
  ['moderation.figure_samples', 'figures of the server'],
  ...['user', 'room'].map((service) => [`${service}.server_keys`, 'keys of the server'] as const),
  ...['user', 'room', 'media', 'moderation'].map(
    (service) => [`${service}.task_turns`, 'which task comes next'] as const,
  ),
  ...['user', 'room', 'media', 'moderation'].flatMap((service) => [
    [`${service}.hour_counts`, 'numbers for the statistics'] as const,
    [`${service}.migrations`, 'which format the documents have'] as const,
  ]),
]);
