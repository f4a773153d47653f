import type { JsonObject } from '@steward/kernel';
import type { EventReport } from '../core/model/report.ts';
import { furtherOfReport } from '../core/records/further-fields.ts';

/** The record of a report of an event, as the import reads it. */
export function exportedReport(report: EventReport): JsonObject {
  return {
    id: Number(report._id),
    event_id: report.event_id,
    room_id: report.room_id,
    user_id: report.user_id,
    received_ts: report.received_ts,
    score: report.score,
    reason: report.reason,
    ...furtherOfReport.write(report),
  };
}
