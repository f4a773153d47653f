import type { HandlerContext } from '@connectrpc/connect';
import type { SetReportSeverityRequest } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { refuseState } from '../../core/cases/case-tag.ts';
import type { CaseSeverity } from '../../core/model/case.ts';
import { changeByRequest } from './change-by-request.ts';

/**
 * Sets or clears the severity of a case that is not resolved.
 *
 * @throws refuse.notFound, refuseWithCase.preconditionFailed, refuseWithCase.wrongState
 */
export function setReportSeverity(
  deps: CaseDeps,
  request: SetReportSeverityRequest,
  context: HandlerContext,
) {
  return changeByRequest(deps, request, context, (current) => {
    if (current.state === 'resolved') refuseState(current, 'The case is resolved');
    return { set: { severity: severityOf(request.severity) } };
  });
}

/** The severity that a word stands for; the proto lists the words. */
function severityOf(word: string): CaseSeverity | null {
  return word === 'none' ? null : (word as CaseSeverity);
}
