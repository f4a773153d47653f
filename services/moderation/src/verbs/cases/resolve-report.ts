import type { HandlerContext } from '@connectrpc/connect';
import { recordCall, reportEvent } from '@steward/audit';
import { refuse } from '@steward/errors';
import { ReportResolvedSchema } from '@steward/proto/steward/feed/v1/reports_pb.ts';
import type { ResolveReportRequest } from '@steward/proto/steward/moderation/v1/report_resolution_pb.ts';
import { callId, headers, requester, requireAuthority, requireUsedScope } from '@steward/rpc';
import { accountsOfAction, kindOf, scopesOfAction } from '../../core/actions/kinds.ts';
import { forEachAction, lookUpActions, readActions } from '../../core/actions/read-actions.ts';
import { authorityOf } from '../../core/carried-authority.ts';
import { actionTaskId } from '../../core/cases/begin-actions.ts';
import { caseName } from '../../core/cases/case-aggregate.ts';
import { refuseState, requireMatch } from '../../core/cases/case-tag.ts';
import { loadCase } from '../../core/cases/find-case.ts';
import { checkOwnCase } from '../../core/cases/own-case.ts';
import { resolveCase } from '../../core/cases/resolve-case.ts';
import type { Deps } from '../../core/deps.ts';
import type { CaseOutcome } from '../../core/model/case.ts';
import { answerWithCase } from './answer-with-case.ts';

/** Takes the place of the id of an action that is only checked. */
const UNORDERED = '';

/**
 * Ends a case with a decision, and with actions that a task carries out after this. All that can be known to be refused is refused
 * before the decision is made.
 */
export async function resolveReport(deps: Deps, request: ResolveReportRequest, context: HandlerContext) {
  const { reportId, ifMatch, outcome, reason, duplicateOf, notify } = request;
  const caller = requester(context);
  const { owner } = caller;
  const current = await loadCase(deps, reportId);
  // The log finds the decision by the case, also if the process is killed before the answer.
  await recordCall(context, { targets: [caseName(current._id)] });
  const call = callId(context);
  // What is returned for it, and its event, an earlier attempt of the call has made too.
  const decided = call !== undefined && current.last_call === call ? current : undefined;
  if (!decided) requireMatch(current, { ifMatch });
  if (!decided && current.state === 'resolved') refuseState(current, 'The case is resolved already');
  const concernsDecider = checkOwnCase(deps, caller, current.user_id);
  if (outcome !== 'actioned' && request.orders.length > 0)
    throw refuse.invalidParam("Orders are possible with the outcome 'actioned' only");
  if (notify && !deps.notices.enabled) throw refuse.unknown('Server notices are not enabled on this server');
  const named = await readActions(current, request.orders, owner);
  // The scopes of all of them before anything is looked up for any of them.
  await forEachAction(named, async (action) => {
    for (const scope of scopesOfAction(deps, action)) {
      requireUsedScope(context, scope);
      await recordCall(context, { scope });
    }
  });
  await forEachAction(named, (action) => requireAuthority(deps.authority, caller, accountsOfAction(action)));
  const actions = await lookUpActions(deps, named);
  const given = { orderId: UNORDERED, requestedBy: owner, rights: caller, checkOnly: true };
  if (!decided)
    await forEachAction(actions, (action) => kindOf(action).carryOut(deps, action.details, given));
  const resolved =
    decided ??
    (await resolveCase(deps, current._id, {
      call,
      decider: owner,
      requestId: context.requestHeader.get(headers.requestId) ?? '',
      ifMatch,
      outcome: outcome as CaseOutcome,
      duplicateOf: duplicateOf ?? null,
      reason: reason ?? null,
      notify: notify ?? (deps.notifiesReporters && deps.notices.enabled),
      actions: actions.map(({ kind, details }) => ({ kind, details: JSON.stringify(details) })),
      ...(actions.length > 0 ? { authority: authorityOf(caller, context) } : {}),
    }));
  const { _id: caseId, kind, resolution } = resolved;
  reportEvent(context, ReportResolvedSchema, { caseId, kind, outcome }, [caseName(caseId)]);
  const task = actions.length > 0 && resolution ? { taskId: actionTaskId(caseId, resolution.number) } : {};
  return { ...answerWithCase(context, resolved), ...task, ...(concernsDecider ? { concernsDecider } : {}) };
}
