import { refuse } from '@steward/errors';
import type { GetUserReportRequest } from '@steward/proto/steward/moderation/v1/user_reports_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { reportKey } from '../../core/report-id.ts';
import { toUserReport } from './list-user-reports.ts';

/**
 * Returns a report of a user (behaviour.md 13.6).
 *
 * @throws refuse.notFound
 */
export async function getUserReport(deps: Pick<Deps, 'userReports'>, { reportId }: GetUserReportRequest) {
  const report = await deps.userReports.findOne({ _id: reportKey(reportId) });
  if (!report) throw refuse.notFound('Report not found');
  return { report: toUserReport(report) };
}
