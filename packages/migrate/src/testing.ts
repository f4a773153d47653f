/** Databases of the reference homeserver, for tests. */

import { randomUUID } from 'node:crypto';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Client } from 'pg';

/** The columns of the tables that are read, as release 1.163.2 has them. */
const TABLES: Readonly<Record<string, string>> = {
  schema_version: 'version',
  users:
    'name, password_hash, creation_ts, admin, upgrade_ts, is_guest, appservice_id, consent_version, consent_server_notice_sent, user_type, deactivated, shadow_banned, consent_ts, approved, locked, suspended',
  profiles: 'user_id, displayname, avatar_url, full_user_id, fields',
  erased_users: 'user_id',
  account_validity: 'user_id, expiration_ts_ms, email_sent, renewal_token, token_used_ts_ms',
  ratelimit_override: 'user_id, messages_per_second, burst_count',
  per_user_experimental_features: 'user_id, feature, enabled',
  users_pending_deactivation: 'user_id',
  user_threepids: 'user_id, medium, address, validated_at, added_at',
  user_external_ids: 'auth_provider, external_id, user_id',
  devices: 'user_id, device_id, display_name, last_seen, ip, user_agent, hidden',
  access_tokens:
    'id, user_id, device_id, token, valid_until_ms, puppets_user_id, last_validated, refresh_token_id, used',
  refresh_tokens: 'id, user_id, device_id, token, next_token_id, expiry_ts, ultimate_session_expiry_ts',
  dehydrated_devices: 'user_id, device_id, device_data',
  user_ips: 'user_id, access_token, device_id, ip, user_agent, last_seen',
  e2e_device_keys_json: 'user_id, device_id, ts_added_ms, key_json',
  e2e_one_time_keys_json: 'user_id, device_id, algorithm, key_id, ts_added_ms, key_json',
  e2e_fallback_keys_json: 'user_id, device_id, algorithm, key_id, key_json, used',
  e2e_cross_signing_keys:
    'user_id, keytype, keydata, stream_id, updatable_without_uia_before_ms, instance_name',
  e2e_cross_signing_signatures: 'user_id, key_id, target_user_id, target_device_id, signature',
  e2e_room_keys_versions: 'user_id, version, algorithm, auth_data, deleted, etag',
  e2e_room_keys:
    'user_id, room_id, session_id, version, first_message_index, forwarded_count, is_verified, session_data',
  device_inbox: 'user_id, device_id, stream_id, message_json, instance_name',
  account_data: 'user_id, account_data_type, stream_id, content, instance_name',
  room_account_data: 'user_id, room_id, account_data_type, stream_id, content, instance_name',
  room_tags: 'user_id, room_id, tag, content',
  push_rules: 'id, user_name, rule_id, priority_class, priority, conditions, actions',
  push_rules_enable: 'id, user_name, rule_id, enabled',
  pushers:
    'id, user_name, access_token, profile_tag, kind, app_id, app_display_name, device_display_name, pushkey, ts, lang, data, last_stream_ordering, last_success, failing_since, enabled, device_id, instance_name',
  user_filters: 'user_id, filter_id, filter_json, full_user_id',
  rooms: 'room_id, is_public, creator, room_version, has_auth_chain_index',
  events:
    'topological_ordering, event_id, type, room_id, content, unrecognized_keys, processed, outlier, depth, origin_server_ts, received_ts, sender, contains_url, instance_name, stream_ordering, state_key, rejection_reason',
  event_json: 'event_id, room_id, internal_metadata, json, format_version',
  current_state_events: 'event_id, room_id, type, state_key, membership, event_stream_ordering',
  room_memberships:
    'event_id, user_id, sender, room_id, membership, forgotten, display_name, avatar_url, event_stream_ordering, participant',
  event_txn_id_device_id: 'event_id, room_id, user_id, device_id, txn_id, inserted_ts',
  event_to_state_groups: 'event_id, state_group',
  state_groups: 'id, room_id, event_id',
  state_groups_state: 'state_group, room_id, type, state_key, event_id',
  state_group_edges: 'state_group, prev_state_group',
  redactions: 'event_id, redacts, have_censored, received_ts, recheck',
  room_ban_redactions: 'room_id, user_id, redacting_event_id, redact_end_ordering',
  room_aliases: 'room_alias, room_id, creator',
  blocked_rooms: 'room_id, user_id',
  receipts_linearized:
    'stream_id, room_id, receipt_type, user_id, event_id, data, instance_name, event_stream_ordering, thread_id',
  event_reports: 'id, received_ts, room_id, event_id, user_id, reason, content',
  room_reports: 'id, received_ts, room_id, user_id, reason',
  user_reports: 'id, received_ts, target_user_id, user_id, reason',
  quarantined_media_changes: 'stream_id, instance_name, origin, media_id, quarantined',
  local_media_repository:
    'media_id, media_type, media_length, created_ts, upload_name, user_id, quarantined_by, url_cache, last_access_ts, safe_from_quarantine, authenticated, sha256',
  remote_media_cache:
    'media_origin, media_id, media_type, created_ts, upload_name, media_length, filesystem_id, last_access_ts, quarantined_by, authenticated, sha256',
  registration_tokens: 'token, uses_allowed, pending, completed, expiry_time',
  background_updates: 'update_name, progress_json, depends_on, ordering',
  partial_state_rooms: 'room_id, device_lists_stream_id, join_event_id, joined_via',
};

/** Indexes without which its queries are slow on many rows. */
const INDEXES = [
  'events (event_id)',
  'events (stream_ordering)',
  'events (room_id, type, state_key)',
  'event_json (event_id)',
  'users (name)',
  'room_memberships (user_id, room_id)',
  'devices (user_id, device_id)',
  'access_tokens (id)',
  'access_tokens (refresh_token_id)',
];

/** The values of a row by column; the others are null. */
type Values = Readonly<Record<string, SQLInputValue>>;

/** A database that a test fills. */
export interface ReferenceDatabase {
  insert(table: string, row: Values): void;
  /** Stores an event of a room as the reference does, in the order of the calls. */
  insertEvent(event: InsertedEvent): void;
  run(sql: string): void;
  close(): void;
}

/** An event of a room; what is left out follows. */
export interface InsertedEvent {
  readonly event_id: string;
  readonly room_id: string;
  readonly type: string;
  readonly sender: string;
  readonly state_key?: string;
  readonly content: object;
  readonly redacts?: string;
  /** Whether the room has a version whose ids of rooms and events the event itself contains. */
  readonly contains_ids?: boolean;
  readonly outlier?: boolean;
  readonly soft_failed?: boolean;
  readonly rejection_reason?: string;
  readonly stream_ordering?: number;
  /** The events that it follows; none unless given. */
  readonly prev_events?: readonly string[];
  /** Of a state event: the one that it replaced in its branch; none unless given. */
  readonly replaces_state?: string | undefined;
}

/** Creates a database file with the tables of the reference. */
export function createReferenceDatabase(path: string, schemaVersion = 94): ReferenceDatabase {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = OFF');
  for (const [table, columns] of Object.entries(TABLES)) database.exec(`CREATE TABLE ${table} (${columns})`);
  for (const [index, of] of INDEXES.entries()) database.exec(`CREATE INDEX index_${index} ON ${of}`);
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const insert = (table: string, row: Values) => {
    const sql = `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
      .map(() => '?')
      .join(', ')})`;
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    statement.run(...Object.values(row));
  };
  insert('schema_version', { version: schemaVersion });
  let ordering = 0;
  return {
    insert,
    insertEvent({
      outlier,
      soft_failed,
      rejection_reason,
      contains_ids,
      stream_ordering,
      replaces_state,
      ...event
    }) {
      const { event_id, room_id, type, sender, state_key } = event;
      ordering = stream_ordering ?? ordering + 1;
      const ts = 1_700_000_000_000 + ordering;
      const { event_id: _, ...withoutId } = event;
      const stored = {
        ...(contains_ids ? event : withoutId),
        origin_server_ts: ts,
        depth: Math.max(ordering, 1),
        prev_events: event.prev_events ?? [],
        auth_events: [],
        hashes: {},
        signatures: {},
        unsigned: { age_ts: ts, ...(replaces_state === undefined ? {} : { replaces_state }) },
      };
      insert('events', {
        ...{ event_id, room_id, type, sender, outlier: outlier ? 1 : 0, received_ts: ts + 1 },
        ...{ origin_server_ts: ts, stream_ordering: ordering, state_key: state_key ?? null },
        rejection_reason: rejection_reason ?? null,
      });
      insert('event_json', {
        ...{ event_id, room_id, format_version: 3, json: JSON.stringify(stored) },
        internal_metadata: JSON.stringify(soft_failed ? { soft_failed } : {}),
      });
    },
    run: (sql) => database.exec(sql),
    close: () => database.close(),
  };
}

/** An empty database of PostgreSQL for a reference homeserver. */
export interface PostgresDatabase {
  /** The parameters of a connection that may do everything. */
  readonly owner: Readonly<Record<string, unknown>>;
  /** Those of a role that may only select, once `permitReading` was called. */
  readonly reader: Readonly<Record<string, unknown>>;
  permitReading(): Promise<void>;
  /** Removes the database and the role. */
  drop(): Promise<void>;
}

/** Creates a database of PostgreSQL, as the reference asks for it. */
export async function createPostgresDatabase(url: string): Promise<PostgresDatabase> {
  const name = `reference_${randomUUID().replaceAll('-', '')}`;
  const reader = `${name}_reader`;
  const query = async (connectionString: string, sql: readonly string[]) => {
    const client = new Client({ connectionString });
    await client.connect();
    try {
      for (const one of sql) await client.query(one);
    } finally {
      await client.end();
    }
  };
  const of = (dbname: string) => Object.assign(new URL(url), { pathname: `/${dbname}` }).href;
  const { hostname, port, username } = new URL(url);
  const owner = { host: hostname, port: Number(port), user: username, dbname: name };
  await query(url, [
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`,
    `CREATE ROLE ${reader} LOGIN`,
  ]);
  return {
    owner,
    reader: { ...owner, user: reader },
    permitReading: () =>
      query(of(name), [
        `GRANT USAGE ON SCHEMA public TO ${reader}`,
        `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${reader}`,
      ]),
    drop: () => query(url, [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, `DROP ROLE IF EXISTS ${reader}`]),
  };
}
