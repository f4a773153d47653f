import { CATALOGUE } from './catalogue.ts';
import type { MetricDeclaration } from './declaration.ts';

const INTRODUCTION = `# Metrics

Every process serves its metrics in the Prometheus text format at \`/metrics\`, see [observability.md](observability.md). This table is generated from the
catalogue in \`packages/telemetry/src/meters/catalogue.ts\` by \`npm run generate\`. Beside these there are those of
Node.js and of the process, whose names begin with nodejs_ and process_; nodejs_eventloop_lag_p99_seconds and its like describe the
turns of the event loop since the last reading, and are about 0.01 in an idle process, which is their resolution.

- A label never contains a user, a room, an address or a name that clients choose.
- A process has only the metrics of what runs in it: the gateway has no store, and one process has no connections to MongoDB.
- Gauges of what all processes of a service share, such as the outbox, are the same in each of them: use \`max by\`, not \`sum by\`.
  They are read from the store or the broker at most every 15 seconds, totals every five minutes. When the store or the
  broker does not answer within two seconds they are left out, and \`steward_metrics_read_failures_total\` rises.
- A summary has no quantiles: \`_sum\` and \`_count\` only, from which follow rate and average.

| Metric | Type | Labels | Meaning |
|---|---|---|---|
`;

/** The document that describes all metrics. */
export function metricsReference(): string {
  const rows = Object.entries<MetricDeclaration>(CATALOGUE).map(
    ([name, { type, help, labels }]) => `| \`${name}\` | ${type} | ${labelsOf(labels)} | ${help} |`,
  );
  return `${INTRODUCTION}${rows.join('\n')}\n`;
}

function labelsOf(labels: MetricDeclaration['labels']): string {
  const described = Object.entries(labels).map(([label, values]) =>
    typeof values === 'string'
      ? `\`${label}\`: ${values}`
      : `\`${label}\`: ${values.map((value) => `\`${value}\``).join(', ')}`,
  );
  return described.join('; ') || 'none';
}
