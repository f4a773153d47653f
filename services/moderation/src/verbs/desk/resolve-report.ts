import type { HandlerContext } from '@connectrpc/connect';
import { recordCall, reportEvent, tokenKindOf } from '@steward/audit';
import { refuse } from '@steward/errors';
import { ReportResolvedSchema } from '@steward/proto/steward/feed/v1/reports_pb.ts';
import type { ResolveReportRequest } from '@steward/proto/steward/moderation/v1/report_resolution_pb.ts';
import {
  headers,
  type Requester,
  requester,
  requireAuthority,
  requireUsedScope,
  scopeName,
} from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { orderTaskId } from '../../core/desk/begin-orders.ts';
import { caseName } from '../../core/desk/case-aggregate.ts';
import { refuseState, requireMatch } from '../../core/desk/case-tag.ts';
import { loadCase } from '../../core/desk/find-case.ts';
import { checkOwnCase } from '../../core/desk/own-case.ts';
import { resolveCase } from '../../core/desk/resolve-case.ts';
import type { CaseAuthority, CaseOutcome } from '../../core/model/case.ts';
import { checkOrder } from '../../core/orders/carry-out.ts';
import { accountsOfOrder, scopesOfOrder } from '../../core/orders/documented-calls.ts';
import type { Order } from '../../core/orders/order.ts';
import { named, readOrders } from '../../core/orders/read-orders.ts';
import { answerWithCase } from './answer-with-case.ts';

/** Takes the place of the id of an order that is only checked. */
const UNORDERED = '';

/**
 * Ends a case with a decision, and with orders that a task carries out after this. All that can be known to be refused is refused
 * before the decision is made.
 */
export async function resolveReport(deps: Deps, request: ResolveReportRequest, context: HandlerContext) {
  const { reportId, ifMatch, outcome, reason, duplicateOf, notify } = request;
  const caller = requester(context);
  const { owner } = caller;
  const current = await loadCase(deps, reportId);
  // The log finds the decision by the case, also if the process is killed before the answer.
  await recordCall(context, { targets: [caseName(current._id)] });
  requireMatch(current, { ifMatch });
  if (current.state === 'resolved') refuseState(current, 'The case is resolved already');
  const concernsDecider = checkOwnCase(deps, caller, current.user_id);
  if (outcome !== 'actioned' && request.orders.length > 0)
    throw refuse.invalidParam("Orders are for the outcome 'actioned'");
  if (notify && !deps.notices.enabled) throw refuse.unknown('Server notices are not enabled on this server');
  const orders = await readOrders(deps, current, request.orders, owner, async (order) => {
    await requireScopes(deps, context, order);
    await requireAuthority(deps.authority, caller, accountsOfOrder(order));
  });
  const giver = { orderId: UNORDERED, requestedBy: owner, rights: caller };
  for (const [index, order] of orders.entries())
    await named(index, order.kind, () => checkOrder(deps, order, giver));
  const resolved = await resolveCase(deps, current._id, {
    decider: owner,
    requestId: context.requestHeader.get(headers.requestId) ?? '',
    ifMatch,
    outcome: outcome as CaseOutcome,
    duplicateOf: duplicateOf ?? null,
    reason: reason ?? null,
    notify: notify ?? (deps.notifiesReporters && deps.notices.enabled),
    orders: orders.map(({ kind, details }) => ({ kind, details: JSON.stringify(details) })),
    ...(orders.length > 0 ? { authority: authorityOf(caller, context) } : {}),
  });
  const { _id: caseId, kind, resolution } = resolved;
  reportEvent(context, ReportResolvedSchema, { caseId, kind, outcome }, [caseName(caseId)]);
  const task = orders.length > 0 && resolution ? { taskId: orderTaskId(caseId, resolution.number) } : {};
  return { ...answerWithCase(context, resolved), ...task, ...(concernsDecider ? { concernsDecider } : {}) };
}

/** @throws refuse.forbidden, which names the scope; stepUpRequired; refuse.missingParam when a scope requires a reason for the audit log */
async function requireScopes(
  deps: Pick<Deps, 'notices'>,
  context: HandlerContext,
  order: Order,
): Promise<void> {
  for (const scope of scopesOfOrder(deps, order)) {
    requireUsedScope(context, scope);
    await recordCall(context, { scope });
  }
}

function authorityOf(caller: Requester, { requestHeader }: HandlerContext): CaseAuthority {
  const { admin, scopes = [], userId, owner, deviceId = null } = caller;
  return {
    scopes: admin ? null : scopes.map(scopeName),
    acting_as: userId === owner ? null : userId,
    token_kind: tokenKindOf(caller),
    device_id: deviceId,
    address: requestHeader.get(headers.clientAddress) ?? '',
  };
}
