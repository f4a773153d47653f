import type { HandlerContext } from '@connectrpc/connect';
import type { EscalateReportRequest } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import { refuseState } from '../../core/desk/case-tag.ts';
import type { DeskDeps } from '../../core/desk/desk-deps.ts';
import { changeByRequest } from './change-by-request.ts';

/**
 * Hands an open or triaged case to those who decide difficult ones.
 *
 * @throws refuse.notFound, refuseWithCase.preconditionFailed, refuseWithCase.wrongState
 */
export function escalateReport(deps: DeskDeps, request: EscalateReportRequest, context: HandlerContext) {
  return changeByRequest(deps, request, context, (current) => {
    if (current.state !== 'open' && current.state !== 'triaged')
      refuseState(current, `The case is ${current.state}`);
    return { set: { state: 'escalated' } };
  });
}
