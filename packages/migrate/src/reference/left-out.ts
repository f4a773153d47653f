import type { LeftOut } from '../part.ts';
import { countOf, type SourceDatabase } from './source/database.ts';

const FEDERATION = 'of the exchange with other servers, which steward has not';
const DERIVED = 'follows from what is carried';
const WORK = 'work and caches of the old server';
const THUMBNAILS = 'made again when they are asked for';
const STATISTICS = 'statistics, which begin anew';
const PREVIEWS = 'previews of web pages, which are made again';
const MINUTES = 'of sign-ins that last minutes';
const PROVIDERS = 'sessions at identity providers: users sign in there again';
const CLIENTS_ASK = 'clients ask for it again';
const PRESENCE = 'presence, which steward has not';

/** Why the rows of a table, or some of them, are not carried; other tables are read by a part. */
const REASONS: readonly (readonly [table: string, reason: string, where?: string])[] = [
  ['devices', 'stand for cross-signing keys', 'hidden'],
  [
    'rooms',
    'rooms of which the server knows no history',
    "NOT EXISTS (SELECT 1 FROM events WHERE events.room_id = rooms.room_id AND events.type = 'm.room.create' AND events.outlier = $false)",
  ],
  ['events', 'not part of the history of a room (outliers)', 'outlier'],
  ['events', 'rejected', 'NOT outlier AND rejection_reason IS NOT NULL'],
  ['access_tokens', 'have ended', 'valid_until_ms <= $now'],
  ['refresh_tokens', 'were used', 'next_token_id IS NOT NULL'],
  [
    'refresh_tokens',
    'have ended',
    'next_token_id IS NULL AND (expiry_ts <= $now OR ultimate_session_expiry_ts <= $now)',
  ],
  ['e2e_room_keys_versions', 'deleted backups', 'deleted <> 0'],
  [
    'e2e_room_keys',
    'keys of deleted backups',
    'NOT EXISTS (SELECT 1 FROM e2e_room_keys_versions AS v WHERE v.user_id = e2e_room_keys.user_id AND v.version = e2e_room_keys.version AND v.deleted = 0)',
  ],
  [
    'device_inbox',
    'wait for devices that have gone',
    'NOT EXISTS (SELECT 1 FROM devices WHERE devices.user_id = device_inbox.user_id AND devices.device_id = device_inbox.device_id)',
  ],
  ['pushers', 'switched off', 'NOT enabled'],
  ['account_data', 'were deleted', "content = '{}'"],
  ['room_account_data', 'were deleted', "content = '{}'"],
  ['local_media_repository', PREVIEWS, 'url_cache IS NOT NULL'],
  [
    'local_media_repository',
    'were announced and never uploaded',
    'url_cache IS NULL AND media_length IS NULL',
  ],
  ['room_memberships', 'earlier memberships: they follow from events', '1 = 1'],
  ['application_services_state', WORK],
  ['application_services_txns', WORK],
  ['application_services_txn_id_seq', WORK],
  ['appservice_room_list', WORK],
  ['appservice_stream_position', WORK],
  ['applied_module_schemas', WORK],
  ['applied_schema_deltas', WORK],
  ['background_updates', WORK],
  ['blocked_rooms_backup', WORK],
  ['cache_invalidation_stream_by_instance', WORK],
  ['instance_map', WORK],
  ['worker_locks', WORK],
  ['worker_read_write_locks', WORK],
  ['worker_read_write_locks_mode', WORK],
  ['scheduled_tasks', WORK],
  ['schema_version', WORK],
  ['schema_compat_version', WORK],
  ['stream_positions', WORK],
  ['stream_ordering_to_exterm', WORK],
  ['insertion_event_edges', WORK],
  ['insertion_event_extremities', WORK],
  ['insertion_events', WORK],
  ['batch_events', WORK],
  ['ex_outlier_stream', WORK],
  ['ui_auth_sessions', MINUTES],
  ['ui_auth_sessions_credentials', MINUTES],
  ['ui_auth_sessions_ips', MINUTES],
  ['login_tokens', MINUTES],
  ['threepid_validation_session', MINUTES],
  ['threepid_validation_token', MINUTES],
  ['open_id_tokens', MINUTES],
  ['user_threepid_id_server', 'identity servers, which steward has not'],
  ['device_auth_providers', PROVIDERS],
  ['sessions', MINUTES],
  ['access_tokens_backup', WORK],
  ['device_federation_inbox', FEDERATION],
  ['device_federation_outbox', FEDERATION],
  ['device_lists_changes_converted_stream_position', CLIENTS_ASK],
  ['device_lists_changes_in_room', CLIENTS_ASK],
  ['device_lists_outbound_last_success', FEDERATION],
  ['device_lists_outbound_pokes', FEDERATION],
  ['device_lists_remote_cache', FEDERATION],
  ['device_lists_remote_extremeties', FEDERATION],
  ['device_lists_remote_pending', FEDERATION],
  ['device_lists_remote_resync', FEDERATION],
  ['device_lists_stream', CLIENTS_ASK],
  ['user_signature_stream', CLIENTS_ASK],
  ['deleted_pushers', CLIENTS_ASK],
  ['push_rules_stream', CLIENTS_ASK],
  ['room_tags_revisions', CLIENTS_ASK],
  ['device_lists_changes_in_room_max_pruned_stream_id', WORK],
  ['destination_rooms', FEDERATION],
  ['destinations', FEDERATION],
  ['federation_inbound_events_staging', FEDERATION],
  ['federation_stream_position', FEDERATION],
  ['event_failed_pull_attempts', FEDERATION],
  ['received_transactions', FEDERATION],
  ['server_keys_json', FEDERATION],
  ['server_signature_keys', FEDERATION],
  ['partial_state_events', FEDERATION],
  ['partial_state_rooms', FEDERATION],
  ['partial_state_rooms_servers', FEDERATION],
  ['un_partial_stated_event_stream', FEDERATION],
  ['un_partial_stated_room_stream', FEDERATION],
  ['room_alias_servers', FEDERATION],
  ['thirdparty_invites', FEDERATION],
  ['timeline_gaps', FEDERATION],
  ['event_json', 'the text of events, which `events` counts'],
  ['current_state_delta_stream', DERIVED],
  ['current_state_events', DERIVED],
  ['event_auth', DERIVED],
  ['event_auth_chain_links', DERIVED],
  ['event_auth_chain_to_calculate', DERIVED],
  ['event_auth_chains', DERIVED],
  ['event_backward_extremities', DERIVED],
  ['event_edges', DERIVED],
  ['event_expiry', DERIVED],
  ['event_forward_extremities', DERIVED],
  ['event_labels', DERIVED],
  ['event_relations', DERIVED],
  ['event_search', DERIVED],
  ['event_search_content', DERIVED],
  ['event_search_data', DERIVED],
  ['event_search_docsize', DERIVED],
  ['event_search_segdir', DERIVED],
  ['event_search_segments', DERIVED],
  ['event_search_stat', DERIVED],
  ['event_to_state_groups', DERIVED],
  ['event_txn_id_device_id', 'part of the records of events'],
  ['event_txn_id', 'repetitions of what was sent in the last day'],
  ['ignored_users', DERIVED],
  ['local_current_membership', DERIVED],
  ['redactions', DERIVED],
  ['rejections', DERIVED],
  ['room_ban_redactions', 'part of the records of events'],
  ['room_depth', DERIVED],
  ['room_retention', DERIVED],
  ['room_stats_current', DERIVED],
  ['room_stats_earliest_token', DERIVED],
  ['room_stats_state', DERIVED],
  ['state_events', DERIVED],
  ['state_group_edges', DERIVED],
  ['state_groups', DERIVED],
  ['state_groups_pending_deletion', WORK],
  ['state_groups_persisting', WORK],
  ['state_groups_state', DERIVED],
  ['stats_incremental_position', STATISTICS],
  ['threads', DERIVED],
  ['thread_subscriptions', 'subscriptions of threads, which steward has not'],
  ['sticky_events', 'sticky events, which steward has not'],
  ['delayed_events', 'delayed events, which steward has not'],
  ['delayed_events_stream_pos', WORK],
  ['finalised_delayed_events', WORK],
  ['monthly_active_users', STATISTICS],
  ['user_daily_visits', STATISTICS],
  ['user_stats_current', STATISTICS],
  ['user_directory', DERIVED],
  ['user_directory_search', DERIVED],
  ['user_directory_search_content', DERIVED],
  ['user_directory_search_docsize', DERIVED],
  ['user_directory_search_segdir', DERIVED],
  ['user_directory_search_segments', DERIVED],
  ['user_directory_search_stat', DERIVED],
  ['user_directory_stale_remote_users', DERIVED],
  ['user_directory_stream_pos', DERIVED],
  ['users_in_public_rooms', DERIVED],
  ['users_who_share_private_rooms', DERIVED],
  ['profile_updates', DERIVED],
  ['room_forgetter_stream_pos', WORK],
  ['event_push_actions', DERIVED],
  ['event_push_actions_staging', DERIVED],
  ['event_push_summary', DERIVED],
  ['event_push_summary_last_receipt_stream_id', WORK],
  ['event_push_summary_stream_ordering', WORK],
  ['pusher_throttle', WORK],
  ['receipts_graph', DERIVED],
  ['presence_stream', PRESENCE],
  ['presence_state', PRESENCE],
  ['presence', PRESENCE],
  ['local_media_repository_thumbnails', THUMBNAILS],
  ['remote_media_cache_thumbnails', THUMBNAILS],
  ['local_media_repository_url_cache', PREVIEWS],
  ['e2e_fallback_keys_json_backup', WORK],
  ['refresh_tokens_backup', WORK],
  ['per_user_usage', STATISTICS],
  ['sqlite_sequence', WORK],
  ['sqlite_stat1', WORK],
  ['sqlite_stat4', WORK],
  ['room_reports_backup', WORK],
  ['user_directory_stale', DERIVED],
];

/** Tables whose rows parts read. */
export const READ: ReadonlySet<string> = new Set([
  ...[
    'users',
    'profiles',
    'erased_users',
    'account_validity',
    'ratelimit_override',
    'per_user_experimental_features',
  ],
  ...['users_pending_deactivation', 'user_threepids', 'user_external_ids', 'devices', 'access_tokens'],
  ...['refresh_tokens', 'dehydrated_devices', 'user_ips', 'e2e_device_keys_json', 'e2e_one_time_keys_json'],
  ...[
    'e2e_fallback_keys_json',
    'e2e_cross_signing_keys',
    'e2e_cross_signing_signatures',
    'e2e_room_keys_versions',
  ],
  ...['e2e_room_keys', 'device_inbox', 'account_data', 'room_account_data', 'room_tags', 'push_rules'],
  ...['push_rules_enable', 'pushers', 'user_filters', 'rooms', 'events', 'room_aliases', 'blocked_rooms'],
  ...['room_memberships', 'receipts_linearized', 'event_reports', 'room_reports', 'user_reports'],
  ...['quarantined_media_changes', 'local_media_repository', 'remote_media_cache', 'registration_tokens'],
  'event_json',
]);

/** How names of tables begin that come and go with the work of the old server. */
const WORKING = ['sliding_sync_', '_temp_'];

/** The rows that are not carried, table by table. */
export async function leftOut(database: SourceDatabase, now: number): Promise<readonly LeftOut[]> {
  const found: LeftOut[] = [];
  const known = new Set(READ);
  for (const [table, reason, where] of REASONS) {
    known.add(table);
    if (!database.tables.has(table)) continue;
    const condition =
      where === undefined
        ? ''
        : ` WHERE ${where.replaceAll('$false', database.no).replaceAll('$now', String(now))}`;
    const rows = await countOf(database, `${table}${condition}`);
    if (rows > 0) found.push({ table, rows, reason });
  }
  for (const table of database.tables.keys()) {
    if (known.has(table) || WORKING.some((prefix) => table.startsWith(prefix))) continue;
    const rows = await countOf(database, table);
    if (rows > 0) found.push({ table, rows, reason: undefined });
  }
  return found.sort((a, b) => (a.table < b.table ? -1 : 1));
}
