/** Log, metrics and traces of a process, and the ids that relate them to a request. */
export { admitsScraper } from './admits-scraper.ts';
export { type AccessEntry, type AccessLog, createAccessLog } from './create-access-log.ts';
export { createLogger, type Logger, type LoggerOptions, type LogLevel } from './create-logger.ts';
export { type Build, createMetrics, type Metrics } from './create-metrics.ts';
export { standardOutput } from './line-writer.ts';
export { CATALOGUE } from './meters/catalogue.ts';
export type { MetricDeclaration } from './meters/declaration.ts';
export {
  type Counter,
  type Distribution,
  type Labels,
  type Measured,
  type Meters,
  noMeters,
} from './meters/meters.ts';
export { metricsReference } from './meters/reference.ts';
export { remembered, TOTALS_KEPT_MS } from './meters/remembered.ts';
export { redactUrl } from './redact-url.ts';
export { requestId } from './request-id.ts';
export { openTracing } from './tracing/open-tracing.ts';
export type { ProcessTracing } from './tracing/process-tracing.ts';
export { traceparent } from './tracing/traceparent.ts';
