import type { HandlerContext } from '@connectrpc/connect';
import type { ReopenReportRequest } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import { requester } from '@steward/rpc';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { refuseState } from '../../core/cases/case-tag.ts';
import { checkOwnCase } from '../../core/cases/own-case.ts';
import type { Deps } from '../../core/deps.ts';
import { MAX_REOPENED } from '../../core/model/case.ts';
import { changeByRequest } from './change-by-request.ts';

/**
 * Opens a resolved case again. What was decided stays with it.
 *
 * @throws refuse.notFound, refuse.forbidden for the caller's own case where the settings forbid it, refuseWithCase.preconditionFailed, refuseWithCase.wrongState
 */
export function reopenReport(
  deps: CaseDeps & Pick<Deps, 'forbidsOwnCases'>,
  request: ReopenReportRequest,
  context: HandlerContext,
) {
  return changeByRequest(deps, request, context, (current) => {
    const { former_resolutions: former, next_case, resolution, state } = current;
    if (state !== 'resolved' || !resolution) refuseState(current, `The case is ${state}`);
    checkOwnCase(deps, requester(context), current.user_id);
    if (next_case !== null) refuseState(current, `The subject has a later case, ${next_case}`);
    if (resolution.orders.some((order) => order.state === 'pending'))
      refuseState(current, 'Orders of the resolution are pending');
    if (former.length >= MAX_REOPENED)
      refuseState(current, `A case can be opened again ${MAX_REOPENED} times`);
    return {
      set: {
        ...{ state: 'open', outcome: null, duplicate_of: null, resolution: null },
        former_resolutions: [...former, resolution],
      },
    };
  });
}
