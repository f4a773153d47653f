import type { HandlerContext } from '@connectrpc/connect';
import type { DeletePushRuleRequest } from '@steward/proto/steward/user/v1/push_rules_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import type { Kind } from '../../core/push-rules/push-rule.ts';
import { changePushRules } from './change-push-rules.ts';
import { noSuchRule } from './find-rule.ts';
import { ownRuleId } from './own-rule-id.ts';

/** Removes a rule that the caller has added. */
export async function deletePushRule(deps: Deps, request: DeletePushRuleRequest, context: HandlerContext) {
  const kind = request.kind as Kind;
  const ruleId = ownRuleId(request.ruleId);
  await changePushRules(deps, requester(context), (changes) => {
    const rest = changes.added[kind].filter(({ rule_id: id }) => id !== ruleId);
    if (rest.length === changes.added[kind].length) throw noSuchRule();
    return { ...changes, added: { ...changes.added, [kind]: rest } };
  });
  return {};
}
