import type { MessageInitShape } from '@bufbuild/protobuf';
import { optionalInt64 } from '@steward/kernel';
import type {
  EventReportSchema,
  ListEventReportsRequest,
  ListEventReportsResponseSchema,
} from '@steward/proto/steward/moderation/v1/event_reports_pb.ts';
import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import type { EventReport } from '../../core/model/report.ts';
import { reportId } from '../../core/report-id.ts';
import { hideReportsOf, hideReportsOfGoneRooms } from '../../core/reported-rooms.ts';
import type { Described } from '../../peers/rooms.ts';
import { nextToken, pageOf, windowOf } from './page.ts';

/** Returns a page of the reports of events (behaviour.md 9.1, 13.6). */
export async function listEventReports(
  deps: Deps,
  request: ListEventReportsRequest,
): Promise<MessageInitShape<typeof ListEventReportsResponseSchema>> {
  const window = windowOf(request);
  const filter = filterOf(request);
  for (;;) {
    const { rows: reports, total } = await pageOf(deps.eventReports, filter, window);
    const roomIds = distinct(reports, ({ room_id }) => room_id);
    const eventIds = distinct(reports, ({ event_id }) => event_id);
    const described = await deps.rooms.describe({ eventIds, roomIds });
    const gone = roomIds.filter((roomId) => !described.rooms.has(roomId));
    if (gone.length === 0) {
      return {
        eventReports: reports.map((report) => toEntry(report, described)),
        total: BigInt(total),
        ...nextToken(window, reports.length, total),
      };
    }
    // The fact of its removal has not arrived yet, nor perhaps those of other rooms.
    await hideReportsOf(deps, gone);
    await hideReportsOfGoneRooms(deps);
  }
}

function filterOf({ userId, roomId, eventSenderUserId }: ListEventReportsRequest): Filter<EventReport> {
  const searches: Filter<EventReport>[] = [];
  if (userId) searches.push({ $contains: { paths: ['user_id'], term: userId } });
  if (roomId) searches.push({ $contains: { paths: ['room_id'], term: roomId } });
  return {
    room_gone: false,
    ...(eventSenderUserId ? { sender: eventSenderUserId } : {}),
    ...(searches.length > 0 ? { $and: searches } : {}),
  };
}

function distinct(reports: readonly EventReport[], idOf: (report: EventReport) => string): string[] {
  return [...new Set(reports.map(idOf))];
}

/** Renders a report for lists. */
export function toEntry(
  report: EventReport,
  { events, rooms }: Described,
): MessageInitShape<typeof EventReportSchema> {
  const room = rooms.get(report.room_id);
  return {
    id: reportId(report),
    receivedTs: BigInt(report.received_ts),
    roomId: report.room_id,
    name: room?.name,
    eventId: report.event_id,
    userId: report.user_id,
    reason: report.reason ?? undefined,
    score: optionalInt64(report.score),
    sender: events.get(report.event_id)?.sender,
    canonicalAlias: room?.canonicalAlias,
  };
}
