import type { HandlerContext } from '@connectrpc/connect';
import type { PutPushRuleRequest } from '@steward/proto/steward/user/v1/push_rules_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import type { Kind, PushRule } from '../../core/push-rules/push-rule.ts';
import { changeRule } from '../../core/push-rules/rule-changes.ts';
import { changePushRules } from './change-push-rules.ts';
import { noSuchRule } from './find-rule.ts';

export async function changeRuleFields(
  deps: Deps,
  { kind, ruleId }: Pick<PutPushRuleRequest, 'kind' | 'ruleId'>,
  fields: Partial<Pick<PushRule, 'enabled' | 'actions'>>,
  context: HandlerContext,
) {
  const caller = requester(context);
  await changePushRules(deps, caller, (changes) => {
    const changed = changeRule(caller.userId, changes, { kind: kind as Kind, ruleId }, fields);
    if (!changed) throw noSuchRule();
    return changed;
  });
  return {};
}
