import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { GetPushRuleRequest } from '@steward/proto/steward/user/v1/push_rules_pb.ts';
import type { Deps } from '../../core/deps.ts';
import type { Kind, PushRule } from '../../core/push-rules/push-rule.ts';
import { ownPushRules } from './own-push-rules.ts';

/** Names a rule; the validation of the request admits only the known kinds. */
type RuleName = Pick<GetPushRuleRequest, 'kind' | 'ruleId'>;

/** @throws refuse.notFound */
export async function findRule(
  deps: Deps,
  { kind, ruleId }: RuleName,
  context: HandlerContext,
): Promise<PushRule> {
  const rules = await ownPushRules(deps, context);
  const rule = rules[kind as Kind].find(({ rule_id: id }) => id === ruleId);
  if (!rule) throw noSuchRule();
  return rule;
}

/** The refusal for a rule that does not exist. */
export function noSuchRule(): Error {
  return refuse.notFound('There is no such push rule');
}
