import { refuse } from '@steward/errors';
import type { DeleteUserReportRequest } from '@steward/proto/steward/moderation/v1/user_reports_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { reportKey } from '../../core/report-id.ts';

/**
 * Deletes a report of a user (behaviour.md 13.6).
 *
 * @throws refuse.notFound
 */
export async function deleteUserReport(
  deps: Pick<Deps, 'userReports'>,
  { reportId }: DeleteUserReportRequest,
) {
  const { deletedCount } = await deps.userReports.deleteOne({ _id: reportKey(reportId) });
  if (deletedCount === 0) throw refuse.notFound('Report not found');
  return {};
}
