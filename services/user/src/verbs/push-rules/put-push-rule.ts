import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { PutPushRuleRequest } from '@steward/proto/steward/user/v1/push_rules_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { hasConditions, type Kind, type PushRule } from '../../core/push-rules/push-rule.ts';
import { changePushRules } from './change-push-rules.ts';
import { readActions, readConditions } from './check-rule.ts';
import { ownRuleId } from './own-rule-id.ts';

/**
 * Adds a rule, or replaces one that the caller has added (client-plane.md 12). `before` or `after` determine its
 * position; by default it is the first of the added rules. A replaced rule stays enabled or disabled.
 */
export async function putPushRule(deps: Deps, request: PutPushRuleRequest, context: HandlerContext) {
  const kind = request.kind as Kind;
  const ruleId = ownRuleId(request.ruleId);
  const rule = readRule(kind, ruleId, request);
  await changePushRules(deps, requester(context), (changes) => {
    const existing = changes.added[kind].find(({ rule_id: id }) => id === ruleId);
    const others = changes.added[kind].filter((other) => other !== existing);
    const at = indexAmong(others, request);
    const rules = others.toSpliced(at, 0, { ...rule, enabled: existing?.enabled ?? true });
    return { ...changes, added: { ...changes.added, [kind]: rules } };
  });
  return {};
}

function readRule(kind: Kind, ruleId: string, request: PutPushRuleRequest): Omit<PushRule, 'enabled'> {
  const rule = { rule_id: ruleId, default: false, actions: readActions(request.actions) };
  if (hasConditions(kind)) return { ...rule, conditions: readConditions(request.conditions) };
  if (kind !== 'content') return rule;
  if (request.pattern === undefined) throw refuse.missingParam("'pattern' is missing");
  return { ...rule, pattern: request.pattern };
}

/** The position of a rule among the other added ones. */
function indexAmong(
  others: readonly PushRule[],
  { before, after }: Pick<PutPushRuleRequest, 'before' | 'after'>,
): number {
  const neighbour = before ?? after;
  if (neighbour === undefined) return 0;
  const at = others.findIndex(({ rule_id: id }) => id === neighbour);
  if (at < 0) throw refuse.unknown("The rule in 'before' or 'after' does not exist");
  return before === undefined ? at + 1 : at;
}
