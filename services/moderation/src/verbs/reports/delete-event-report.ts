import { refuse } from '@steward/errors';
import type { DeleteEventReportRequest } from '@steward/proto/steward/moderation/v1/event_reports_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { reportKey } from '../../core/report-id.ts';

/**
 * Deletes a report of an event, whether the event still exists or not (behaviour.md 9.2).
 *
 * @throws refuse.notFound
 */
export async function deleteEventReport(
  deps: Pick<Deps, 'eventReports'>,
  { reportId }: DeleteEventReportRequest,
) {
  const { deletedCount } = await deps.eventReports.deleteOne({ _id: reportKey(reportId) });
  if (deletedCount === 0) throw refuse.notFound('Report not found');
  return {};
}
