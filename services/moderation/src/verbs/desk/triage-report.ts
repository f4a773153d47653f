import type { HandlerContext } from '@connectrpc/connect';
import type { TriageReportRequest } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import { refuseState } from '../../core/desk/case-tag.ts';
import type { DeskDeps } from '../../core/desk/desk-deps.ts';
import { changeByRequest } from './change-by-request.ts';

/**
 * States that a moderator has looked at an open case, or that an escalated one is back.
 *
 * @throws refuse.notFound, refuseWithCase.preconditionFailed, refuseWithCase.wrongState
 */
export function triageReport(deps: DeskDeps, request: TriageReportRequest, context: HandlerContext) {
  return changeByRequest(deps, request, context, (current) => {
    if (current.state !== 'open' && current.state !== 'escalated')
      refuseState(current, `The case is ${current.state}`);
    return { set: { state: 'triaged' } };
  });
}
