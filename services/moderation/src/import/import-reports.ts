import { Code, ConnectError } from '@connectrpc/connect';
import { parseUserId } from '@steward/kernel';
import type { ImportedReport, ImportReportsRequest } from '@steward/proto/steward/moderation/v1/import_pb.ts';
import { Conflict } from '@steward/store';
import type { Deps } from '../core/deps.ts';
import type { EventReport } from '../core/model/report.ts';
import { passOver, reportKey } from '../core/report-id.ts';
import { noteRoom } from '../core/reported-rooms.ts';

/** The maximum number of records in a request. */
const MAX_BATCH = 1_000;

/** The result of loading a batch. */
export interface LoadedBatch {
  readonly loaded: number;
  readonly skipped: number;
  readonly problems: { readonly index: number; readonly problem: string }[];
}

/** Loads reports of events, and skips existing ones. */
export async function importReports(deps: Deps, { reports }: ImportReportsRequest): Promise<LoadedBatch> {
  if (reports.length > MAX_BATCH) {
    throw new ConnectError(`A batch holds at most ${MAX_BATCH} records`, Code.InvalidArgument);
  }
  const problems: LoadedBatch['problems'] = [];
  const good: ImportedReport[] = [];
  for (const [index, record] of reports.entries()) {
    const problem = problemOf(record);
    if (problem === undefined) good.push(record);
    else problems.push({ index, problem });
  }
  const { events } = await deps.rooms.describe({
    eventIds: [...new Set(good.map(({ eventId }) => eventId))],
  });
  const documents = good.map((record) => toReport(record, events.get(record.eventId)?.sender ?? null));
  // Before the reports, so that a new report never gets the number of an imported one.
  await passOver(deps, 'event_reports', Math.max(0, ...good.map(({ id }) => Number(id))));
  for (const roomId of new Set(good.map((record) => record.roomId))) await noteRoom(deps, roomId);
  const loaded = await insert(deps, documents);
  return { loaded, skipped: reports.length - loaded - problems.length, problems };
}

async function insert(
  { eventReports }: Pick<Deps, 'eventReports'>,
  documents: readonly EventReport[],
): Promise<number> {
  if (documents.length === 0) return 0;
  try {
    return (await eventReports.insertMany(documents, { ordered: false })).insertedCount;
  } catch (error) {
    if (error instanceof Conflict) return error.insertedCount;
    throw error;
  }
}

function problemOf(record: ImportedReport): string | undefined {
  if (!isSafe(record.id) || record.id < 1n) return 'id is not the number of a report';
  if (!isSafe(record.receivedTs)) return 'received_ts is not a time';
  if (record.score !== undefined && !isSafe(record.score)) return 'score is not a score';
  if (!parseUserId(record.userId)) return 'user_id is not a user id';
  if (!record.roomId.startsWith('!')) return 'room_id is not a room id';
  return record.eventId === '' ? 'event_id is missing' : undefined;
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
  };
}
