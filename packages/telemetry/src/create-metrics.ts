import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** From a point read in one process to a call close to its deadline, in seconds. */
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const MS_PER_S = 1000;

/** An answered HTTP request. */
export interface AnsweredRequest {
  /** The template of the route, never the path itself: each value is a separate time series. */
  readonly route: string;
  /** The method, in upper case. */
  readonly verb: string;
  /** The status of the answer. */
  readonly status: number;
  /** From the request's arrival to the end of the answer, in milliseconds. */
  readonly durationMs: number;
}

/** A completed call of a service. */
export interface EndedCall {
  /** The service's full name, for example `steward.user.v1.DeviceService`. */
  readonly service: string;
  /** The method's name. */
  readonly method: string;
  /** The Connect code, `ok` for success. */
  readonly code: string;
  /** In milliseconds. */
  readonly durationMs: number;
}

/** The metrics of a process. */
export interface Metrics {
  /** The registry, for further metrics. */
  readonly registry: Registry;
  /** Counts an HTTP request and its duration. */
  observeRequest(request: AnsweredRequest): void;
  /** Counts a call of a service and its duration. */
  observeCall(call: EndedCall): void;
  /** All metrics in the text format of Prometheus, whose media type is `registry.contentType`. */
  render(): Promise<string>;
}

/** Creates metrics with their own registry, which includes those of the process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'steward_http_request_duration_seconds',
    help: 'Duration of HTTP requests, from arrival to the end of the answer.',
    labelNames: ['route', 'verb', 'status'] as const,
    buckets: DURATION_BUCKETS_S,
    registers: [registry],
  });
  const calls = new Histogram({
    name: 'steward_rpc_duration_seconds',
    help: 'Duration of calls of services.',
    labelNames: ['service', 'method', 'code'] as const,
    buckets: DURATION_BUCKETS_S,
    registers: [registry],
  });
  return {
    registry,
    observeRequest: ({ durationMs, ...labels }) => requests.observe(labels, durationMs / MS_PER_S),
    observeCall: ({ durationMs, ...labels }) => calls.observe(labels, durationMs / MS_PER_S),
    render: () => registry.metrics(),
  };
}
