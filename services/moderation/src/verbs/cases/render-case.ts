import type { MessageInitShape } from '@bufbuild/protobuf';
import { optionalInt64 } from '@steward/kernel';
import type {
  InboxReportSchema,
  ReportCaseSchema,
  ReportCaseSummarySchema,
  ReportChangeSchema,
  ReportResolutionSchema,
} from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { caseTag } from '../../core/cases/case-tag.ts';
import { readComments } from '../../core/cases/read-comments.ts';
import type { CaseChange, CaseResolution, ReportCase } from '../../core/model/case.ts';
import type { InboxEntry } from '../../core/model/inbox-entry.ts';

/** Renders a case as lists show it. */
export function toSummary(found: ReportCase): MessageInitShape<typeof ReportCaseSummarySchema> {
  return {
    caseId: found._id,
    kind: found.kind,
    userId: found.user_id ?? undefined,
    roomId: found.room_id ?? undefined,
    eventId: found.event_id ?? undefined,
    mediaUri: found.media_uri ?? undefined,
    state: found.state,
    outcome: found.outcome ?? undefined,
    duplicateOf: found.duplicate_of ?? undefined,
    assignee: found.assignee ?? undefined,
    severity: found.severity ?? undefined,
    reportCount: BigInt(found.report_count),
    reporterCount: BigInt(found.reporter_count),
    firstReceivedTs: BigInt(found.first_received_ts),
    lastReceivedTs: BigInt(found.last_received_ts),
    changedTs: optionalInt64(found.changed_ts),
    changedBy: found.changed_by ?? undefined,
    previousCase: found.previous_case ?? undefined,
    nextCase: found.next_case ?? undefined,
    etag: caseTag(found),
  };
}

/** Renders a case. */
export function toCase(found: ReportCase): MessageInitShape<typeof ReportCaseSchema> {
  return {
    summary: toSummary(found),
    notes: found.notes.map(({ id, author, ts, text }) => ({ id: BigInt(id), author, ts: BigInt(ts), text })),
    history: found.history.map(toChange),
    ...(found.resolution ? { resolution: toResolution(found.resolution) } : {}),
    formerResolutions: found.former_resolutions.map(toResolution),
  };
}

function toChange({
  by,
  ts,
  field,
  from,
  to,
  reason,
}: CaseChange): MessageInitShape<typeof ReportChangeSchema> {
  return {
    by: by ?? undefined,
    ts: BigInt(ts),
    field,
    from: from ?? undefined,
    to: to ?? undefined,
    reason: reason ?? undefined,
  };
}

function toResolution(resolution: CaseResolution): MessageInitShape<typeof ReportResolutionSchema> {
  return {
    number: BigInt(resolution.number),
    decider: resolution.decider ?? undefined,
    ts: BigInt(resolution.ts),
    outcome: resolution.outcome,
    duplicateOf: resolution.duplicate_of ?? undefined,
    reason: resolution.reason ?? undefined,
    notify: resolution.notify,
    orders: resolution.orders.map((order) => ({
      id: order.id,
      kind: order.kind,
      details: order.details,
      state: order.state,
      errcode: order.errcode ?? undefined,
      message: order.message ?? undefined,
      taskId: order.task_id ?? undefined,
      endedTs: optionalInt64(order.ended_ts),
    })),
    taskId: resolution.task_id ?? undefined,
  };
}

/** Renders reports, with the comments of their reporters. */
export async function toReports(
  deps: CaseDeps,
  entries: readonly InboxEntry[],
): Promise<MessageInitShape<typeof InboxReportSchema>[]> {
  const comments = await readComments(
    deps,
    entries.map(({ _id }) => _id),
  );
  return entries.map((entry) => {
    const { reason = null, score = null } = comments.get(entry._id) ?? {};
    return {
      id: entry._id,
      kind: entry.kind,
      receivedTs: BigInt(entry.received_ts),
      reporter: entry.reporter ?? undefined,
      userId: entry.user_id ?? undefined,
      roomId: entry.room_id ?? undefined,
      eventId: entry.event_id ?? undefined,
      mediaUri: entry.media_uri ?? undefined,
      reason: reason ?? undefined,
      score: optionalInt64(score),
      caseId: entry.case ?? '',
      state: entry.state,
      severity: entry.severity ?? undefined,
      assignee: entry.assignee ?? undefined,
      hasEvidence: entry.evidence !== null,
    };
  });
}
