import type { Interceptor } from '@connectrpc/connect';
import { type AuditTrail, audit } from '@steward/audit';
import { type Authenticate, defer, identify, reportFaults } from '@steward/rpc';
import type { Logger } from '@steward/telemetry';
import { fromStore } from './from-store.ts';

/** Answers a failure with what its caller may know, and writes the rest to the log. */
function answerFaults(logger: Logger): Interceptor {
  return reportFaults({
    translate: fromStore,
    onFault: (error, method) => logger.error({ err: error, method }, 'a call failed'),
  });
}

/**
 * The interceptors of calls that enter a server, the outermost first: the audit log records outcomes as callers
 * see them, and requests only after they were authenticated and admitted.
 *
 * @param authenticate looks tokens up
 */
export function aroundCalls(logger: Logger, trail: AuditTrail, authenticate: Authenticate): Interceptor[] {
  const { outcomes, requests } = audit(trail);
  return [outcomes, ...aroundPeerCalls(logger, authenticate), requests];
}

/**
 * The interceptors of calls between services of one process: the same checks as for calls that enter the server.
 * They are not audited, because only requests of administrators are.
 */
export function aroundPeerCalls(logger: Logger, authenticate: Authenticate): Interceptor[] {
  return [answerFaults(logger), identify(authenticate), defer];
}
