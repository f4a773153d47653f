import type { HandlerContext } from '@connectrpc/connect';
import type { UnassignReportRequest } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { refuseState } from '../../core/cases/case-tag.ts';
import { changeByRequest } from './change-by-request.ts';

/**
 * Takes a case that is not resolved from its assignee.
 *
 * @throws refuse.notFound, refuseWithCase.preconditionFailed, refuseWithCase.wrongState
 */
export function unassignReport(deps: CaseDeps, request: UnassignReportRequest, context: HandlerContext) {
  return changeByRequest(deps, request, context, (current) => {
    if (current.state === 'resolved') refuseState(current, 'The case is resolved');
    return { set: { assignee: null } };
  });
}
