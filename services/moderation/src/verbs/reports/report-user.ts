import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { parseUserId } from '@steward/kernel';
import type { ReportUserRequest } from '@steward/proto/steward/moderation/v1/user_reports_pb.ts';
import { requester } from '@steward/rpc';
import { announceReport, unannouncedBy } from '../../core/announce-report.ts';
import { fileNewReport } from '../../core/cases/file-new-report.ts';
import { inboxKey } from '../../core/cases/inbox-key.ts';
import { keepEvidence } from '../../core/cases/keep-evidence.ts';
import type { Deps } from '../../core/deps.ts';
import { newReportKey, reportId } from '../../core/report-id.ts';

/**
 * Reports a user to the administrators (client-plane.md 12). Reports of unknown users are accepted and
 * ignored, so that the answer does not reveal which accounts exist.
 *
 * @throws limitExceeded, or refuse.invalidParam for an invalid user id
 */
export async function reportUser(deps: Deps, request: ReportUserRequest, context: HandlerContext) {
  const caller = requester(context);
  const { userId, reason } = request;
  deps.limits.reports.take(caller);
  const user = parseUserId(userId);
  if (!user) throw refuse.invalidParam('Not a user id');
  if (user.domain !== deps.serverName || !(await deps.users.isKnown(userId))) return {};
  const kept = await keepEvidence.user(deps, caller.userId, userId);
  const report = {
    _id: await newReportKey(deps, 'user_reports'),
    received_ts: deps.clock.now(),
    user_id: caller.userId,
    target_user_id: userId,
    reason,
    unannounced: unannouncedBy(context),
    unfiled: true,
    ...kept,
  } as const;
  await deps.userReports.insertOne(report);
  await fileNewReport(deps, inboxKey('user', reportId(report)));
  await announceReport.user(deps, report);
  return {};
}
