import type { HandlerContext } from '@connectrpc/connect';
import type { PutPushRuleEnabledRequest } from '@steward/proto/steward/user/v1/push_rules_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { changeRuleFields } from './change-rule-fields.ts';

/** Enables or disables a rule, a default one or one that the caller has added. */
export async function putPushRuleEnabled(
  deps: Deps,
  request: PutPushRuleEnabledRequest,
  context: HandlerContext,
) {
  return changeRuleFields(deps, request, { enabled: request.enabled }, context);
}
