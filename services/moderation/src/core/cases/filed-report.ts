import type { KeptEvidence } from '../model/evidence.ts';
import type { InboxEntry } from '../model/inbox-entry.ts';
import type { EventReport, MediaReport, RoomReport, UserReport } from '../model/report.ts';
import { reportId } from '../report-id.ts';
import type { CaseDeps } from './case-deps.ts';
import { inboxKey, parseInboxKey } from './inbox-key.ts';

/** What the inbox takes from a report. */
export type FiledReport = Pick<
  InboxEntry,
  | '_id'
  | 'kind'
  | 'received_ts'
  | 'reporter'
  | 'user_id'
  | 'room_id'
  | 'event_id'
  | 'media_uri'
  | 'evidence'
  | 'no_evidence'
>;

/** What the inbox takes from a report of each kind. */
export const filedReport = {
  event: (report: EventReport): FiledReport => ({
    _id: inboxKey('event', reportId(report)),
    kind: 'event',
    received_ts: report.received_ts,
    reporter: report.user_id,
    user_id: report.sender,
    room_id: report.room_id,
    event_id: report.event_id,
    media_uri: null,
    ...copyOf(report),
  }),
  user: (report: UserReport): FiledReport => ({
    _id: inboxKey('user', reportId(report)),
    kind: 'user',
    received_ts: report.received_ts,
    reporter: report.user_id,
    user_id: report.target_user_id,
    room_id: null,
    event_id: null,
    media_uri: null,
    ...copyOf(report),
  }),
  room: (report: RoomReport): FiledReport => ({
    _id: inboxKey('room', reportId(report)),
    kind: 'room',
    received_ts: report.received_ts,
    reporter: report.user_id,
    user_id: null,
    room_id: report.room_id,
    event_id: null,
    media_uri: null,
    ...copyOf(report),
  }),
  media: (report: MediaReport): FiledReport => ({
    _id: inboxKey('media', reportId(report)),
    kind: 'media',
    received_ts: report.received_ts,
    reporter: null,
    user_id: report.uploader,
    room_id: null,
    event_id: null,
    media_uri: report.media_uri,
    ...copyOf(report),
  }),
} as const;

function copyOf({ evidence, no_evidence }: KeptEvidence): Pick<InboxEntry, 'evidence' | 'no_evidence'> {
  return { evidence: evidence ?? null, ...(no_evidence === undefined ? {} : { no_evidence }) };
}

/** Reads what the inbox takes from the reports with these keys; those that were deleted are left out. */
export async function readFiledReports(
  deps: Pick<CaseDeps, 'eventReports' | 'mediaReports' | 'roomReports' | 'userReports'>,
  keys: readonly string[],
): Promise<readonly FiledReport[]> {
  const of = (kind: keyof typeof filedReport) =>
    keys.flatMap((key) => {
      const parsed = parseInboxKey(key);
      return parsed?.kind === kind ? [parsed.report] : [];
    });
  const read = async <R>(
    ids: readonly string[],
    find: () => { toArray(): Promise<R[]> },
    toFiled: (report: R) => FiledReport,
  ) => (ids.length === 0 ? [] : (await find().toArray()).map(toFiled));
  const [event, user, room, media] = [of('event'), of('user'), of('room'), of('media')];
  const found = await Promise.all([
    read(event, () => deps.eventReports.find({ _id: { $in: event } }), filedReport.event),
    read(user, () => deps.userReports.find({ _id: { $in: user } }), filedReport.user),
    read(room, () => deps.roomReports.find({ _id: { $in: room } }), filedReport.room),
    read(media, () => deps.mediaReports.find({ _id: { $in: media } }), filedReport.media),
  ]);
  return found.flat();
}
