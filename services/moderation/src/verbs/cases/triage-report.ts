import type { HandlerContext } from '@connectrpc/connect';
import type { TriageReportRequest } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { refuseState } from '../../core/cases/case-tag.ts';
import { changeByRequest } from './change-by-request.ts';

/**
 * States that a moderator has looked at an open case, or that an escalated one is back.
 *
 * @throws refuse.notFound, refuseWithCase.preconditionFailed, refuseWithCase.wrongState
 */
export function triageReport(deps: CaseDeps, request: TriageReportRequest, context: HandlerContext) {
  return changeByRequest(deps, request, context, (current) => {
    if (current.state !== 'open' && current.state !== 'escalated')
      refuseState(current, `The case is ${current.state}`);
    return { set: { state: 'triaged' } };
  });
}
