import type { Dashboard, Panel, Query, Unit } from './panels.ts';

const panel = (title: string, unit: Unit, description: string, ...queries: Query[]): Panel => ({
  title,
  unit,
  description,
  queries,
});
const stat = (title: string, unit: Unit, description: string, expr: string): Panel => ({
  title,
  unit,
  description,
  queries: [{ expr, legend: title }],
  stat: true,
});
const query = (expr: string, legend: string): Query => ({ expr, legend });

/** The rate of a counter, summed by labels. */
const rate = (series: string, ...by: string[]) =>
  `sum by (${by.join(', ')}) (rate(${series}[$__rate_interval]))`;

/** A quantile of a histogram, by labels. */
const quantile = (share: number, series: string, ...by: string[]) =>
  `histogram_quantile(${share}, ${rate(series, 'le', ...by)})`;

const HTTP = 'steward_http_request_duration_seconds';
const STORE = 'steward_store_operation_duration_seconds';
const COLLECTION = 'steward_store_collection_duration_seconds';

/** Without long polls and streams, whose duration is up to the client. */
const OF_WORK = 'route!~".*(sync|media).*"';

const overview: Dashboard = {
  uid: 'steward-overview',
  title: 'steward: overview',
  rows: [
    {
      title: 'Now',
      panels: [
        stat('Processes', 'short', 'Processes that answer.', 'sum(up{job="steward"})'),
        stat('Requests', 'reqps', 'Answered requests a second.', `sum(rate(${HTTP}_count[5m]))`),
        stat(
          'Failed',
          'percentunit',
          'Requests that were answered with a status of 500 or above.',
          // Without a failure since the start there is no such series.
          `(sum(rate(${HTTP}_count{status=~"5.."}[5m])) or vector(0)) / sum(rate(${HTTP}_count[5m]))`,
        ),
        stat(
          'Accounts',
          'short',
          'Accounts that are not deactivated.',
          'max(steward_accounts{state="active"})',
        ),
        stat('Rooms', 'short', 'Rooms.', 'max(steward_rooms)'),
        stat('Media', 'short', 'Media.', 'max(steward_media_files)'),
        stat('Dead letters', 'short', 'Facts that a consumer has given up.', 'max(steward_dead_letters)'),
      ],
    },
    {
      title: 'Requests',
      panels: [
        panel(
          'Answers',
          'reqps',
          'Answered requests by status.',
          query(rate(`${HTTP}_count`, 'status'), '{{status}}'),
        ),
        panel(
          'Duration',
          's',
          'Half, and 99 of a hundred, of the requests take up to this time, without long polls and media.',
          query(quantile(0.5, `${HTTP}_bucket{${OF_WORK}}`), 'median'),
          query(quantile(0.99, `${HTTP}_bucket{${OF_WORK}}`), '99 %'),
        ),
        panel(
          'Refused by the gateway',
          'reqps',
          'Requests refused and connections closed because of a limit of the gateway.',
          query(rate('steward_admission_refusals_total', 'reason'), '{{reason}}'),
        ),
      ],
    },
    {
      title: 'Processes',
      panels: [
        panel(
          'Processor',
          'percentunit',
          'Use of one processor.',
          query('rate(process_cpu_seconds_total{job="steward"}[$__rate_interval])', '{{instance}}'),
        ),
        panel(
          'Memory',
          'bytes',
          'Resident memory.',
          query('process_resident_memory_bytes{job="steward"}', '{{instance}}'),
        ),
        panel(
          'Event loop',
          's',
          'The 99th percentile of the length of its turns since the last reading. An idle process shows about 10 ms, the resolution.',
          query('nodejs_eventloop_lag_p99_seconds{job="steward"}', '{{instance}}'),
        ),
        panel(
          'Heap',
          'bytes',
          'Heap in use.',
          query('nodejs_heap_size_used_bytes{job="steward"}', '{{instance}}'),
        ),
        panel(
          'Running releases',
          'short',
          'Processes by program and release.',
          query('count by (program, release) (steward_build_info)', '{{program}} {{release}}'),
        ),
        panel(
          'Readiness',
          'bool',
          'Whether each process has what it needs.',
          query('steward_ready', '{{instance}} {{check}}'),
        ),
        panel(
          'Unreadable metrics',
          'short',
          'Reads of gauges that failed; the gauge has no value then.',
          query(
            'sum by (metric) (increase(steward_metrics_read_failures_total[$__rate_interval]))',
            '{{metric}}',
          ),
        ),
        panel(
          'Certificates',
          's',
          'How long the certificates for the connections between processes are still valid; nothing without TLS.',
          query('steward_certificate_expiry_timestamp_seconds - time()', '{{instance}} {{certificate}}'),
        ),
        panel(
          'Traces',
          'ops',
          'Spans that the collector of traces has accepted, and spans that were dropped, by reason.',
          query('sum(rate(steward_traces_exported_total[$__rate_interval]))', 'exported'),
          query(rate('steward_traces_dropped_total', 'reason'), 'dropped: {{reason}}'),
        ),
      ],
    },
  ],
};

const requests: Dashboard = {
  uid: 'steward-requests',
  title: 'steward: requests and calls',
  rows: [
    {
      title: 'HTTP',
      panels: [
        panel(
          'Busiest routes',
          'reqps',
          'Requests a second.',
          query(`topk(10, ${rate(`${HTTP}_count`, 'verb', 'route')})`, '{{verb}} {{route}}'),
        ),
        panel(
          'Slowest routes',
          's',
          '99 of a hundred requests take up to this time.',
          query(
            `topk(10, ${quantile(0.99, `${HTTP}_bucket{${OF_WORK}}`, 'verb', 'route')})`,
            '{{verb}} {{route}}',
          ),
        ),
        panel(
          'Failing routes',
          'reqps',
          'Requests answered with a status of 500 or above.',
          query(`topk(10, ${rate(`${HTTP}_count{status=~"5.."}`, 'verb', 'route')})`, '{{verb}} {{route}}'),
        ),
        panel(
          'In the gateway',
          'short',
          'Requests by state.',
          query('sum by (state) (steward_http_requests)', '{{state}}'),
        ),
        panel(
          'Connections',
          'short',
          'Open connections of clients.',
          query('sum by (instance) (steward_http_connections)', '{{instance}}'),
        ),
        panel(
          'Buffers',
          'bytes',
          'Bodies and unread answers in memory.',
          query('sum by (part) (steward_http_buffered_bytes)', '{{part}}'),
        ),
      ],
    },
    {
      title: 'Calls of services',
      panels: [
        panel(
          'Busiest methods',
          'ops',
          'Calls a second.',
          query(
            `topk(10, ${rate('steward_rpc_duration_seconds_count', 'service', 'method')})`,
            '{{service}} {{method}}',
          ),
        ),
        panel(
          'Slowest methods',
          's',
          '99 of a hundred calls take up to this time.',
          query(
            `topk(10, ${quantile(0.99, 'steward_rpc_duration_seconds_bucket', 'service', 'method')})`,
            '{{service}} {{method}}',
          ),
        ),
        panel(
          'Outcomes',
          'ops',
          'Calls by code.',
          query(rate('steward_rpc_duration_seconds_count', 'code'), '{{code}}'),
        ),
      ],
    },
    {
      title: 'Updates',
      panels: [
        panel(
          'Open syncs',
          'short',
          'Requests for updates by state.',
          query('sum by (state) (steward_sync_open)', '{{state}}'),
        ),
      ],
    },
  ],
};

const store: Dashboard = {
  uid: 'steward-store',
  title: 'steward: store and facts',
  rows: [
    {
      title: 'Store',
      panels: [
        panel(
          'Operations',
          'ops',
          'Operations a second.',
          query(rate(`${STORE}_count`, 'operation'), '{{operation}}'),
        ),
        panel(
          'Duration',
          's',
          '99 of a hundred operations take up to this time.',
          query(quantile(0.99, `${STORE}_bucket`, 'operation'), '{{operation}}'),
        ),
        panel(
          'Errors',
          'ops',
          'Failed operations. Conflicts are usual.',
          query(rate('steward_store_errors_total', 'error'), '{{error}}'),
        ),
        panel(
          'Busiest collections',
          'ops',
          'Operations a second.',
          query(`topk(10, ${rate(`${COLLECTION}_count`, 'collection')})`, '{{collection}}'),
        ),
        panel(
          'Costliest collections',
          'percentunit',
          'Time spent in operations, a second.',
          query(`topk(10, ${rate(`${COLLECTION}_sum`, 'collection')})`, '{{collection}}'),
        ),
        panel(
          'Connections to MongoDB',
          'short',
          'By state.',
          query('sum by (instance, state) (steward_store_connections)', '{{instance}} {{state}}'),
        ),
        panel(
          'Queues of the embedded store',
          'short',
          'Writes and long reads that wait.',
          query('sum by (for) (steward_store_waiting_writes)', 'writes: {{for}}'),
          query('sum(steward_store_waiting_reads)', 'reads'),
        ),
        panel(
          'Log of the embedded store',
          'bytes',
          'The write-ahead log.',
          query('steward_store_log_bytes', '{{instance}}'),
        ),
      ],
    },
    {
      title: 'Facts',
      panels: [
        panel(
          'Outbox',
          'short',
          'Facts that the bus has not accepted.',
          query('max by (service) (steward_outbox_entries)', '{{service}}'),
        ),
        panel(
          'Oldest fact in the outbox',
          's',
          'Its age.',
          query('max by (service) (steward_outbox_oldest_seconds)', '{{service}}'),
        ),
        panel(
          'Publication',
          's',
          '99 of a hundred facts are accepted within this time.',
          query(quantile(0.99, 'steward_bus_relay_lag_seconds_bucket', 'service'), '{{service}}'),
        ),
        panel(
          'Relay failures',
          'ops',
          'Failures after which a relay paused.',
          query(rate('steward_bus_relay_failures_total', 'service'), '{{service}}'),
        ),
        panel(
          'Pending facts',
          'short',
          'Facts that consumers have yet to handle.',
          query('max by (consumer) (steward_bus_consumer_pending)', '{{consumer}}'),
        ),
        panel(
          'Handled facts',
          'ops',
          'Facts that consumers have handled.',
          query(rate('steward_bus_handled_total', 'consumer'), '{{consumer}}'),
        ),
        panel(
          'Repeated deliveries',
          'ops',
          'Attempts that failed and are repeated.',
          query(rate('steward_bus_redeliveries_total', 'consumer'), '{{consumer}}'),
        ),
        panel(
          'Dead letters',
          'short',
          'Facts that consumers have given up.',
          query('max(steward_dead_letters)', 'dead letters'),
        ),
        panel(
          'Broker',
          'bool',
          'Whether each process is connected.',
          query('steward_bus_connected', '{{instance}}'),
        ),
      ],
    },
  ],
};

const work: Dashboard = {
  uid: 'steward-tasks-media',
  title: 'steward: tasks and media',
  rows: [
    {
      title: 'Tasks',
      panels: [
        panel(
          'Open tasks',
          'short',
          'By kind and state.',
          query('max by (kind, state) (steward_tasks)', '{{kind}} {{state}}'),
        ),
        panel(
          'Oldest waiting task',
          's',
          'Its age.',
          query('max by (service) (steward_tasks_oldest_waiting_seconds)', '{{service}}'),
        ),
        panel(
          'Ended tasks',
          'short',
          'Within an hour, by kind and state.',
          query('sum by (kind, state) (increase(steward_tasks_ended_total[1h]))', '{{kind}} {{state}}'),
        ),
        panel(
          'Failed attempts',
          'short',
          'Within an hour; they are repeated.',
          query('sum by (kind) (increase(steward_tasks_attempts_failed_total[1h]))', '{{kind}}'),
        ),
      ],
    },
    {
      title: 'Media',
      panels: [
        panel(
          'Traffic',
          'Bps',
          'Bytes of media.',
          query('sum(rate(steward_media_uploaded_bytes_total[$__rate_interval]))', 'uploads'),
          query('sum(rate(steward_media_downloaded_bytes_total[$__rate_interval]))', 'downloads'),
        ),
        panel(
          'Uploads',
          'ops',
          'By outcome.',
          query(rate('steward_media_uploads_total', 'outcome'), '{{outcome}}'),
        ),
        panel(
          'Thumbnails',
          'ops',
          'By where they came from.',
          query(rate('steward_media_thumbnails_total', 'source'), '{{source}}'),
        ),
        panel('Files', 'short', 'All media.', query('max(steward_media_files)', 'media')),
      ],
    },
  ],
};

const accounts: Dashboard = {
  uid: 'steward-accounts',
  title: 'steward: accounts and abuse',
  rows: [
    {
      title: 'Accounts',
      panels: [
        panel('Accounts', 'short', 'By state.', query('max by (state) (steward_accounts)', '{{state}}')),
        panel(
          'Messages between devices',
          'short',
          'Those that wait for their devices, which may be switched off.',
          query('max(steward_device_messages_waiting)', 'waiting'),
        ),
        panel(
          'Dropped messages between devices',
          'ops',
          'Messages for devices for which too many, or too large ones, wait.',
          query(rate('steward_device_messages_dropped_total'), 'dropped'),
        ),
        panel(
          'Passwords of another server',
          'short',
          'Accounts whose password is hashed anew at the next login, by scheme.',
          query('max by (scheme) (steward_accounts_imported_passwords)', '{{scheme}}'),
        ),
        panel(
          'Sign-ins',
          'ops',
          'Attempts to obtain an access token.',
          query(rate('steward_auth_sign_ins_total', 'method', 'outcome'), '{{method}} {{outcome}}'),
        ),
        panel(
          'Refused tokens',
          'ops',
          'By reason.',
          query(rate('steward_auth_refusals_total', 'reason'), '{{reason}}'),
        ),
      ],
    },
    {
      title: 'Abuse',
      panels: [
        panel(
          'Rate limits',
          'ops',
          'Refused actions, by limit.',
          query(`${rate('steward_limits_refusals_total', 'limit')} > 0`, '{{limit}}'),
        ),
        panel(
          'Quotas',
          'ops',
          'Refused actions, by quota.',
          query(rate('steward_limits_quota_refusals_total', 'quota'), '{{quota}}'),
        ),
        panel(
          'Reports',
          'short',
          'Reports that administrators have not deleted.',
          query('max by (kind) (steward_reports)', '{{kind}}'),
        ),
        panel(
          'Reports: cases to decide',
          'short',
          'Cases of reports that are not resolved.',
          query('max by (state) (steward_report_cases)', '{{state}}'),
        ),
        panel(
          'Reports: oldest case to decide',
          's',
          'How long ago its first report was received.',
          query('max(steward_report_case_age_seconds)', 'age'),
        ),
        panel(
          'Audit log',
          'ops',
          'Entries that are appended to the hash chain of the audit log, per second.',
          query('max(deriv(steward_audit_chain_entries[1h]))', 'entries'),
        ),
        panel(
          'Audit log: oldest entry outside of the chain',
          's',
          'Some minutes while a request has no outcome; all of an old log after an upgrade.',
          query('max(steward_audit_unchained_seconds)', 'age'),
        ),
        panel(
          'Feed of events',
          'ops',
          'Events that are appended to the feed, per second.',
          query('max(deriv(steward_feed_position[5m]))', 'events'),
        ),
        panel(
          'Feed of events: not published',
          'short',
          'Events that are not on the public stream of the broker yet.',
          query('max(steward_feed_unpublished_events)', 'events'),
        ),
        panel(
          'Feed of events: followers',
          'short',
          'Event streams that programs receive.',
          query('sum by (instance) (steward_http_event_streams)', '{{instance}}'),
        ),
        panel(
          'Webhooks: attempts',
          'ops',
          'Attempts to deliver messages of webhooks, per second: failed ones that are repeated are retried.',
          query('sum by (outcome) (rate(steward_webhook_attempts_total[5m]))', '{{outcome}}'),
        ),
        panel(
          'Webhooks: pending deliveries',
          'short',
          'Deliveries that wait for an attempt, and how many webhooks are switched off.',
          query('max(steward_webhook_pending_deliveries)', 'pending'),
          query('max(steward_webhooks{state="disabled"})', 'webhooks switched off'),
        ),
        panel(
          'Webhooks: overdue',
          's',
          'For how long the next attempt has been due.',
          query('max(steward_webhook_overdue_seconds)', 'longest'),
        ),
        panel(
          'Pushes: attempts',
          'ops',
          'Requests to push gateways, per second: failed ones are retried, and a rejected one removes its pusher.',
          query('sum by (outcome) (rate(steward_push_attempts_total[5m]))', '{{outcome}}'),
        ),
        panel(
          'Pushes: waiting',
          'short',
          'Rooms with events that wait for a pusher.',
          query('sum(steward_push_queues)', 'queues'),
        ),
        panel(
          'Pushes: lag',
          's',
          'How long the oldest event has waited for a pusher whose gateway answers.',
          query('max(steward_push_lag_seconds)', 'longest'),
        ),
      ],
    },
  ],
};

/** All dashboards. */
export const DASHBOARDS: readonly Dashboard[] = [overview, requests, store, work, accounts];
