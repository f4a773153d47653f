import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  GetPushRuleActionsRequest,
  GetPushRuleEnabledRequest,
  GetPushRuleRequest,
} from '@steward/proto/steward/user/v1/push_rules_pb.ts';
import type { Deps } from '../../core/deps.ts';
import type { Kind, PushRule } from '../../core/push-rules/push-rule.ts';
import { ownPushRules, toPushRule } from './list-push-rules.ts';

/** Names a rule; the contract admits no other kinds. */
type RuleName = Pick<GetPushRuleRequest, 'kind' | 'ruleId'>;

/** One rule of the caller (client-plane.md 12). */
export async function getPushRule(deps: Deps, request: GetPushRuleRequest, context: HandlerContext) {
  return { rule: toPushRule(await findRule(deps, request, context)) };
}

/** Whether a rule is heeded. */
export async function getPushRuleEnabled(
  deps: Deps,
  request: GetPushRuleEnabledRequest,
  context: HandlerContext,
) {
  return { enabled: (await findRule(deps, request, context)).enabled };
}

/** What a rule has done. */
export async function getPushRuleActions(
  deps: Deps,
  request: GetPushRuleActionsRequest,
  context: HandlerContext,
) {
  return { actions: toPushRule(await findRule(deps, request, context)).actions ?? [] };
}

/** @throws refuse.notFound */
async function findRule(deps: Deps, { kind, ruleId }: RuleName, context: HandlerContext): Promise<PushRule> {
  const rules = await ownPushRules(deps, context);
  const rule = rules[kind as Kind].find(({ rule_id: id }) => id === ruleId);
  if (!rule) throw noSuchRule();
  return rule;
}

/** What a rule that does not exist is answered with. */
export function noSuchRule(): Error {
  return refuse.notFound('There is no such push rule');
}
