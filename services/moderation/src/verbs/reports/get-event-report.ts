import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  GetEventReportRequest,
  GetEventReportResponseSchema,
} from '@steward/proto/steward/moderation/v1/event_reports_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { reportKey } from '../../core/report-id.ts';
import { toEntry } from './list-event-reports.ts';

/**
 * Returns a report of an event, with the event (behaviour.md 9.2).
 *
 * @throws refuse.notFound also when its room or event was removed
 */
export async function getEventReport(
  deps: Deps,
  request: GetEventReportRequest,
): Promise<MessageInitShape<typeof GetEventReportResponseSchema>> {
  const report = await deps.eventReports.findOne({ _id: reportKey(request.reportId) });
  if (!report) throw refuse.notFound('Report not found');
  const described = await deps.rooms.describe({
    eventIds: [report.event_id],
    roomIds: [report.room_id],
    withEvents: true,
  });
  const eventJson = described.events.get(report.event_id)?.event;
  if (eventJson === undefined || !described.rooms.has(report.room_id)) {
    throw refuse.notFound('What was reported is not there any more');
  }
  return { report: toEntry(report, described), eventJson };
}
