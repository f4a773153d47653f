import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { eventTypeOf, type PayloadValues, writePayload } from '@steward/feed';
import {
  EventReportCreatedSchema,
  RoomReportCreatedSchema,
  UserReportCreatedSchema,
} from '@steward/proto/steward/feed/v1/moderation_pb.ts';
import { headers, requester } from '@steward/rpc';
import { type Collection, type Filter, NOT_FLUSHED, type Update } from '@steward/store';
import type { Deps } from './deps.ts';
import { eventId } from './feed/feed-event.ts';
import type { EventReport, RoomReport, UnannouncedReport, UserReport } from './model/report.ts';
import { reportId } from './report-id.ts';

type AnyReport = EventReport | UserReport | RoomReport;

/** How many reports a sweep reads at a time. */
const BATCH = 100;

/** What a new report says for its event, until the feed has that. */
export function unannouncedBy(context: HandlerContext): UnannouncedReport {
  return {
    actor: requester(context).owner,
    request_id: context.requestHeader.get(headers.requestId) ?? '',
  };
}

/** Adds the event of a new report to the feed; the sweep does that after a crash before. */
export const announceReport = {
  event: (deps: AnnouncingDeps, report: EventReport) =>
    announce(deps, deps.eventReports, report, EventReportCreatedSchema, [report.room_id, report.event_id], {
      reportId: reportId(report),
      roomId: report.room_id,
      eventId: report.event_id,
    }),
  user: (deps: AnnouncingDeps, report: UserReport) =>
    announce(deps, deps.userReports, report, UserReportCreatedSchema, [report.target_user_id], {
      reportId: reportId(report),
      userId: report.target_user_id,
    }),
  room: (deps: AnnouncingDeps, report: RoomReport) =>
    announce(deps, deps.roomReports, report, RoomReportCreatedSchema, [report.room_id], {
      reportId: reportId(report),
      roomId: report.room_id,
    }),
};

/** The dependencies of announcements. */
export type AnnouncingDeps = Pick<Deps, 'eventReports' | 'userReports' | 'roomReports' | 'feedAppender'>;

/** Adds the events of the reports whose processes crashed before they did. */
export async function sweepReports(deps: AnnouncingDeps): Promise<void> {
  await sweep(deps.eventReports, (report) => announceReport.event(deps, report));
  await sweep(deps.userReports, (report) => announceReport.user(deps, report));
  await sweep(deps.roomReports, (report) => announceReport.room(deps, report));
}

async function sweep<R extends AnyReport>(
  reports: Collection<R>,
  announceOne: (report: R) => Promise<void>,
): Promise<void> {
  for (;;) {
    const filter = { 'unannounced.actor': { $gt: '' } } as Filter<AnyReport> as Filter<R>;
    const found = await reports.find(filter, { limit: BATCH }).toArray();
    for (const report of found) await announceOne(report);
    if (found.length < BATCH) return;
  }
}

async function announce<R extends AnyReport, Desc extends DescMessage>(
  { feedAppender }: AnnouncingDeps,
  reports: Collection<R>,
  report: R,
  payload: Desc,
  targets: readonly string[],
  data: MessageInitShape<Desc>,
): Promise<void> {
  const { _id, unannounced, received_ts: time } = report;
  if (!unannounced) return;
  const { type } = eventTypeOf(payload);
  await feedAppender.append({
    id: eventId(`${type}.${_id}`),
    type,
    time,
    actor: unannounced.actor,
    requestId: unannounced.request_id || null,
    taskId: null,
    targets: [String(reportId(report)), ...targets],
    data: writePayload(payload, data as PayloadValues),
  });
  const update = { $unset: { unannounced: true } } as Update<AnyReport> as Update<R>;
  await reports.updateOne({ _id } as Filter<AnyReport> as Filter<R>, update, NOT_FLUSHED);
}
