import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { parseUserId } from '@steward/kernel';
import type { AssignReportRequest } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import { requester } from '@steward/rpc';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { refuseState } from '../../core/cases/case-tag.ts';
import type { Deps } from '../../core/deps.ts';
import { changeByRequest } from './change-by-request.ts';

/**
 * Assigns a case that is not resolved to a user of this server, by default to the caller.
 *
 * @throws refuse.invalidParam for no user of this server, refuse.notFound, refuseWithCase.preconditionFailed,
 *   refuseWithCase.wrongState
 */
export async function assignReport(
  deps: CaseDeps & Pick<Deps, 'serverName' | 'users'>,
  request: AssignReportRequest,
  context: HandlerContext,
) {
  const assignee = request.userId ?? requester(context).owner;
  if (request.userId !== undefined) await requireUser(deps, request.userId);
  return changeByRequest(deps, request, context, (current) => {
    if (current.state === 'resolved') refuseState(current, 'The case is resolved');
    return { set: { assignee } };
  });
}

async function requireUser({ serverName, users }: Pick<Deps, 'serverName' | 'users'>, userId: string) {
  if (parseUserId(userId)?.domain !== serverName || !(await users.isKnown(userId)))
    throw refuse.invalidParam("'user_id' is not a user of this server");
}
