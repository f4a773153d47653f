import type { Message } from '@bufbuild/protobuf';
import { stepUpRequired } from '@steward/errors';
import type { Clock } from '@steward/kernel';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { scopesOfFields } from './access.ts';
import type { MethodRules } from './method-rules.ts';
import type { Requester } from './requester.ts';

/** Which calls of administrator sessions require a recent proof of who uses the session. */
export interface StepUp {
  readonly scopes: ReadonlySet<Scope>;
  /** How old the proof may be, in milliseconds. */
  readonly maxAgeMs: number;
  readonly clock: Clock;
}

/**
 * Refuses the call of an administrator session whose user has not proved their identity recently, if the method or a field
 * that the request sets has one of the scopes.
 *
 * @throws stepUpRequired
 */
export function checkStepUp(
  { scopes, maxAgeMs, clock }: StepUp,
  rules: Pick<MethodRules, 'scope' | 'fieldScopes'>,
  message: Message | undefined,
  { kind, provedTs = 0, proofStages = [] }: Requester,
): void {
  if (kind !== 'session' || clock.now() - provedTs <= maxAgeMs) return;
  const needed = [rules.scope, ...(message ? scopesOfFields(rules, message) : [])];
  if (needed.some((scope) => scopes.has(scope))) throw stepUpRequired(proofStages);
}
