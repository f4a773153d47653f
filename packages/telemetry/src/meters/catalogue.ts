import type { MetricDeclaration } from './declaration.ts';

/** From a point read in one process to a call close to its deadline, in seconds. */
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** From a read in memory to a read that the store gives up, in seconds. */
const STORE_BUCKETS_S = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 20];

/** From a direct publication to a broker that is away for an hour, in seconds. */
const LAG_BUCKETS_S = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300, 3_600];

/** The label of what has an outbox. */
const OUTBOX = 'the service, or `audit`';

/** The operations of the store's port. */
const STORE_OPERATIONS = [
  'find_one',
  'find',
  'count',
  'insert_one',
  'insert_many',
  'update_one',
  'update_many',
  'find_one_and_update',
  'delete_one',
  'delete_many',
  'bulk_write',
  'groups',
  'totals',
  'tally',
] as const;

/** All metrics of steward besides those of Node.js and of the process, by name. The documents and dashboards follow from it. */
export const CATALOGUE = {
  steward_build_info: {
    type: 'gauge',
    help: 'Always 1; its labels say what runs.',
    labels: {
      program: 'the program: `steward`, `steward-gateway`, `steward-user`, ...',
      release: 'the release of steward',
      runtime: 'the version of Node.js',
    },
  },
  steward_ready: {
    type: 'gauge',
    help: 'Whether the process has what it needs: 1, or 0 while that is missing.',
    labels: { check: ['store', 'broker', 'disk', 'user', 'room', 'media', 'moderation', 'notices_account'] },
  },
  steward_metrics_read_failures_total: {
    type: 'counter',
    help: 'Reads of gauges that failed or took longer than two seconds; the gauge has no value then.',
    labels: { metric: 'the name of the gauge' },
  },

  steward_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Duration of HTTP requests, from arrival to the end of the answer or of the connection.',
    labels: {
      route: 'the template of the route, or `unmatched`',
      verb: 'the HTTP method',
      status:
        'the status of the answer; 499 if the connection closed before its end, 500 if the server failed to send all of it',
    },
    buckets: DURATION_BUCKETS_S,
  },
  steward_http_requests: {
    type: 'gauge',
    help: 'Requests by state; an answer that is being sent is in none.',
    labels: { state: ['receiving', 'queued', 'working', 'long_poll'] },
  },
  steward_http_buffered_bytes: {
    type: 'gauge',
    help: 'Bytes in memory of request bodies, and of answers that clients have not read.',
    labels: { part: ['body', 'answer'] },
  },
  steward_http_event_streams: {
    type: 'gauge',
    help: 'Event streams that clients receive.',
    labels: {},
  },
  steward_http_connections: { type: 'gauge', help: 'Open connections of clients.', labels: {} },
  steward_admission_refusals_total: {
    type: 'counter',
    help: 'Requests refused and connections closed because of a limit of the gateway.',
    labels: {
      reason: [
        'requests',
        'queue_time',
        'long_polls',
        'bodies',
        'body_bytes',
        'slow_body',
        'unread_answers',
        'stalled',
        'pipelined',
        'idle_connections',
        'connections',
      ],
    },
  },

  steward_rpc_duration_seconds: {
    type: 'histogram',
    help: 'Duration of calls of services, in the process that serves them.',
    labels: {
      service: 'the full name of the service',
      method: 'the name of the method',
      code: 'the Connect code, `ok` for success',
    },
    buckets: DURATION_BUCKETS_S,
  },

  steward_certificate_expiry_timestamp_seconds: {
    type: 'gauge',
    help: 'When a certificate for the connections between processes expires, in seconds since 1970; none without TLS.',
    labels: { certificate: ['own', 'authority'] },
  },

  steward_store_operation_duration_seconds: {
    type: 'histogram',
    help: 'Duration of operations of the store, as their callers see it; of a `find`, until its first documents.',
    labels: { operation: STORE_OPERATIONS },
    buckets: STORE_BUCKETS_S,
  },
  steward_store_collection_duration_seconds: {
    type: 'summary',
    help: 'Number and total duration of operations of the store.',
    labels: { collection: 'the name of the collection', operation: STORE_OPERATIONS },
  },
  steward_store_errors_total: {
    type: 'counter',
    help: 'Failed operations of the store. A conflict is usual: it is an insertion or change that came second.',
    labels: { operation: STORE_OPERATIONS, error: ['conflict', 'unavailable', 'other'] },
  },
  steward_store_connections: {
    type: 'gauge',
    help: 'Connections to the MongoDB servers, and operations that wait for one.',
    labels: { state: ['in_use', 'idle', 'awaited'] },
  },
  steward_store_waiting_writes: {
    type: 'gauge',
    help: 'Writes of the embedded store that wait for their transaction, or for the disk.',
    labels: { for: ['transaction', 'disk'] },
  },
  steward_store_waiting_reads: {
    type: 'gauge',
    help: 'Long reads of the embedded store that run or wait on its reading thread.',
    labels: {},
  },
  steward_store_log_bytes: {
    type: 'gauge',
    help: "Size of the embedded store's write-ahead log.",
    labels: {},
  },

  steward_outbox_entries: {
    type: 'gauge',
    help: 'Facts that the bus has not accepted yet, counted up to 10,000; the same in all processes of a service.',
    labels: { service: OUTBOX },
  },
  steward_outbox_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest fact that the bus has not accepted yet, among the first 1,000; 0 for none.',
    labels: { service: OUTBOX },
  },

  steward_bus_connected: {
    type: 'gauge',
    help: 'Whether this process is connected to the broker; always 1 in one process, which has none.',
    labels: {},
  },
  steward_bus_relay_lag_seconds: {
    type: 'histogram',
    help: 'Time between a fact and its acceptance by the bus; in one process, until its consumers have handled it.',
    labels: { service: OUTBOX },
    buckets: LAG_BUCKETS_S,
  },
  steward_bus_relay_failures_total: {
    type: 'counter',
    help: 'Failures after which a relay paused.',
    labels: { service: OUTBOX },
  },
  steward_bus_consumer_pending: {
    type: 'gauge',
    help: 'Facts that a consumer has yet to handle; the same in all processes of a service.',
    labels: { consumer: 'the name of the consumer' },
  },
  steward_bus_handled_total: {
    type: 'counter',
    help: 'Facts that a consumer has handled or given up.',
    labels: { consumer: 'the name of the consumer' },
  },
  steward_bus_redeliveries_total: {
    type: 'counter',
    help: 'Failed attempts of a consumer to handle a fact, which is then delivered again.',
    labels: { consumer: 'the name of the consumer' },
  },
  steward_dead_letters: {
    type: 'gauge',
    help: 'Facts that a consumer failed to handle too often, counted up to 10,000; the same in all processes.',
    labels: {},
  },

  steward_tasks: {
    type: 'gauge',
    help: 'Tasks that have not ended, counted up to 1,000 of a service; the same in all processes of a service.',
    labels: { kind: 'the kind of task', state: ['scheduled', 'active'] },
  },
  steward_tasks_oldest_waiting_seconds: {
    type: 'gauge',
    help: 'Age of the oldest task that waits to run; 0 for none.',
    labels: { service: 'the service' },
  },
  steward_tasks_ended_total: {
    type: 'counter',
    help: 'Tasks that ended in this process.',
    labels: { kind: 'the kind of task', state: ['complete', 'failed', 'cancelled'] },
  },
  steward_tasks_attempts_failed_total: {
    type: 'counter',
    help: 'Attempts at tasks that failed and are repeated.',
    labels: { kind: 'the kind of task' },
  },

  steward_auth_sign_ins_total: {
    type: 'counter',
    help: 'Attempts to obtain an access token, or to start an administrator session.',
    labels: {
      method: ['password', 'admin_session', 'login_as', 'refresh', 'registration', 'shared_secret'],
      outcome: ['ok', 'refused', 'limited', 'failed'],
    },
  },
  steward_auth_refusals_total: {
    type: 'counter',
    help: 'Access tokens and automation tokens that were refused.',
    labels: {
      reason: [
        'unknown_token',
        'expired_token',
        'locked_account',
        'expired_account',
        'forbidden_address',
        'issuer_failed',
      ],
    },
  },

  steward_limits_refusals_total: {
    type: 'counter',
    help: 'Actions refused by a rate limit; its name is that of its setting, with `registration_challenge` and `provider_sign_in` for `challenge` of addresses.',
    labels: {
      limit: [
        'message',
        'admin_redaction',
        'room_creation',
        'joins_local',
        'joins_per_room',
        'invites_per_room',
        'invites_per_user',
        'invites_per_issuer',
        'registration',
        'registration_token_validity',
        'challenge',
        'registration_challenge',
        'provider_sign_in',
        'login_address',
        'login_account',
        'login_failed',
        'console_failed',
        'reports',
        'user_directory',
        'presence',
        'media_create',
        'large_bodies',
        'key_requests',
      ],
    },
  },
  steward_limits_quota_refusals_total: {
    type: 'counter',
    help: 'Actions refused by a quota.',
    labels: { quota: 'the kind of quota' },
  },

  steward_media_uploaded_bytes_total: {
    type: 'counter',
    help: 'Bytes of media that were stored.',
    labels: {},
  },
  steward_media_downloaded_bytes_total: {
    type: 'counter',
    help: 'Bytes of media that were sent, without thumbnails.',
    labels: {},
  },
  steward_media_uploads_total: {
    type: 'counter',
    help: 'Uploads by outcome; `aborted` if the client did not send all of its bytes.',
    labels: { outcome: ['stored', 'refused', 'aborted', 'failed'] },
  },
  steward_media_thumbnails_total: {
    type: 'counter',
    help: 'Requested thumbnails, by where they came from.',
    labels: { source: ['kept', 'made'] },
  },
  steward_media_files: {
    type: 'gauge',
    help: 'Media of all users; read every five minutes.',
    labels: {},
  },

  steward_sync_open: {
    type: 'gauge',
    help: 'Requests for updates that are being answered or wait for one.',
    labels: { state: ['reading', 'queued', 'waiting'] },
  },

  steward_traces_exported_total: {
    type: 'counter',
    help: 'Spans that the collector of traces has accepted.',
    labels: {},
  },
  steward_traces_dropped_total: {
    type: 'counter',
    help: 'Spans that were dropped: too many waited, or the collector of traces did not accept them.',
    labels: { reason: ['queue_full', 'not_accepted'] },
  },

  steward_accounts: {
    type: 'gauge',
    help: 'Accounts by state; read every five minutes.',
    labels: { state: ['active', 'guest', 'deactivated'] },
  },
  steward_accounts_imported_passwords: {
    type: 'gauge',
    help: 'Accounts whose password was hashed by another server, by its scheme: it is hashed anew at the next login; read every five minutes.',
    labels: { scheme: ['bcrypt'] },
  },
  steward_device_messages_waiting: {
    type: 'gauge',
    help: 'Messages between devices that their devices have not received yet; read every five minutes.',
    labels: {},
  },
  steward_device_messages_dropped_total: {
    type: 'counter',
    help: 'Messages between devices that were dropped because too many, or too large ones, waited for the device.',
    labels: {},
  },
  steward_rooms: { type: 'gauge', help: 'Rooms; read every five minutes.', labels: {} },
  steward_audit_chain_entries: {
    type: 'gauge',
    help: 'The number of the last entry in the hash chain of the audit log; read every five minutes.',
    labels: {},
  },
  steward_audit_unchained_seconds: {
    type: 'gauge',
    help: 'The age of the oldest entry of the audit log that is not in its hash chain yet, 0 if there is none; read every five minutes.',
    labels: {},
  },
  steward_feed_position: {
    type: 'gauge',
    help: 'The last position of the feed of events.',
    labels: {},
  },
  steward_feed_unpublished_events: {
    type: 'gauge',
    help: 'Events of the feed that are not on the public stream of the broker yet; 0 without a broker.',
    labels: {},
  },
  steward_webhooks: {
    type: 'gauge',
    help: 'Webhooks, by whether they are switched on.',
    labels: { state: ['enabled', 'disabled'] },
  },
  steward_webhook_pending_deliveries: {
    type: 'gauge',
    help: 'Deliveries of webhooks that are switched on, waiting for an attempt.',
    labels: {},
  },
  steward_webhook_overdue_seconds: {
    type: 'gauge',
    help: 'For how long the next attempt of a delivery has been due, 0 if none is: the longest of all webhooks that are switched on.',
    labels: {},
  },
  steward_webhook_attempts_total: {
    type: 'counter',
    help: 'Attempts to deliver messages of webhooks: those that failed and are repeated are `retried`; `discarded` ones were not made, because the webhook may no longer get the event.',
    labels: { outcome: ['delivered', 'retried', 'failed', 'discarded'] },
  },
  steward_push_queues: {
    type: 'gauge',
    help: 'Rooms with events that wait for a pusher, each counted once for each pusher.',
    labels: {},
  },
  steward_push_lag_seconds: {
    type: 'gauge',
    help: 'How long the oldest event that waits for a pusher whose last push succeeded has waited, 0 if none does.',
    labels: {},
  },
  steward_push_attempts_total: {
    type: 'counter',
    help: 'Requests to push gateways: those that failed are `retried`; of `rejected` ones the gateway does not know the push key, and the pusher is removed.',
    labels: { outcome: ['delivered', 'retried', 'rejected'] },
  },
  steward_reports: {
    type: 'gauge',
    help: 'Reports that administrators have not deleted; read every five minutes.',
    labels: { kind: ['event', 'room', 'user'] },
  },
  steward_report_cases: {
    type: 'gauge',
    help: 'Cases of reports that are not resolved; read every five minutes.',
    labels: { state: ['open', 'triaged', 'escalated'] },
  },
  steward_report_case_age_seconds: {
    type: 'gauge',
    help: 'How long ago the first report was received of the oldest case that is not resolved, 0 if all are; read every five minutes.',
    labels: {},
  },
} as const satisfies Readonly<Record<string, MetricDeclaration>>;
