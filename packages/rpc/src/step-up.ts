import type { Message } from '@bufbuild/protobuf';
import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { stepUpRequired } from '@steward/errors';
import type { Clock } from '@steward/kernel';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { requireScope, scopesOf } from './access.ts';
import type { MethodRules } from './method-rules.ts';
import { type Requester, requester } from './requester.ts';

/** Which calls of administrator sessions require a recent proof of who uses the session. */
export interface StepUp {
  readonly scopes: ReadonlySet<Scope>;
  /** How old the proof may be, in milliseconds. */
  readonly maxAgeMs: number;
  readonly clock: Clock;
}

/** Checks the step-up of the current call for a scope; undefined where none is required. */
export const stepUpKey = createContextKey<((scope: Scope) => void) | undefined>(undefined, {
  description: 'requires a recent proof of identity for a scope',
});

/**
 * Refuses the call of an administrator session whose user has not proved their identity recently, if the method or a field
 * that the request sets has one of the scopes.
 *
 * @throws stepUpRequired
 */
export function checkStepUp(
  stepUp: StepUp,
  rules: Pick<MethodRules, 'scope' | 'fieldScopes'>,
  message: Message | undefined,
  caller: Requester,
): void {
  for (const scope of message ? scopesOf(rules, message) : [rules.scope])
    checkStepUpFor(stepUp, scope, caller);
}

/** As `checkStepUp`, for one scope. */
export function checkStepUpFor({ scopes, maxAgeMs, clock }: StepUp, scope: Scope, caller: Requester): void {
  const { kind, provedTs = 0, proofStages = [] } = caller;
  if (kind === 'session' && scopes.has(scope) && !isRecent(provedTs, clock.now(), maxAgeMs))
    throw stepUpRequired(proofStages);
}

/**
 * Requires a scope that a request uses for what it does to the current state, in addition to those of its method and its fields. Of an
 * administrator session it requires the step-up as well.
 *
 * @throws refuse.forbidden or stepUpRequired
 */
export function requireUsedScope(context: HandlerContext, scope: Scope): void {
  requireScope(requester(context), scope);
  context.values.get(stepUpKey)?.(scope);
}

/**
 * Whether a proof is at most so old. One from the future, before a clock was set back, is not recent for longer than that.
 *
 * @param provedTs when it was given, and `now`, in milliseconds since the Unix epoch
 */
export function isRecent(provedTs: number, now: number, maxAgeMs: number): boolean {
  return Math.abs(now - provedTs) <= maxAgeMs;
}
