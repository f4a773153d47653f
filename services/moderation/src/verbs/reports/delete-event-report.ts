import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { DeleteEventReportRequest } from '@steward/proto/steward/moderation/v1/event_reports_pb.ts';
import { requester } from '@steward/rpc';
import { inboxKey } from '../../core/cases/inbox-key.ts';
import { checkOwnCase } from '../../core/cases/own-case.ts';
import { withdrawReport } from '../../core/cases/withdraw-report.ts';
import type { Deps } from '../../core/deps.ts';
import { reportKey } from '../../core/report-id.ts';

/**
 * Deletes a report of an event, whether the event still exists or not (behaviour.md 9.2).
 *
 * @throws refuse.notFound; refuse.forbidden for a report about the caller where the settings forbid it
 */
export async function deleteEventReport(
  deps: Deps,
  { reportId }: DeleteEventReportRequest,
  context: HandlerContext,
) {
  const _id = reportKey(reportId);
  const report = await deps.eventReports.findOne({ _id });
  if (!report) throw refuse.notFound('Report not found');
  checkOwnCase(deps, requester(context), report.sender);
  // First, so that a crash in between leaves a report that can be deleted again, and no entry of the inbox without a report. A report
  // that is never deleted again is filed again later.
  await withdrawReport(deps, inboxKey('event', reportId), requester(context).owner);
  const { deletedCount } = await deps.eventReports.deleteOne({ _id });
  if (deletedCount === 0) throw refuse.notFound('Report not found');
  return {};
}
