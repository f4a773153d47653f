import type { HandlerContext } from '@connectrpc/connect';
import type { UnassignReportRequest } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import { refuseState } from '../../core/desk/case-tag.ts';
import type { DeskDeps } from '../../core/desk/desk-deps.ts';
import { changeByRequest } from './change-by-request.ts';

/**
 * Takes a case that is not resolved from its assignee.
 *
 * @throws refuse.notFound, refuseWithCase.preconditionFailed, refuseWithCase.wrongState
 */
export function unassignReport(deps: DeskDeps, request: UnassignReportRequest, context: HandlerContext) {
  return changeByRequest(deps, request, context, (current) => {
    if (current.state === 'resolved') refuseState(current, 'The case is resolved');
    return { set: { assignee: null } };
  });
}
