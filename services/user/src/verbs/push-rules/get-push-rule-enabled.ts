import type { HandlerContext } from '@connectrpc/connect';
import type { GetPushRuleEnabledRequest } from '@steward/proto/steward/user/v1/push_rules_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { findRule } from './find-rule.ts';

/** Returns whether a rule is enabled. */
export async function getPushRuleEnabled(
  deps: Deps,
  request: GetPushRuleEnabledRequest,
  context: HandlerContext,
) {
  return { enabled: (await findRule(deps, request, context)).enabled };
}
