import type { HandlerContext } from '@connectrpc/connect';
import type { GetPushRuleActionsRequest } from '@steward/proto/steward/user/v1/push_rules_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { findRule } from './find-rule.ts';
import { toPushRule } from './own-push-rules.ts';

/** Returns the actions of a rule. */
export async function getPushRuleActions(
  deps: Deps,
  request: GetPushRuleActionsRequest,
  context: HandlerContext,
) {
  return { actions: toPushRule(await findRule(deps, request, context)).actions ?? [] };
}
