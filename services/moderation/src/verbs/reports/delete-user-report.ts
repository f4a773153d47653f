import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { DeleteUserReportRequest } from '@steward/proto/steward/moderation/v1/user_reports_pb.ts';
import { requester } from '@steward/rpc';
import { inboxKey } from '../../core/cases/inbox-key.ts';
import { checkOwnCase } from '../../core/cases/own-case.ts';
import { withdrawReport } from '../../core/cases/withdraw-report.ts';
import type { Deps } from '../../core/deps.ts';
import { reportKey } from '../../core/report-id.ts';

/**
 * Deletes a report of a user (behaviour.md 13.6).
 *
 * @throws refuse.notFound; refuse.forbidden for a report about the caller where the settings forbid it
 */
export async function deleteUserReport(
  deps: Deps,
  { reportId }: DeleteUserReportRequest,
  context: HandlerContext,
) {
  const _id = reportKey(reportId);
  const report = await deps.userReports.findOne({ _id });
  if (!report) throw refuse.notFound('Report not found');
  checkOwnCase(deps, requester(context), report.target_user_id);
  // First, so that a crash in between leaves a report that can be deleted again, and no entry of the inbox without a report.
  await withdrawReport(deps, inboxKey('user', reportId), requester(context).owner);
  const { deletedCount } = await deps.userReports.deleteOne({ _id });
  if (deletedCount === 0) throw refuse.notFound('Report not found');
  return {};
}
