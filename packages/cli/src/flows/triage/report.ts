import type { Client, GetEventReportResponse, UserReport } from '@steward/sdk';
import { unlessMissing } from '../../io/refusal.ts';

/** A report as triage shows it, whether it is about an event or a user. */
export interface Report {
  readonly kind: 'event' | 'user';
  readonly id: number;
  readonly receivedTs: number;
  readonly reporter: string;
  readonly reason: string | null;
  /** Who is reported; null when the event and its sender are not known. */
  readonly target: string | null;
  /** Null for reports of users. */
  readonly room: { readonly id: string; readonly name: string | null } | null;
  readonly event: ReportedEvent | null;
}

export interface ReportedEvent {
  readonly id: string;
  readonly type: string;
  readonly sentTs: number | null;
  readonly content: Readonly<Record<string, unknown>>;
}

/** Which reports are read. */
export interface Selection {
  readonly kind: 'all' | 'events' | 'users';
  readonly roomId?: string;
  readonly target?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** A report with how many there are from it on. */
export interface Entry {
  readonly report: Report;
  readonly left: number;
  /** To be called when the report is deleted, which moves those behind it to the front. */
  readonly deleted: () => void;
}

interface Row {
  readonly id: number;
}

interface Page {
  readonly rows: readonly Row[];
  readonly total: number;
}

const PAGE_SIZE = 50;

/** Yields the reports, oldest first, each once. */
export async function* readReports(
  client: Client,
  { kind, roomId, target }: Selection,
  signal: AbortSignal,
): AsyncGenerator<Entry> {
  const paging = { dir: 'f', limit: PAGE_SIZE } as const;
  if (kind !== 'users') {
    const filters = { ...(roomId && { room_id: roomId }), ...(target && { event_sender_user_id: target }) };
    yield* walk(
      async (from) => {
        const page = await client.eventReports.list({ ...filters, ...paging, from }, { signal });
        return { rows: page.event_reports, total: page.total };
      },
      async ({ id }) => eventReport(await client.eventReports.get({ report_id: id }, { signal })),
    );
  }
  if (kind !== 'events' && roomId === undefined) {
    const filters = target === undefined ? {} : { target_user_id: target };
    yield* walk(
      async (from) => {
        const page = await client.userReports.list({ ...filters, ...paging, from }, { signal });
        return { rows: page.user_reports, total: page.total };
      },
      async ({ id }) => userReport(await client.userReports.get({ report_id: id }, { signal })),
    );
  }
}

/**
 * Goes through a list by places, which move when reports are deleted, here or by others. So each page begins with the last
 * report of the page before; where that is no longer there, it begins further in front. Numbers grow, so none is yielded twice.
 */
async function* walk(
  list: (from: number) => Promise<Page>,
  read: (row: Row) => Promise<Report>,
): AsyncGenerator<Entry> {
  let last = 0;
  let place = 0;
  for (;;) {
    const from = Math.max(place - 1, 0);
    const { rows, total } = await list(from);
    if (from > 0 && (rows[0]?.id ?? Number.POSITIVE_INFINITY) > last) {
      place = Math.floor(place / 2);
      continue;
    }
    place = from + rows.length;
    for (const [index, row] of rows.entries()) {
      if (row.id <= last) continue;
      last = row.id;
      // Missing when another administrator was faster.
      const report = await unlessMissing(read(row));
      const deleted = () => {
        place -= 1;
      };
      if (report !== undefined) yield { report, left: total - from - index, deleted };
    }
    if (rows.length < PAGE_SIZE) return;
  }
}

function eventReport(report: GetEventReportResponse): Report {
  const event = isFields(report.event_json) ? report.event_json : {};
  return {
    kind: 'event',
    id: report.id,
    receivedTs: report.received_ts,
    reporter: report.user_id,
    reason: report.reason,
    target: report.sender,
    room: { id: report.room_id, name: report.name },
    event: {
      id: report.event_id,
      type: typeof event.type === 'string' ? event.type : '',
      sentTs: typeof event.origin_server_ts === 'number' ? event.origin_server_ts : null,
      content: isFields(event.content) ? event.content : {},
    },
  };
}

function userReport({
  id,
  received_ts: receivedTs,
  user_id: reporter,
  target_user_id: target,
  reason,
}: UserReport): Report {
  return { kind: 'user', id, receivedTs, reporter, reason, target, room: null, event: null };
}

/** Returns the address of the media of an event: of a file, or of an encrypted one. */
export function mediaOf({
  content,
}: ReportedEvent): { readonly server: string; readonly id: string } | undefined {
  const file = isFields(content.file) ? content.file.url : undefined;
  const found = /^mxc:\/\/([^/]+)\/([^/?#]+)$/.exec(String(content.url ?? file ?? ''));
  return found?.[1] === undefined || found[2] === undefined ? undefined : { server: found[1], id: found[2] };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
