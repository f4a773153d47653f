import {
  type ActivityPage,
  type ActivityStream,
  newestOf,
  type PlacedEntry,
  type StreamName,
} from '@steward/activity';
import { targetText } from '@steward/audit';
import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import { feedEvent } from '../feed/feed-event.ts';
import { toEvent } from '../feed/to-event.ts';
import type { EventReport, MediaReport, RoomReport, UserReport } from '../model/report.ts';
import { reportId } from '../report-id.ts';

/** What the streams read. */
export type ActivityDeps = Pick<
  Deps,
  'eventReports' | 'mediaReports' | 'userReports' | 'roomReports' | 'feedEvents'
>;

/** Indexes of reports ascend by time. */
const BACKWARDS = { time: 'received_ts', ties: -1 } as const;

/** What the service knows of the activity of a user: reports, and the administrative changes of which the feed still has the events. */
export function activityStreams(deps: ActivityDeps): readonly ActivityStream[] {
  const { eventReports, mediaReports, roomReports, userReports } = deps;
  // Reports of events in removed rooms are a range of their own in the index.
  const ofEvents = (name: StreamName, roomGone: boolean): ActivityStream => ({
    name,
    read: (page) =>
      newestOf<EventReport>(eventReports, page, {
        ...BACKWARDS,
        filter: { room_gone: roomGone, user_id: page.userId },
        entry: (report) => ({
          ...aboutEvent(report),
          ...(report.sender === null ? {} : { reportedUser: report.sender }),
        }),
      }),
  });
  const ofSentEvents = (name: StreamName, roomGone: boolean): ActivityStream => ({
    name,
    read: (page) =>
      newestOf<EventReport>(eventReports, page, {
        ...BACKWARDS,
        filter: { room_gone: roomGone, sender: page.userId },
        entry: (report) => ({ ...aboutEvent(report), reporter: report.user_id }),
      }),
  });
  return [
    ofEvents('event_report_made', false),
    ofEvents('gone_event_report_made', true),
    ofSentEvents('event_report_received', false),
    ofSentEvents('gone_event_report_received', true),
    {
      name: 'user_report_made',
      read: (page) =>
        newestOf<UserReport>(userReports, page, {
          ...BACKWARDS,
          filter: { user_id: page.userId },
          entry: (report) => ({ reportId: `user-${reportId(report)}`, reportedUser: report.target_user_id }),
        }),
    },
    {
      name: 'user_report_received',
      read: (page) =>
        newestOf<UserReport>(userReports, page, {
          ...BACKWARDS,
          filter: { target_user_id: page.userId },
          entry: (report) => ({ reportId: `user-${reportId(report)}`, reporter: report.user_id }),
        }),
    },
    {
      name: 'media_report_received',
      read: (page) =>
        newestOf<MediaReport>(mediaReports, page, {
          ...BACKWARDS,
          filter: { uploader: page.userId },
          entry: (report) => ({ reportId: `media-${reportId(report)}`, contentUri: report.media_uri }),
        }),
    },
    {
      name: 'room_report_made',
      read: (page) =>
        newestOf<RoomReport>(roomReports, page, {
          ...BACKWARDS,
          filter: { user_id: page.userId },
          entry: (report) => ({ reportId: `room-${reportId(report)}`, roomId: report.room_id }),
        }),
    },
    { name: 'change', read: (page) => readChanges(deps, page) },
  ];
}

function aboutEvent(report: EventReport): PlacedEntry['entry'] {
  return { reportId: `event-${reportId(report)}`, roomId: report.room_id, eventId: report.event_id };
}

/** Changes in the order of their positions, in which their times are nearly, but not always, in order. */
async function readChanges(
  { feedEvents }: Pick<Deps, 'feedEvents'>,
  { userId, until, after, limit, rights }: ActivityPage,
): Promise<readonly PlacedEntry[]> {
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after.id);
  if (!Number.isSafeInteger(before)) throw refuse.invalidParam("'from' is not a position of this list");
  const found = await feedEvents
    .find(
      {
        targets: targetText(userId),
        position: { $gt: 0, $lt: before },
        time: { $lte: until },
        ...(rights.admin ? {} : { scope: { $in: [...(rights.scopes ?? [])] } }),
      },
      { sort: { position: -1 }, limit },
    )
    .toArray();
  return found.map((stored) => {
    const event = feedEvent(stored);
    return { place: { ts: event.time, id: String(event.position) }, entry: { event: toEvent(event) } };
  });
}
