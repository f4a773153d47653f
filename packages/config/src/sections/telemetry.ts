import { z } from 'zod';
import { settings } from '../setting.ts';

/** One request in twenty, which costs a server little at any rate. */
const DEFAULT_RATIO = 0.05;

/** A header as HTTP writes it. */
const HEADER = /^[\w!#$%&'*+.^`|~-]+:[ \t]*[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Whether a URL contains no user name and no password, which would be shown. */
function isPlain(url: string): boolean {
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

/** What is recorded of requests, and where it is sent. */
const traces = z
  .strictObject({
    endpoint: z
      .url({ protocol: /^https?$/ })
      .refine(isPlain, 'must not contain a user name or a password; set telemetry.traces.headers')
      .optional()
      .register(settings, {
        governs:
          'The URL to which traces are sent by OTLP over HTTP, as JSON, for example `http://collector:4318/v1/traces`. Without a value, nothing is recorded',
        env: 'STEWARD_TRACES_ENDPOINT',
      }),
    ratio: z.number().min(0).max(1).default(DEFAULT_RATIO).register(settings, {
      governs: 'The part of the requests that is recorded, from 0 to 1',
      env: 'STEWARD_TRACES_RATIO',
    }),
    follow_callers: z.boolean().default(false).register(settings, {
      governs:
        'Whether the `sampled` flag of the `traceparent` of a request decides in place of the ratio. Only for a server behind a proxy that sets this header itself: clients could otherwise have all of their requests recorded',
    }),
    headers: z
      .string()
      .refine((text) => text.split('\n').every((line) => HEADER.test(line.trim())), {
        error: 'must have one header a line, for example `Authorization: Bearer abc`',
      })
      .optional()
      .register(settings, {
        secret: true,
        governs:
          'Headers of the requests to the collector, one a line, for example `Authorization: Bearer abc`',
        env: 'STEWARD_TRACES_HEADERS',
      }),
    headers_file: z.string().min(1).optional().register(settings, {
      governs:
        'A file that contains these headers; trailing white space is ignored. Excludes `telemetry.traces.headers`',
      env: 'STEWARD_TRACES_HEADERS_FILE',
    }),
  })
  .prefault({});

/** Metrics and traces. */
export const telemetry = z.strictObject({
  metrics_port: z.int().min(1).max(65_535).optional().register(settings, {
    governs:
      'A separate port for `/metrics`, and for `/health`, `/health/ready` and `/health/live` from the start to the end of the process, which must not be reachable from the public network. Without this port and without `telemetry.metrics_token`, metrics are not served',
    env: 'STEWARD_METRICS_PORT',
  }),
  metrics_token: z.string().min(16).optional().register(settings, {
    secret: true,
    governs:
      'The bearer token that requests of `/metrics` must contain, at least 16 characters. Without `telemetry.metrics_port`, `/metrics` is then served on `server.port` of the gateway',
    env: 'STEWARD_METRICS_TOKEN',
  }),
  metrics_token_file: z.string().min(1).optional().register(settings, {
    governs:
      'A file that contains the token for metrics; trailing white space is ignored. Excludes `telemetry.metrics_token`',
    env: 'STEWARD_METRICS_TOKEN_FILE',
  }),
  traces,
});
