import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { refuse } from '@steward/errors';
import type { JsonObject } from '@steward/kernel';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type {
  GetEventReportRequest,
  GetEventReportResponseSchema,
} from '@steward/proto/steward/moderation/v1/event_reports_pb.ts';
import { hasScope, requester, requireUsedScope } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { reportKey } from '../../core/report-id.ts';
import { toEntry } from './list-event-reports.ts';

/**
 * Returns a report of an event, with the event (behaviour.md 9.2); its content only to callers who may read it, and not before
 * the audit log has an entry of that if not everyone may read it.
 *
 * @throws refuse.notFound also when its room or event was removed
 */
export async function getEventReport(
  deps: Deps,
  request: GetEventReportRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetEventReportResponseSchema>> {
  const report = await deps.eventReports.findOne({ _id: reportKey(request.reportId) });
  if (!report) throw refuse.notFound('Report not found');
  const described = await deps.rooms.describe({
    eventIds: [report.event_id],
    roomIds: [report.room_id],
    withEvents: true,
  });
  const event = described.events.get(report.event_id);
  const room = described.rooms.get(report.room_id);
  if (event?.event === undefined || !room) {
    throw refuse.notFound('The reported object no longer exists');
  }
  const mayRead = hasScope(requester(context), Scope.ROOMS_CONTENT);
  if (mayRead) requireUsedScope(context, Scope.ROOMS_CONTENT);
  if (mayRead && (room.private || event.redacted))
    await recordCall(context, {
      scope: Scope.ROOMS_CONTENT,
      targets: [report.event_id, report.room_id],
    });
  return {
    report: toEntry(report, described),
    eventJson: mayRead ? event.event : withoutContent(event.event),
  };
}

/** An event as a caller sees it who must not read what users wrote. */
function withoutContent(eventJson: string): string {
  const { unsigned: _, ...event } = JSON.parse(eventJson) as JsonObject;
  return JSON.stringify({ ...event, content: {} });
}
