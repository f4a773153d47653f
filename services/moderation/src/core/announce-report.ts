import type { DescMessage } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { eventTypeOf, type PayloadValues, writePayload } from '@steward/feed';
import {
  EventReportCreatedSchema,
  RoomReportCreatedSchema,
  UserReportCreatedSchema,
} from '@steward/proto/steward/feed/v1/moderation_pb.ts';
import { ReportCreatedSchema } from '@steward/proto/steward/feed/v1/reports_pb.ts';
import { headers, requester } from '@steward/rpc';
import { type Collection, type Filter, NOT_FLUSHED, type Update } from '@steward/store';
import { type FiledReport, filedReport } from './cases/filed-report.ts';
import type { Deps } from './deps.ts';
import { eventId } from './feed/feed-event.ts';
import type { EventReport, MediaReport, RoomReport, UnannouncedReport, UserReport } from './model/report.ts';
import { reportId } from './report-id.ts';

type AnyReport = EventReport | UserReport | RoomReport | MediaReport;

/** How many reports a sweep reads at a time. */
const BATCH = 100;

/** What a report that the server makes says for its event, until the feed has that. */
export const UNANNOUNCED_BY_SERVER: UnannouncedReport = { actor: '', request_id: '' };

/** What a new report says for its event, until the feed has that. */
export function unannouncedBy(context: HandlerContext): UnannouncedReport {
  return {
    actor: requester(context).owner,
    request_id: context.requestHeader.get(headers.requestId) ?? '',
  };
}

/** Adds the events of a new report to the feed; the sweep does that after a crash before. */
export const announceReport = {
  event: (deps: AnnouncingDeps, report: EventReport) =>
    announce(deps, deps.eventReports, report, filedReport.event(report), {
      payload: EventReportCreatedSchema,
      targets: [report.room_id, report.event_id],
      data: { reportId: reportId(report), roomId: report.room_id, eventId: report.event_id },
    }),
  user: (deps: AnnouncingDeps, report: UserReport) =>
    announce(deps, deps.userReports, report, filedReport.user(report), {
      payload: UserReportCreatedSchema,
      targets: [report.target_user_id],
      data: { reportId: reportId(report), userId: report.target_user_id },
    }),
  room: (deps: AnnouncingDeps, report: RoomReport) =>
    announce(deps, deps.roomReports, report, filedReport.room(report), {
      payload: RoomReportCreatedSchema,
      targets: [report.room_id],
      data: { reportId: reportId(report), roomId: report.room_id },
    }),
  media: (deps: AnnouncingDeps, report: MediaReport) =>
    announce(deps, deps.mediaReports, report, filedReport.media(report)),
};

/** The dependencies of announcements. */
export type AnnouncingDeps = Pick<
  Deps,
  'eventReports' | 'userReports' | 'roomReports' | 'mediaReports' | 'feedAppender'
>;

/** Adds the events of the reports whose processes crashed before they did. */
export async function sweepReports(deps: AnnouncingDeps): Promise<void> {
  await sweep(deps.eventReports, (report) => announceReport.event(deps, report));
  await sweep(deps.userReports, (report) => announceReport.user(deps, report));
  await sweep(deps.roomReports, (report) => announceReport.room(deps, report));
  await sweep(deps.mediaReports, (report) => announceReport.media(deps, report));
}

async function sweep<R extends AnyReport>(
  reports: Collection<R>,
  announceOne: (report: R) => Promise<void>,
): Promise<void> {
  for (;;) {
    const filter = { 'unannounced.actor': { $gte: '' } } as Filter<AnyReport> as Filter<R>;
    const found = await reports.find(filter, { limit: BATCH }).toArray();
    for (const report of found) await announceOne(report);
    if (found.length < BATCH) return;
  }
}

/** The event of one kind of reports. */
interface OwnEvent {
  readonly payload: DescMessage;
  readonly targets: readonly string[];
  readonly data: PayloadValues;
}

/** Adds the event of all kinds of reports, after that of the own kind where there is one. */
async function announce<R extends AnyReport>(
  { feedAppender }: AnnouncingDeps,
  reports: Collection<R>,
  report: R,
  filed: FiledReport,
  own?: OwnEvent,
): Promise<void> {
  const { _id, unannounced, received_ts: time } = report;
  if (!unannounced) return;
  const append = (payload: DescMessage, key: string, targets: readonly string[], data: PayloadValues) => {
    const { type } = eventTypeOf(payload);
    return feedAppender.append({
      id: eventId(`${type}.${key}`),
      type,
      time,
      actor: unannounced.actor || null,
      requestId: unannounced.request_id || null,
      taskId: null,
      targets,
      data: writePayload(payload, data),
    });
  };
  if (own !== undefined) await append(own.payload, _id, [String(reportId(report)), ...own.targets], own.data);
  const {
    _id: key,
    kind,
    user_id: userId,
    room_id: roomId,
    event_id: reportedId,
    media_uri: mediaUri,
  } = filed;
  const subjects = [userId, roomId, reportedId, mediaUri].filter((target) => target !== null);
  await append(ReportCreatedSchema, key, [key, ...subjects], {
    reportId: key,
    kind,
    userId: userId ?? undefined,
    roomId: roomId ?? undefined,
    eventId: reportedId ?? undefined,
    mediaUri: mediaUri ?? undefined,
  });
  const update = { $unset: { unannounced: true } } as Update<AnyReport> as Update<R>;
  await reports.updateOne({ _id } as Filter<AnyReport> as Filter<R>, update, NOT_FLUSHED);
}
