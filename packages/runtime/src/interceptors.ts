import type { Interceptor } from '@connectrpc/connect';
import { type AuditTrail, audit } from '@steward/audit';
import { type Config, ConfigError } from '@steward/config';
import { carryOutOnce, type IdempotencyKeys } from '@steward/idempotency';
import type { Clock, Tracing } from '@steward/kernel';
import { planCalls } from '@steward/plans';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import {
  type Authenticate,
  type Authority,
  defer,
  govern,
  headers,
  identify,
  isMeasuredByWork,
  type OrderedCalls,
  observeCalls,
  type Route,
  reportFaults,
  type StepUp,
  scopeOf,
  traceCalls,
  traceIdOf,
} from '@steward/rpc';
import type { Logger, Metrics } from '@steward/telemetry';
import { checkClientRequests } from './check-client-requests.ts';
import { fromStore } from './from-store.ts';

/** How the calls of a process are observed and admitted. */
export interface CallOptions {
  readonly config: Pick<Config, 'audit' | 'logging' | 'sessions'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'distribution'>;
  /** Records calls, if any are to be recorded. */
  readonly tracing?: Tracing | undefined;
  /** Looks tokens up. */
  readonly authenticate: Authenticate;
  /** Knows the scopes of accounts. */
  readonly authority: Authority;
}

type PeerCallOptions = Omit<CallOptions, 'authority'>;

/**
 * The interceptors of calls that enter a server, the outermost first: the audit log records outcomes as callers
 * see them, and requests only after they were authenticated and admitted.
 */
export function serverInterceptors(
  options: CallOptions,
  {
    trail,
    keys,
    routes,
    ordered,
  }: {
    readonly trail: AuditTrail;
    readonly keys: IdempotencyKeys;
    readonly routes: readonly Route[];
    readonly ordered: OrderedCalls;
  },
): Interceptor[] {
  const requireReason = knownScopes('audit.require_reason', options.config.audit.require_reason);
  const { outcomes, impersonations, requests } = audit(trail, { requireReason, translate: fromStore });
  return [
    ordered.outermost,
    planCalls(routes),
    ...trace(options),
    outcomes,
    ...identified(options),
    impersonations,
    defer,
    carryOutOnce(keys, trail),
    requests,
    govern(options.authority),
    ordered.innermost,
  ];
}

/**
 * The interceptors of calls between services of one process: the same checks as for calls that enter the server.
 * They are not audited, because only requests that enter the server are.
 */
export function peerInterceptors(options: PeerCallOptions): Interceptor[] {
  return [...trace(options), ...identified(options), defer];
}

function trace({ tracing }: PeerCallOptions): Interceptor[] {
  return tracing ? [traceCalls(tracing)] : [];
}

function identified(options: PeerCallOptions): Interceptor[] {
  return [
    observe(options),
    answerFaults(options),
    identify(options.authenticate, stepUpOf(options)),
    checkClientRequests,
  ];
}

function stepUpOf({ config, clock }: PeerCallOptions): StepUp {
  const { step_up_scopes: names, step_up_ms: maxAgeMs } = config.sessions;
  return { scopes: new Set(knownScopes('sessions.step_up_scopes', names)), maxAgeMs, clock };
}

/** @throws ConfigError when there is no scope of a name */
function knownScopes(setting: string, names: readonly string[]): readonly Scope[] {
  return names.map((name, index) => {
    const scope = scopeOf(name);
    if (scope === undefined) throw new ConfigError([`${setting}.${index}: there is no such scope`]);
    return scope;
  });
}

const MS_PER_S = 1_000;

/** Counts calls, and writes slow ones to the log. */
function observe({ config, logger, metrics }: PeerCallOptions): Interceptor {
  const { slow_ms: slowMs } = config.logging;
  const durations = metrics.distribution('steward_rpc_duration_seconds');
  return observeCalls(({ request, code, durationMs }) => {
    const service = request.service.typeName;
    const method = request.method.name;
    durations.observe({ service, method, code }, durationMs / MS_PER_S);
    if (durationMs < slowMs || !isMeasuredByWork(request.method)) return;
    const reqId = request.header.get(headers.requestId) ?? '';
    const traceId = traceIdOf(request.header);
    logger.warn({ reqId, traceId, method: `${service}/${method}`, code, ms: durationMs }, 'a call was slow');
  });
}

/** Answers a failure with what its caller may know, and writes the rest to the log. */
function answerFaults({ logger }: PeerCallOptions): Interceptor {
  return reportFaults({
    translate: fromStore,
    onFault: ({ error, method, requestId: reqId, traceId }) =>
      logger.error({ err: error, method, reqId, traceId }, 'a call failed'),
  });
}
