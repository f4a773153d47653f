import type { HandlerContext } from '@connectrpc/connect';
import type { PutPushRuleActionsRequest } from '@steward/proto/steward/user/v1/push_rules_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { changeRuleFields } from './change-rule-fields.ts';
import { readActions } from './check-rule.ts';

/** Sets the actions of a rule, a default one or one that the caller has added. */
export async function putPushRuleActions(
  deps: Deps,
  request: PutPushRuleActionsRequest,
  context: HandlerContext,
) {
  return changeRuleFields(deps, request, { actions: readActions(request.actions) }, context);
}
