import type { Interceptor } from '@connectrpc/connect';
import { type AuditTrail, audit } from '@steward/audit';
import { type Authenticate, defer, identify, reportFaults } from '@steward/rpc';
import type { Logger } from '@steward/telemetry';
import { fromStore } from './from-store.ts';

/** Tells callers what they may know of a failure, and the log the rest. */
export function answerFaults(logger: Logger): Interceptor {
  return reportFaults({
    translate: fromStore,
    onFault: (error, method) => logger.error({ err: error, method }, 'a call failed'),
  });
}

/**
 * What stands around the calls that come from outside, the outermost first: outcomes are recorded as callers see them,
 * and orders only of calls that have been authenticated and admitted.
 *
 * @param authenticate looks tokens up; without it only callers who state the requester are let in
 */
export function aroundCalls(
  logger: Logger,
  trail: AuditTrail,
  authenticate: Authenticate | undefined,
): Interceptor[] {
  const { outcomes, orders } = audit(trail);
  return [outcomes, answerFaults(logger), identify(authenticate), defer, orders];
}
