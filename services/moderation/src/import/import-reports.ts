import { parseUserId } from '@steward/kernel';
import type { ImportedReport, ImportReportsRequest } from '@steward/proto/steward/moderation/v1/import_pb.ts';
import {
  type Checked,
  checkBatch,
  checked,
  type ImportProblem,
  insertedCount,
  type LoadedBatch,
} from '@steward/service';
import { NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../core/deps.ts';
import type { EventReport } from '../core/model/report.ts';
import { furtherOfReport } from '../core/records/further-fields.ts';
import { reportKey, reserveNumbersUpTo } from '../core/report-id.ts';
import { noteRooms } from '../core/reported-rooms.ts';
import type { Described } from '../peers/rooms.ts';

/** The scores that reports have, from the most offensive content to inoffensive one. */
const MIN_SCORE = -100n;
const MAX_SCORE = 0n;

/**
 * Loads reports of existing events by existing users, and skips existing ones. Not flushed, because closing the store at
 * the end of the import makes everything durable, and an import that a power failure interrupts is repeated.
 */
export async function importReports(deps: Deps, { reports }: ImportReportsRequest): Promise<LoadedBatch> {
  checkBatch(reports);
  const problems: ImportProblem[] = [];
  const existing = await findExisting(
    deps,
    reports.filter((record) => record.further === '' && problemOf(record) === undefined),
  );
  const good: ImportedReport[] = [];
  const documents: EventReport[] = [];
  for (const [index, record] of reports.entries()) {
    const read = readReport(record, existing);
    if ('problem' in read) {
      problems.push({ index, problem: read.problem });
      continue;
    }
    good.push(record);
    documents.push(read.document);
  }
  // Before the reports, so that a new report never gets the number of an imported one.
  await reserveNumbersUpTo(
    deps,
    'event_reports',
    Math.max(0, ...good.map(({ id }) => Number(id))),
    NOT_FLUSHED,
  );
  await noteRooms(deps, [...new Set(good.map((record) => record.roomId))], NOT_FLUSHED);
  const loaded = await insert(deps, documents);
  return { loaded, skipped: reports.length - loaded - problems.length, problems };
}

async function insert(
  { eventReports }: Pick<Deps, 'eventReports'>,
  documents: readonly EventReport[],
): Promise<number> {
  if (documents.length === 0) return 0;
  return insertedCount(eventReports.insertMany(documents, { ...NOT_FLUSHED, ordered: false }));
}

/** A report that a server exported says itself what it is about, which may be gone; what others are about must exist. */
function readReport(record: ImportedReport, existing: Existing): Checked<EventReport> {
  const known = record.further !== '';
  const problem = problemOf(record) ?? (known ? undefined : problemOfReferences(record, existing));
  if (problem !== undefined) return { problem };
  return checked(() => {
    const further = furtherOfReport.read(record.further);
    if (further.sender !== undefined) {
      const { unfiled: _, ...report } = toReport(record, further.sender);
      return { ...report, ...further };
    }
    return { ...toReport(record, existing.events.get(record.eventId)?.sender ?? null), ...further };
  });
}

function problemOf(record: ImportedReport): string | undefined {
  if (!isSafe(record.id) || record.id < 1n) return 'id is not the number of a report';
  if (!isSafe(record.receivedTs)) return 'received_ts is not a time';
  if (record.score !== undefined && (record.score < MIN_SCORE || record.score > MAX_SCORE)) {
    return `score is not from ${MIN_SCORE} to ${MAX_SCORE}`;
  }
  if (!parseUserId(record.userId)) return 'user_id is not a user id';
  if (!record.roomId.startsWith('!')) return 'room_id is not a room id';
  return record.eventId === '' ? 'event_id is missing' : undefined;
}

/** What records refer to, as far as it exists. */
interface Existing extends Described {
  readonly users: ReadonlySet<string>;
}

async function findExisting(
  { rooms, users }: Pick<Deps, 'rooms' | 'users'>,
  records: readonly ImportedReport[],
): Promise<Existing> {
  if (records.length === 0) return { events: new Map(), rooms: new Map(), users: new Set() };
  const [described, known] = await Promise.all([
    rooms.describe({
      eventIds: [...new Set(records.map(({ eventId }) => eventId))],
      roomIds: [...new Set(records.map(({ roomId }) => roomId))],
    }),
    users.known([...new Set(records.map(({ userId }) => userId))]),
  ]);
  return { ...described, users: known };
}

function problemOfReferences(
  { eventId, roomId, userId }: ImportedReport,
  { events, rooms, users }: Existing,
): string | undefined {
  if (!users.has(userId)) return `there is no account ${userId}`;
  if (!rooms.has(roomId)) return `there is no room ${roomId}`;
  const event = events.get(eventId);
  if (!event) return `there is no event ${eventId}`;
  // A room service of an earlier release does not say which room it is.
  return event.roomId === '' || event.roomId === roomId
    ? undefined
    : `${eventId} is an event of another room`;
}

function isSafe(value: bigint): boolean {
  return Number.isSafeInteger(Number(value));
}

function toReport(record: ImportedReport, sender: string | null): EventReport {
  return {
    _id: reportKey(Number(record.id)),
    received_ts: Number(record.receivedTs),
    room_id: record.roomId,
    event_id: record.eventId,
    user_id: record.userId,
    sender,
    reason: record.reason ?? null,
    score: record.score === undefined ? null : Number(record.score),
    room_gone: false,
    unfiled: true,
  };
}
