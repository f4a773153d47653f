import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { ReportRoomRequest } from '@steward/proto/steward/moderation/v1/user_reports_pb.ts';
import { requester } from '@steward/rpc';
import { announceReport, unannouncedBy } from '../../core/announce-report.ts';
import { fileNewReport } from '../../core/cases/file-new-report.ts';
import { inboxKey } from '../../core/cases/inbox-key.ts';
import { keepEvidence } from '../../core/cases/keep-evidence.ts';
import type { Deps } from '../../core/deps.ts';
import { newReportKey, reportId } from '../../core/report-id.ts';

/**
 * Reports a room to the administrators (client-plane.md 12). Every user who knows its id may report it.
 *
 * @throws limitExceeded, or refuse.notFound for an unknown room
 */
export async function reportRoom(deps: Deps, request: ReportRoomRequest, context: HandlerContext) {
  const caller = requester(context);
  const { roomId, reason } = request;
  deps.limits.reports.take(caller);
  const { rooms } = await deps.rooms.describe({ roomIds: [roomId] });
  if (!rooms.has(roomId)) throw refuse.notFound('Room not found');
  const kept = await keepEvidence.room(deps, caller.userId, roomId);
  const report = {
    _id: await newReportKey(deps, 'room_reports'),
    received_ts: deps.clock.now(),
    user_id: caller.userId,
    room_id: roomId,
    reason,
    unannounced: unannouncedBy(context),
    unfiled: true,
    ...kept,
  } as const;
  await deps.roomReports.insertOne(report);
  await fileNewReport(deps, inboxKey('room', reportId(report)));
  await announceReport.room(deps, report);
  return {};
}
