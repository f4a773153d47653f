/** An alert, and the section of the documentation that says what to do. */
export interface Alert {
  /** Also the heading of its section in docs/observability.md. */
  readonly name: string;
  readonly expr: string;
  /** For how long it holds before it fires. */
  readonly for: string;
  /** `critical`: requests fail, or data may be lost; `warning`: look within a day. */
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  readonly description: string;
}

/** The alerts; the thresholds suit a server of any size, and are for the operator to change. */
export const ALERTS: readonly Alert[] = [
  {
    name: 'StewardProcessDown',
    expr: 'up{job="steward"} == 0',
    for: '2m',
    severity: 'critical',
    summary: 'A process of steward does not answer',
    description:
      'Prometheus has not been able to read the metrics of {{ $labels.instance }} for two minutes.',
  },
  {
    name: 'StewardProgramMissing',
    expr: [
      'group by (job, program) (last_over_time(steward_build_info{job="steward"}[1h]))',
      'unless group by (job, program) (steward_build_info{job="steward"})',
      'or absent(up{job="steward"})',
    ].join(' '),
    for: '2m',
    severity: 'critical',
    summary: 'No process of a program answers',
    description:
      'No process of {{ or $labels.program "steward" }} has answered for two minutes, or Prometheus no longer finds any.',
  },
  {
    name: 'StewardNotReady',
    expr: 'min by (job, instance, check) (steward_ready) == 0',
    for: '2m',
    severity: 'critical',
    summary: 'A process lacks what it needs',
    description: '{{ $labels.instance }} has lacked {{ $labels.check }} for two minutes.',
  },
  {
    name: 'StewardRestarts',
    expr: 'changes(process_start_time_seconds{job="steward"}[30m]) > 3',
    for: '0m',
    severity: 'warning',
    summary: 'A process of steward starts again and again',
    description: '{{ $labels.instance }} has started {{ $value }} times within 30 minutes.',
  },
  {
    name: 'StewardRequestsFail',
    expr: [
      'sum by (job) (rate(steward_http_request_duration_seconds_count{status=~"5.."}[5m]))',
      '/ sum by (job) (rate(steward_http_request_duration_seconds_count[5m])) > 0.01',
    ].join(' '),
    for: '5m',
    severity: 'critical',
    summary: 'More than 1 % of the requests fail',
    description:
      '{{ $value | humanizePercentage }} of the requests are answered with a status of 500 or above.',
  },
  {
    name: 'StewardRequestsSlow',
    expr: [
      'histogram_quantile(0.99, sum by (le, job) (rate(steward_http_request_duration_seconds_bucket',
      '{route!~".*(sync|media|delete_status).*"}[5m]))) > 2.5',
    ].join(''),
    for: '10m',
    severity: 'warning',
    summary: 'One of a hundred requests takes longer than 2.5 seconds',
    description:
      '99 % of the requests, without long polls and media, take up to {{ $value | humanizeDuration }}.',
  },
  {
    name: 'StewardRefusesRequests',
    expr: [
      'sum by (job, reason) (rate(steward_admission_refusals_total',
      '{reason=~"requests|queue_time|connections|bodies|body_bytes"}[5m])) > 1',
    ].join(''),
    for: '10m',
    severity: 'warning',
    summary: 'The gateway refuses requests because it is busy',
    description: '{{ $value | humanize }} requests a second are refused: {{ $labels.reason }}.',
  },
  {
    name: 'StewardStoreAway',
    expr: 'sum by (job, instance) (rate(steward_store_errors_total{error="unavailable"}[2m])) > 0',
    for: '2m',
    severity: 'critical',
    summary: 'A process does not reach its store',
    description:
      '{{ $value | humanize }} operations a second of {{ $labels.instance }} fail, because the store is not available.',
  },
  {
    name: 'StewardStoreSlow',
    expr: [
      'histogram_quantile(0.99, sum by (le, job, instance) (rate(steward_store_operation_duration_seconds_bucket',
      '{operation=~"find_one|insert_one|update_one|find_one_and_update"}[5m]))) > 0.5',
    ].join(''),
    for: '10m',
    severity: 'warning',
    summary: 'Operations of single documents are slow',
    description: '99 % of them take up to {{ $value | humanizeDuration }} on {{ $labels.instance }}.',
  },
  {
    name: 'StewardConnectionsExhausted',
    expr: 'min_over_time(steward_store_connections{state="awaited"}[5m]) > 0',
    for: '5m',
    severity: 'warning',
    summary: 'Operations wait for a connection to MongoDB',
    description:
      'For five minutes, at least {{ $value }} operations of {{ $labels.instance }} have waited for a connection.',
  },
  {
    name: 'StewardLogGrows',
    expr: 'steward_store_log_bytes > 268435456',
    for: '15m',
    severity: 'warning',
    summary: 'The write-ahead log of the embedded store is not moved into its file',
    description: 'The log of {{ $labels.instance }} has {{ $value | humanize1024 }}B.',
  },
  {
    name: 'StewardBrokerAway',
    expr: 'steward_bus_connected == 0',
    for: '2m',
    severity: 'critical',
    summary: 'A process is not connected to the broker',
    description:
      '{{ $labels.instance }} has not been connected to NATS for two minutes. Facts wait in the store.',
  },
  {
    name: 'StewardOutboxStuck',
    expr: 'max by (job, service) (steward_outbox_oldest_seconds) > 600',
    for: '5m',
    severity: 'critical',
    summary: 'Facts are not published',
    description: 'The oldest fact of {{ $labels.service }} has waited for {{ $value | humanizeDuration }}.',
  },
  {
    name: 'StewardConsumerBehind',
    expr: 'max by (job, consumer) (steward_bus_consumer_pending) > 1000',
    for: '15m',
    severity: 'warning',
    summary: 'A consumer does not keep up with the facts',
    description: '{{ $labels.consumer }} has yet to handle {{ $value }} facts.',
  },
  {
    name: 'StewardDeadLetters',
    expr: 'max by (job) (steward_dead_letters) > 0',
    for: '5m',
    severity: 'warning',
    summary: 'A consumer has given up facts',
    description: '{{ $value }} facts wait for an administrator to replay or drop them.',
  },
  {
    name: 'StewardAuditChainBehind',
    expr: 'max by (job) (steward_audit_unchained_seconds) > 3600',
    for: '15m',
    severity: 'warning',
    summary: 'Entries of the audit log are not appended to its hash chain',
    description: 'An entry has waited for {{ $value | humanizeDuration }}.',
  },
  {
    name: 'StewardFeedNotPublished',
    expr: 'min by (job) (min_over_time(steward_feed_unpublished_events[15m])) > 100',
    for: '0m',
    severity: 'warning',
    summary: 'Events of the feed are not published on the broker',
    description: '{{ $value }} events or more have waited for 15 minutes.',
  },
  {
    name: 'StewardWebhooksWait',
    expr: 'min by (job) (min_over_time(steward_webhook_overdue_seconds[15m])) > 600',
    for: '0m',
    severity: 'warning',
    summary: 'Messages of webhooks are not sent in time',
    description: 'An attempt has been due for {{ $value | humanizeDuration }} or longer.',
  },
  {
    name: 'StewardReportsWait',
    expr: 'max by (job) (steward_report_case_age_seconds) > 7 * 86400',
    for: '15m',
    severity: 'warning',
    summary: 'Reports wait for a decision',
    description: 'The oldest case of reports has waited for {{ $value | humanizeDuration }}.',
  },
  {
    name: 'StewardTasksWait',
    expr: 'max by (job, service) (steward_tasks_oldest_waiting_seconds) > 3600',
    for: '15m',
    severity: 'warning',
    summary: 'Tasks wait for long',
    description:
      'The oldest task of {{ $labels.service }} that waits to run was created {{ $value | humanizeDuration }} ago.',
  },
  {
    name: 'StewardTasksFail',
    expr: 'sum by (job, kind) (increase(steward_tasks_ended_total{state="failed"}[1h])) > 0',
    for: '0m',
    severity: 'warning',
    summary: 'A task has failed',
    description:
      'Within an hour {{ $value | humanize }} tasks of kind {{ $labels.kind }} have failed for good.',
  },
  {
    name: 'StewardEventLoopBlocked',
    expr: 'nodejs_eventloop_lag_p99_seconds{job="steward"} > 0.25',
    for: '10m',
    severity: 'warning',
    summary: 'A process is at its limit',
    description:
      'One of a hundred turns of the event loop of {{ $labels.instance }} takes {{ $value | humanizeDuration }}.',
  },
  {
    name: 'StewardSignInsRefused',
    expr: 'sum by (job) (rate(steward_auth_sign_ins_total{outcome=~"refused|limited"}[10m])) > 1',
    for: '10m',
    severity: 'warning',
    summary: 'Many sign-ins are refused',
    description: '{{ $value | humanize }} attempts a second to obtain an access token are refused.',
  },
  {
    name: 'StewardCertificateExpires',
    expr: 'min by (job, instance, certificate) (steward_certificate_expiry_timestamp_seconds) - time() < 7 * 86400',
    for: '1h',
    severity: 'critical',
    summary: 'A certificate for the connections between processes expires',
    description:
      'The {{ $labels.certificate }} certificate of {{ $labels.instance }} expires in {{ $value | humanizeDuration }}.',
  },
  {
    name: 'StewardTracesDropped',
    expr: 'sum by (job, instance) (rate(steward_traces_dropped_total[10m])) > 0',
    for: '30m',
    severity: 'warning',
    summary: 'Traces are incomplete',
    description: '{{ $labels.instance }} drops {{ $value | humanize }} spans a second.',
  },
  {
    name: 'StewardMetricsMissing',
    expr: 'sum by (job, instance, metric) (increase(steward_metrics_read_failures_total[10m])) > 3',
    for: '10m',
    severity: 'warning',
    summary: 'A metric cannot be read',
    description: '{{ $labels.instance }} cannot read {{ $labels.metric }}, so that alerts on it are silent.',
  },
];

/** The rules file of Prometheus. */
export function alertRules(): string {
  const rules = ALERTS.map(({ name, expr, for: wait, severity, summary, description }) =>
    [
      `      - alert: ${name}`,
      `        expr: ${JSON.stringify(expr)}`,
      `        for: ${wait}`,
      '        labels:',
      `          severity: ${severity}`,
      '        annotations:',
      `          summary: ${JSON.stringify(summary)}`,
      `          description: ${JSON.stringify(description)}`,
      `          runbook: docs/observability.md#${name.toLowerCase()}`,
    ].join('\n'),
  );
  return [
    '# Generated by `npm run generate` from deploy/observability/source/alerts.ts.',
    '# What each alert means, and what to do: docs/observability.md, section Alerts.',
    'groups:',
    '  - name: steward',
    '    rules:',
    ...rules,
    '',
  ].join('\n');
}
