import { type AccessEntry, createAccessLog, redactUrl } from '@steward/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { credentialIfAny } from './access-token.ts';
import type { KnownTokens } from './admission/known-tokens.ts';
import { isEventStream } from './events/is-event-stream.ts';
import type { KnownPaths } from './known-paths.ts';
import type { GatewayOptions } from './options.ts';
import { queryOf } from './transcode.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The duration of a request is that of its work: no long poll, upload or download, which last as long as clients want. */
    readonly isWork?: boolean;
    /** The path contains a secret. */
    readonly hasSecretPath?: boolean;
  }
  interface FastifyRequest {
    /** Whether the request was counted. */
    isObserved: boolean;
    /** Whether the server failed after it had sent the head of the answer. */
    isCutOff: boolean;
    /** The W3C trace context of the request, once it has one. */
    traceparent: string | undefined;
  }
}

/** Where the id of a trace stands in a trace context of version 00. */
const TRACE_ID = [3, 35] as const;

/** The least status of the requests that have a line. */
const LEAST_STATUS = { all: 0, errors: 400, off: Number.POSITIVE_INFINITY } as const;

const MS_PER_S = 1_000;

/** The status of a request whose connection closed before the end of the answer: what proxies log for it. */
const CLOSED = 499;
/** The status of an answer that ended early because the server failed after it had sent its head. */
const CUT_OFF = 500;

/**
 * Counts requests, and writes them to the log: one line each, with the template of the route in place of the path. To be called
 * before the admission, which leaves requests without a connection.
 */
export function observeRequests(
  app: FastifyInstance,
  { config, logger, metrics }: GatewayOptions,
  tokens: KnownTokens,
  paths: KnownPaths,
): void {
  const { access, slow_ms: slowMs } = config.logging;
  const leastStatus = LEAST_STATUS[access];
  const log = createAccessLog(logger);
  const durations = metrics.distribution('steward_http_request_duration_seconds');
  const showsUrls = logger.isLevelEnabled('debug');
  const observe = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    if (request.isObserved) return;
    request.isObserved = true;
    const { elapsedTime: durationMs } = reply;
    const { url: route = 'unmatched', config: rules } = request.routeOptions;
    const isStream = isEventStream(reply);
    if (!isStream) durations.observe({ route, verb: request.method, status }, durationMs / MS_PER_S);
    const isSlow = rules.isWork === true && !isStream && durationMs >= slowMs;
    // Probes and scrapers ask every few seconds.
    const least = rules.alwaysAdmitted ? Math.max(leastStatus, LEAST_STATUS.errors) : leastStatus;
    if (status < least && !isSlow) return;
    const entry: AccessEntry = {
      reqId: request.id,
      traceId: request.traceparent?.slice(...TRACE_ID),
      verb: request.method,
      route,
      status,
      ms: Math.round(durationMs * 1_000) / 1_000,
      bytes: status === CLOSED ? undefined : sizeOf(reply),
      user: userOf(request, tokens),
      address: request.clientAddress,
      url: showsUrls ? urlOf(request, paths) : undefined,
    };
    if (isSlow) log.warn(entry, 'a request was slow');
    else log.info(entry, 'request');
  };
  app.decorateRequest('isObserved', false);
  app.decorateRequest('isCutOff', false);
  app.addHook('onRequest', (request, reply, done) => {
    // Fastify calls its hook for complete answers only.
    reply.raw.once('close', () => observe(request, reply, statusOfClosed(request, reply)));
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    done();
    observe(request, reply, reply.statusCode);
  });
}

/** The status of a request whose connection has closed. That is how clients end an event stream. */
function statusOfClosed({ isCutOff }: FastifyRequest, reply: FastifyReply): number {
  if (isCutOff) return CUT_OFF;
  return isEventStream(reply) ? reply.statusCode : CLOSED;
}

/**
 * The URL as it was requested, without secrets: the template is in place of a path that contains one, and without a route only those
 * parts of the path are shown that are none.
 */
function urlOf({ is404, originalUrl, routeOptions }: FastifyRequest, paths: KnownPaths): string {
  if (!is404 && !routeOptions.config.hasSecretPath) return redactUrl(originalUrl);
  const path = is404 ? paths.shownPath(originalUrl) : routeOptions.url;
  const query = originalUrl.indexOf('?');
  return redactUrl(`${path}${query < 0 ? '' : originalUrl.slice(query)}`);
}

/** The announced size of an answer's body, in bytes. */
function sizeOf(reply: FastifyReply): number | undefined {
  const length = reply.getHeader('content-length');
  return length === undefined ? undefined : Number(length);
}

/** The owner of a request's token, which the answer to the first request with the token has named. */
function userOf(request: FastifyRequest, tokens: KnownTokens): string | undefined {
  const { caller } = request.tracked?.usage ?? {};
  if (caller?.userId !== undefined) return caller.userId;
  const token = credentialIfAny(request, queryOf(request.raw.url ?? ''));
  return token === undefined ? undefined : tokens.find(token)?.caller.userId;
}
