import type { HandlerContext } from '@connectrpc/connect';
import type { GetPushRuleRequest } from '@steward/proto/steward/user/v1/push_rules_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { findRule } from './find-rule.ts';
import { toPushRule } from './own-push-rules.ts';

/** Returns one rule of the caller (client-plane.md 12). */
export async function getPushRule(deps: Deps, request: GetPushRuleRequest, context: HandlerContext) {
  return { rule: toPushRule(await findRule(deps, request, context)) };
}
