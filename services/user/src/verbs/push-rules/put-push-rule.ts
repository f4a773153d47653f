import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  DeletePushRuleRequest,
  PutPushRuleActionsRequest,
  PutPushRuleEnabledRequest,
  PutPushRuleRequest,
} from '@steward/proto/steward/user/v1/push_rules_pb.ts';
import { requester } from '@steward/rpc';
import { usableName } from '../../core/account-data/usable-name.ts';
import type { Deps } from '../../core/deps.ts';
import { hasConditions, isServersId, type Kind, type PushRule } from '../../core/push-rules/push-rule.ts';
import { changeRule } from '../../core/push-rules/rule-changes.ts';
import { changePushRules } from './change-push-rules.ts';
import { readActions, readConditions } from './check-rule.ts';
import { noSuchRule } from './get-push-rule.ts';

/**
 * Adds a rule, or replaces one that the caller has added (client-plane.md 12). It goes where `before` or
 * `after` say, else to the front of those that were added; one that is replaced stays switched on or off.
 */
export async function putPushRule(deps: Deps, request: PutPushRuleRequest, context: HandlerContext) {
  const kind = request.kind as Kind;
  const ruleId = ownRuleId(request.ruleId);
  const rule = readRule(kind, ruleId, request);
  await changePushRules(deps, requester(context), (changes) => {
    const present = changes.added[kind].find(({ rule_id: id }) => id === ruleId);
    const others = changes.added[kind].filter((other) => other !== present);
    const at = placeAmong(others, request);
    const rules = others.toSpliced(at, 0, { ...rule, enabled: present?.enabled ?? true });
    return { ...changes, added: { ...changes.added, [kind]: rules } };
  });
  return {};
}

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

/** Says whether a rule is heeded, a default one or one that the caller has added. */
export async function putPushRuleEnabled(
  deps: Deps,
  request: PutPushRuleEnabledRequest,
  context: HandlerContext,
) {
  return changeRuleFields(deps, request, { enabled: request.enabled }, context);
}

/** Says what a rule has done, a default one or one that the caller has added. */
export async function putPushRuleActions(
  deps: Deps,
  request: PutPushRuleActionsRequest,
  context: HandlerContext,
) {
  return changeRuleFields(deps, request, { actions: readActions(request.actions) }, context);
}

async function changeRuleFields(
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

function readRule(kind: Kind, ruleId: string, request: PutPushRuleRequest): Omit<PushRule, 'enabled'> {
  const rule = { rule_id: ruleId, default: false, actions: readActions(request.actions) };
  if (hasConditions(kind)) return { ...rule, conditions: readConditions(request.conditions) };
  if (kind !== 'content') return rule;
  if (request.pattern === undefined) throw refuse.missingParam("'pattern' is missing");
  return { ...rule, pattern: request.pattern };
}

/** Where a rule goes among the others that were added. */
function placeAmong(
  others: readonly PushRule[],
  { before, after }: Pick<PutPushRuleRequest, 'before' | 'after'>,
): number {
  const neighbour = before ?? after;
  if (neighbour === undefined) return 0;
  const at = others.findIndex(({ rule_id: id }) => id === neighbour);
  if (at < 0) throw refuse.unknown('The rule to come before or after does not exist');
  return before === undefined ? at + 1 : at;
}

/** The id of a rule that the caller may add and remove. */
function ownRuleId(ruleId: string): string {
  if (isServersId(ruleId)) throw refuse.unknown('Rules whose ids begin with a point are the server’s');
  if (/[/\\]/.test(ruleId)) throw refuse.unknown('The id of a rule must not have a slash');
  return usableName(ruleId);
}
