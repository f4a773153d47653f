import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type { PushRuleSchema, PushRuleSetSchema } from '@steward/proto/steward/user/v1/push_rules_pb.ts';
import { requester } from '@steward/rpc';
import { contentOf } from '../../core/account-data/content-of.ts';
import type { Deps } from '../../core/deps.ts';
import { GLOBAL, PUSH_RULES } from '../../core/model/account-data.ts';
import { KINDS, type PushRule, type PushRules } from '../../core/push-rules/push-rule.ts';
import { changesIn, rulesOf } from '../../core/push-rules/rule-changes.ts';

/** The rules of the caller. */
export async function ownPushRules(deps: Deps, context: HandlerContext): Promise<PushRules> {
  const { userId } = requester(context);
  return rulesOf(userId, changesIn(await contentOf(deps, userId, GLOBAL, PUSH_RULES)));
}

export async function ruleSet(
  deps: Deps,
  context: HandlerContext,
): Promise<MessageInitShape<typeof PushRuleSetSchema>> {
  const rules = await ownPushRules(deps, context);
  return Object.fromEntries(KINDS.map((kind) => [kind, rules[kind].map(toPushRule)]));
}

/** A rule as a message. */
export function toPushRule(rule: PushRule): MessageInitShape<typeof PushRuleSchema> {
  return {
    ruleId: rule.rule_id,
    default: rule.default,
    enabled: rule.enabled,
    actions: rule.actions.map((action) => JSON.stringify(action)),
    ...(rule.conditions ? { conditions: JSON.stringify(rule.conditions) } : {}),
    ...(rule.pattern === undefined ? {} : { pattern: rule.pattern }),
  };
}
