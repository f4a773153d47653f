import type { HandlerContext } from '@connectrpc/connect';
import type { EscalateReportRequest } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { refuseState } from '../../core/cases/case-tag.ts';
import { changeByRequest } from './change-by-request.ts';

/**
 * Hands an open or triaged case to those who decide difficult ones.
 *
 * @throws refuse.notFound, refuseWithCase.preconditionFailed, refuseWithCase.wrongState
 */
export function escalateReport(deps: CaseDeps, request: EscalateReportRequest, context: HandlerContext) {
  return changeByRequest(deps, request, context, (current) => {
    if (current.state !== 'open' && current.state !== 'triaged')
      refuseState(current, `The case is ${current.state}`);
    return { set: { state: 'escalated' } };
  });
}
