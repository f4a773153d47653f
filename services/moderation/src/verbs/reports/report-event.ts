import type { HandlerContext } from '@connectrpc/connect';
import type { ReportEventRequest } from '@steward/proto/steward/moderation/v1/event_reports_pb.ts';
import { requester } from '@steward/rpc';
import { announceReport, unannouncedBy } from '../../core/announce-report.ts';
import { fileNewReport } from '../../core/cases/file-new-report.ts';
import { inboxKey } from '../../core/cases/inbox-key.ts';
import { keepEvidence } from '../../core/cases/keep-evidence.ts';
import type { Deps } from '../../core/deps.ts';
import { newReportKey, reportId } from '../../core/report-id.ts';
import { noteRooms } from '../../core/reported-rooms.ts';

/**
 * Reports an event to the administrators (behaviour.md 9.3, client-plane.md 7.10).
 *
 * @throws limitExceeded, or refuse.notFound for an event that the reporter does not see
 */
export async function reportEvent(deps: Deps, request: ReportEventRequest, context: HandlerContext) {
  const caller = requester(context);
  const { roomId, eventId, reason = null, score } = request;
  deps.limits.reports.take(caller);
  const sender = await deps.rooms.senderOf(roomId, eventId, caller.userId);
  await noteRooms(deps, [roomId]);
  const kept = await keepEvidence.event(deps, caller.userId, { roomId, eventId, sender });
  const report = {
    _id: await newReportKey(deps, 'event_reports'),
    received_ts: deps.clock.now(),
    room_id: roomId,
    event_id: eventId,
    user_id: caller.userId,
    sender,
    reason,
    score: score === undefined ? null : Number(score),
    room_gone: false,
    unannounced: unannouncedBy(context),
    unfiled: true,
    ...kept,
  } as const;
  await deps.eventReports.insertOne(report);
  // Checked again, because the room may have been removed before this report existed and could be hidden.
  await noteRooms(deps, [roomId]);
  await fileNewReport(deps, inboxKey('event', reportId(report)));
  await announceReport.event(deps, report);
  return {};
}
