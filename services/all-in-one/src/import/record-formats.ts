import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { furtherOfHash, furtherOfMedia, mediaRecordKinds } from '@steward/media';
import { furtherOfReport, moderationRecordKinds } from '@steward/moderation';
import { ImportedHashSchema, ImportedMediaSchema } from '@steward/proto/steward/media/v1/import_pb.ts';
import { ImportedReportSchema } from '@steward/proto/steward/moderation/v1/import_pb.ts';
import { ImportedMemberSchema, ImportedRoomSchema } from '@steward/proto/steward/room/v1/import_pb.ts';
import {
  ImportedDeviceSchema,
  ImportedRoleSchema,
  ImportedUserSchema,
} from '@steward/proto/steward/user/v1/import_pb.ts';
import type { Field, Fields, RecordKind } from '@steward/records';
import { furtherOfRoom, recordKindsAfterEvents, recordKindsBeforeRooms, storedOfEvent } from '@steward/room';
import { furtherOfAccount, furtherOfDevice, furtherOfRole, userRecordKinds } from '@steward/user';
import type { OpenServices } from './open-services.ts';

/** The field of messages that carries further fields of their records. */
export const FURTHER = 'further';

/** A field of a kind of records that no message declares. */
interface OtherField {
  readonly name: string;
  readonly type: string;
  readonly isRequired?: boolean;
  readonly meaning: string;
}

/** The format of one kind of records. */
export interface RecordFormat {
  /** The name of its file without the ending. */
  readonly kind: string;
  /** What a record is, and what it refers to. */
  readonly about: string;
  /** The message whose fields are those of a record. */
  readonly schema?: DescMessage;
  /** The fields of that message without which a record is refused. */
  readonly required: readonly string[];
  /** The fields that the message carries as one text. */
  readonly further?: Fields;
  /** Fields of records that are not fields of that message. */
  readonly others: readonly OtherField[];
  readonly example?: object;
  /** The collections whose documents it carries. */
  readonly collections: readonly string[];
  /** Present for a kind whose records are documents, with the service that loads them. */
  readonly documents?: DocumentKind;
}

/** A kind of records that are documents of a service. */
export interface DocumentKind {
  readonly kind: RecordKind;
  readonly service: keyof Pick<OpenServices, 'user' | 'room' | 'media' | 'moderation'>;
}

const documentFormats = (
  service: DocumentKind['service'],
  kinds: readonly RecordKind[],
): readonly RecordFormat[] =>
  kinds.map((kind) => ({
    kind: kind.name,
    about: kind.about,
    required: [],
    others: othersOf(kind.fields, ''),
    collections: [kind.collection],
    documents: { kind, service },
  }));

function othersOf(fields: Fields, parent: string): readonly OtherField[] {
  return Object.entries(fields).flatMap(([key, field]: [string, Field<unknown>]) => {
    const { type, meaning, isOptional, isNullable, inner } = field;
    const name = `${parent}${key}`;
    const isRequired = !isOptional && !isNullable;
    const isList = type.startsWith('list');
    return [
      { name, type, isRequired, meaning },
      ...(inner ? othersOf(inner, isList ? `${name}[].` : `${name}.`) : []),
    ];
  });
}

const FOLLOWS = 'accepted and not used: it follows from the events';

const derived = (fields: Readonly<Record<string, string>>): readonly OtherField[] =>
  Object.entries(fields).map(([name, type]) => ({ name, type, meaning: FOLLOWS }));

/** The kinds of records in the order in which they are loaded: nothing refers to a later one. */
export const RECORD_FORMATS: readonly RecordFormat[] = [
  {
    kind: 'roles',
    further: furtherOfRole.fields,
    collections: ['user.roles'],
    about: 'A role of administrators that accounts may have, in addition to the built-in ones.',
    schema: ImportedRoleSchema,
    required: ['name'],
    others: [],
    example: { name: 'on-call', description: 'Who looks at night', scopes: ['tasks:read', 'server:read'] },
  },
  {
    kind: 'users',
    further: furtherOfAccount.fields,
    collections: ['user.accounts'],
    about:
      'An account of this server. Accounts that exist are skipped. One with an external id, an e-mail address or a number of another account is refused.',
    schema: ImportedUserSchema,
    required: ['user_id'],
    others: [],
    example: {
      user_id: '@alice:localhost',
      displayname: 'Alice',
      avatar_url: 'mxc://localhost/picture',
      created_ts: 1_700_000_000_000,
      admin: false,
      deactivated: false,
      password_hash: null,
      threepids: [
        {
          medium: 'email',
          address: 'alice@example.org',
          added_at: 1_700_000_000_000,
          validated_at: 1_700_000_000_000,
        },
      ],
      external_ids: [{ auth_provider: 'oidc', external_id: 'alice' }],
      user_type: null,
      is_guest: false,
      locked: false,
      shadow_banned: false,
      last_seen_ts: 1_700_000_100_000,
      roles: ['on-call'],
    },
  },
  {
    kind: 'devices',
    further: furtherOfDevice.fields,
    collections: ['user.devices'],
    about:
      'A device of an account, which is also a session in what `whois` lists. The account was seen at least as late.',
    schema: ImportedDeviceSchema,
    required: ['user_id', 'device_id'],
    others: [],
    example: {
      user_id: '@alice:localhost',
      device_id: 'TELEPHONE',
      display_name: 'Telephone',
      last_seen_ts: 1_700_000_100_000,
      last_seen_ip: '192.0.2.1',
      last_seen_user_agent: 'Mozilla/5.0',
    },
  },
  ...documentFormats('user', userRecordKinds),
  ...documentFormats('room', recordKindsBeforeRooms),
  {
    kind: 'rooms',
    further: furtherOfRoom.fields,
    collections: ['room.rooms'],
    about: 'A room, which is empty until its events are loaded.',
    schema: ImportedRoomSchema,
    required: ['room_id', 'creator', 'room_version'],
    others: derived({
      name: 'text',
      topic: 'text',
      join_rules: 'text',
      history_visibility: 'text',
      guest_access: 'text',
      encryption: 'text',
      federatable: 'flag',
      joined_members: 'whole number',
      state_events: 'whole number',
    }),
    example: {
      room_id: '!garden:localhost',
      creator: '@alice:localhost',
      room_version: '10',
      created_ts: 1_700_000_000_000,
      public: true,
      canonical_alias: '#garden:localhost',
      aliases: [],
      name: 'Garden',
    },
  },
  {
    kind: 'members',
    collections: ['room.members'],
    about:
      'A membership. Nothing is stored: the events determine who is a member. The file may be left out; it is checked.',
    schema: ImportedMemberSchema,
    required: ['room_id', 'user_id'],
    others: derived({ membership: 'text', event_id: 'text', ts: 'whole number' }),
    example: {
      room_id: '!garden:localhost',
      user_id: '@alice:localhost',
      membership: 'join',
      event_id: '$join',
      ts: 1_700_000_000_000,
    },
  },
  {
    kind: 'events',
    collections: ['room.events'],
    about:
      'An event of a room, in its federation form with `event_id` and `room_id`. The order of the lines is that of the stream; of one room they are loaded in this order, and not checked against its authorisation rules.',
    required: [],
    others: [
      { name: 'event_id', type: 'text', isRequired: true, meaning: 'The event id.' },
      { name: 'room_id', type: 'text', isRequired: true, meaning: 'The room id.' },
      { name: 'type', type: 'text', isRequired: true, meaning: 'The type.' },
      { name: 'sender', type: 'text', isRequired: true, meaning: 'The user id of the sender.' },
      { name: 'state_key', type: 'text', meaning: 'The state key; a state event has one.' },
      {
        name: 'origin_server_ts',
        type: 'whole number',
        isRequired: true,
        meaning: 'When it was sent, in milliseconds since the Unix epoch.',
      },
      { name: 'content', type: 'object', isRequired: true, meaning: 'The content, as it was sent.' },
      {
        name: 'depth',
        type: 'whole number',
        isRequired: true,
        meaning: 'Its depth in the graph of the room.',
      },
      { name: 'prev_events', type: 'list', isRequired: true, meaning: 'The ids of the events before it.' },
      {
        name: 'auth_events',
        type: 'list',
        isRequired: true,
        meaning: 'The ids of the events that authorise it.',
      },
      { name: 'hashes', type: 'object', meaning: 'Its content hashes.' },
      { name: 'signatures', type: 'object', meaning: 'Its signatures.' },
      { name: 'unsigned', type: 'object', meaning: 'What is not signed.' },
      {
        name: 'redacts',
        type: 'text',
        meaning: 'The id of the event that it redacts, in old room versions.',
      },
      {
        name: 'received_ts',
        type: 'whole number',
        meaning:
          'When the server received it, in milliseconds since the Unix epoch; `origin_server_ts` when left out.',
      },
      {
        name: 'soft_failed',
        type: 'flag',
        meaning: 'Whether it is hidden because a check failed when it came.',
      },
      { name: 'rejected', type: 'flag', meaning: 'Whether it is hidden because it was not allowed.' },
      { name: 'stored', type: 'object', meaning: 'What a server that exported it has stored beside it.' },
      ...othersOf(storedOfEvent.fields, 'stored.'),
    ],
    example: {
      event_id: '$create',
      room_id: '!garden:localhost',
      type: 'm.room.create',
      sender: '@alice:localhost',
      state_key: '',
      origin_server_ts: 1_700_000_000_000,
      content: { creator: '@alice:localhost', room_version: '10' },
      depth: 1,
      prev_events: [],
      auth_events: [],
      hashes: { sha256: 'n4NbBHNfnMzkVFT1wmUHsM0bLPUFvQT0wNTZbZLlWcA' },
    },
  },
  ...documentFormats('room', recordKindsAfterEvents),
  {
    kind: 'media',
    further: furtherOfMedia.fields,
    collections: ['media.media'],
    about:
      'A medium of this server or of another one, with or without its bytes. Without bytes it is listed and not served.',
    schema: ImportedMediaSchema,
    required: ['media_id'],
    others: [
      {
        name: 'file',
        type: 'text',
        meaning:
          'The file with its bytes, relative to the folder of the records and inside of it; as long as `media_length` says.',
      },
    ],
    example: {
      media_id: 'picture',
      user_id: '@alice:localhost',
      media_type: 'image/png',
      media_length: 7,
      upload_name: 'picture.png',
      created_ts: 1_700_000_000_000,
      last_access_ts: null,
      quarantined_by: null,
      origin: null,
      file: null,
    },
  },
  {
    kind: 'media_hashes',
    further: furtherOfHash.fields,
    collections: ['media.hashes'],
    about: 'A hash of known-bad content.',
    schema: ImportedHashSchema,
    required: ['sha256', 'action'],
    others: [],
    example: {
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      action: 'quarantine',
      open_report: true,
      source: 'partner',
      note: null,
      added_ts: 1_700_000_000_000,
      added_by: '@alice:localhost',
      last_match_ts: null,
    },
  },
  ...documentFormats('media', mediaRecordKinds),
  ...documentFormats('moderation', moderationRecordKinds),
  {
    kind: 'reports',
    further: furtherOfReport.fields,
    collections: ['moderation.event_reports'],
    about:
      'A report of an event, whose room, sender of the report and event have been loaded, unless it has a `sender`.',
    schema: ImportedReportSchema,
    required: ['id', 'event_id', 'room_id', 'user_id'],
    others: [],
    example: {
      id: 1,
      event_id: '$create',
      room_id: '!garden:localhost',
      user_id: '@alice:localhost',
      received_ts: 1_700_000_200_000,
      score: -50,
      reason: 'spam',
    },
  },
];

/** The format of a kind of records. */
export function formatOf(kind: string): RecordFormat {
  const found = RECORD_FORMATS.find((format) => format.kind === kind);
  if (!found) throw new Error(`There are no records of kind ${kind}`);
  return found;
}

/** What the services store that no record carries, with the reason. */
export const LEFT_OUT: ReadonlyMap<string, string> = new Map([
  ['media.claims', 'Names the bytes of uploads in progress, which end with the server.'],
  ['media.pending_uploads', 'Content URIs without bytes, of a day, which clients create again.'],
  ['media.usage', 'Follows from media: the import counts them.'],
  ['moderation.audit_chain', 'Belongs to the audit log.'],
  ['moderation.audit_checkpoints', 'Belongs to the audit log.'],
  [
    'moderation.audit_log',
    'Its hash chain proves what this server did, and stays with it: keep a backup, and the public key of its signatures.',
  ],
  ['moderation.feed_cursors', 'Positions in the feed, which begins anew.'],
  ['moderation.feed_events', 'What happened on the old server; the feed begins anew.'],
  ['moderation.feed_head', 'The end of the feed, which begins anew.'],
  ['moderation.reported_rooms', 'Follows from reports and rooms.'],
  ['moderation.webhook_deliveries', 'Messages of the feed, which begins anew.'],
  ['moderation.webhook_leases', 'Which process sends at the moment.'],
  ['room.imports', 'Exists only while an import runs.'],
  ['room.push_leases', 'Which process sends at the moment.'],
  ['room.push_positions', 'Up to where rooms were looked through for pushes, which begin anew.'],
  ['room.push_queues', 'Pushes on their way, which begin anew.'],
  ['room.push_states', 'How pushes went; pushers have records of their own.'],
  ['room.search_entries', 'Follows from events.'],
  ['room.search_positions', 'Up to where entries follow from events, which begins anew.'],
  ['room.server_keys', 'Secrets of the server that make no sense elsewhere: they mark pages of lists.'],
  ['room.state', 'Follows from events.'],
  ['user.device_queues', 'Follows from messages between devices.'],
  ['user.ended_sessions', 'The clean-up after sessions that ended in the last minutes.'],
  ['user.interactive_sessions', 'Authentications in progress, which begin anew.'],
  ['user.key_change_intents', 'Changes of keys that are being announced.'],
  ['user.key_change_streams', 'The order of changes of keys, which begins anew: clients ask for keys again.'],
  ['user.key_changes', 'The order of changes of keys, which begins anew: clients ask for keys again.'],
  ['user.login_tokens', 'Tokens of two minutes; users sign in again.'],
  ['user.openid_tokens', 'Tokens of an hour, which programs request again.'],
  ['user.passkey_challenges', 'Challenges of five minutes; users begin anew.'],
  ['user.provider_sign_ins', 'Sign-ins with identity providers in progress, which begin anew.'],
  [
    'user.server_keys',
    'Secrets of the server that make no sense elsewhere: they sign nonces of some minutes.',
  ],
  ['user.spent_nonces', 'Nonces of some minutes, signed with a key of the old server.'],
  ...['user', 'room', 'media', 'moderation'].flatMap((service) =>
    (
      [
        ['tasks', 'Work of the old server: it ends before the move, or is ordered again.'],
        ['task_parts', 'Belongs to tasks.'],
        ['task_turns', 'Belongs to tasks.'],
      ] as const
    ).map(([name, reason]) => [`${service}.${name}`, reason] as const),
  ),
  ...['user', 'room', 'media', 'moderation'].flatMap((service) => [
    [
      `${service}.migrations`,
      'Says which format the documents have; the import writes the current one.',
    ] as const,
    [`${service}.outbox`, 'Facts on their way to other services, which load their own records.'] as const,
  ]),
]);

function leftOutReference(): string {
  return [
    '## What is left out',
    '',
    'Everything else that the services store has a kind of record.',
    '',
    '| Collection | Why |',
    '|---|---|',
    ...[...LEFT_OUT].toSorted().map(([name, reason]) => `| \`${name}\` | ${reason} |`),
    '',
  ].join('\n');
}

const INTRODUCTION = `# The records of imports

Generated from what the import declares (\`services/all-in-one/src/import/record-formats.ts\` and the messages in \`proto/\`); change
those, then run \`npm run generate\`; kinds of documents are in \`services/*/src/core/records/\`.

\`steward import\` reads NDJSON in UTF-8: one JSON object on a line. \`steward export\` writes the same. Files are loaded in the order of
this page, because records refer to earlier ones only. Times are whole numbers of milliseconds since the Unix epoch, lengths are bytes. A
field that is not required may be left out or \`null\`; a list is then empty, a flag false, a number 0. Records with an unknown field are
refused. An import can be repeated: what is loaded is skipped. A bad line is reported with file and line number, the others are
loaded, and the command exits with 1; with \`--strict\` it stops after the batch of up to 1,000 lines with the first.

\`\`\`sh
steward import /exports/2026-11-23          # the folder of an export
steward import users.ndjson rooms.ndjson events.ndjson
\`\`\`
`;

/**
 * The reference of all kinds of records in Markdown.
 *
 * @param comments the comment of a message or field in the protos, by its full name
 */
export function importReference(comments: (name: string) => string | undefined): string {
  const sections = RECORD_FORMATS.map(({ kind, about, schema, required, further, others, example }) =>
    [
      `## ${kind}`,
      '',
      about,
      '',
      '| Field | Type | Unit | Required | Meaning |',
      '|---|---|---|---|---|',
      ...(schema ? rowsOf(schema, comments, new Set(required), '') : []),
      ...[...others, ...(further ? othersOf(further, '') : [])].map(
        ({ name, type, isRequired = false, meaning }) => row(name, type, isRequired, meaning),
      ),
      '',
      ...(example ? ['```json', JSON.stringify(example), '```', ''] : []),
    ].join('\n'),
  );
  return [INTRODUCTION, ...sections, leftOutReference()].join('\n');
}

function rowsOf(
  schema: DescMessage,
  comments: (name: string) => string | undefined,
  required: ReadonlySet<string>,
  parent: string,
): readonly string[] {
  return schema.fields.flatMap((field) => {
    if (field.name === FURTHER) return [];
    const name = `${parent}${field.name}`;
    const meaning = comments(`${schema.typeName}.${field.name}`) ?? '';
    const inner = field.fieldKind === 'list' && field.listKind === 'message' ? field.message : undefined;
    return [
      row(name, typeOf(field), required.has(name), meaning),
      ...(inner ? rowsOf(inner, comments, required, `${name}[].`) : []),
      ...(field.fieldKind === 'message' ? rowsOf(field.message, comments, required, `${name}.`) : []),
    ];
  });
}

function row(name: string, type: string, isRequired: boolean, meaning: string): string {
  return `| \`${name}\` | ${type} | ${unitOf(name)} | ${isRequired ? 'yes' : ''} | ${meaning.replaceAll('\n', ' ')} |`;
}

function unitOf(name: string): string {
  if (/(?:^|_)ts$|_at$/.test(name)) return 'ms';
  return name.endsWith('_length') ? 'bytes' : '';
}

function typeOf(field: DescField): string {
  if (field.fieldKind === 'list') return field.listKind === 'message' ? 'list of objects' : 'list of texts';
  if (field.fieldKind !== 'scalar') return 'object';
  if (field.scalar === ScalarType.STRING) return 'text';
  return field.scalar === ScalarType.BOOL ? 'flag' : 'whole number';
}
