import { create } from '@bufbuild/protobuf';
import {
  ImportedReportSchema,
  ImportReportsRequestSchema,
} from '@steward/proto/steward/moderation/v1/import_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Deps } from '../core/deps.ts';
import { counters } from '../core/model/counter.ts';
import { eventReports, reportedRooms } from '../core/model/report.ts';
import { newReportKey, reportKey } from '../core/report-id.ts';
import { importReports } from './import-reports.ts';

let store: Store;
let deps: Deps;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  deps = {
    counters: await store.collection(counters),
    eventReports: await store.collection(eventReports),
    reportedRooms: await store.collection(reportedRooms),
    rooms: {
      describe: async ({ eventIds = [] }: { eventIds?: readonly string[] }) => ({
        events: new Map(
          eventIds
            .filter((id) => /^\$\d$/.test(id))
            .map((id) => [id, { sender: '@sender:test', roomId: '!room:test' }]),
        ),
        rooms: new Map(['!room:test', '!other:test'].map((id) => [id, {}])),
      }),
    },
    users: { known: async () => new Set(['@reporter:test']) },
  } as unknown as Deps;
});
afterEach(() => store.close());

const record = (id: bigint, fields: object = {}) =>
  create(ImportedReportSchema, {
    id,
    eventId: `$${id}`,
    roomId: '!room:test',
    userId: '@reporter:test',
    receivedTs: 1_700_000_000_000n,
    score: -50n,
    reason: 'bad',
    ...fields,
  });
const load = (...reports: ReturnType<typeof record>[]) =>
  importReports(deps, create(ImportReportsRequestSchema, { reports }));

it('loads each report once, with the sender of its event', async () => {
  expect(await load(record(1n), record(2n))).toEqual({ loaded: 2, skipped: 0, problems: [] });
  expect(await load(record(1n), record(3n))).toEqual({ loaded: 1, skipped: 1, problems: [] });
  const senders = await deps.eventReports.find({}, { sort: { _id: 1 } }).toArray();
  expect(senders.map(({ sender }) => sender)).toEqual(['@sender:test', '@sender:test', '@sender:test']);
  expect(await newReportKey(deps, 'event_reports')).toBe(reportKey(4));
});

it('reports the violation of a record, and loads the others', async () => {
  const bad = [
    record(0n),
    record(5n, { receivedTs: 2n ** 60n }),
    record(6n, { userId: 'x' }),
    record(7n, { roomId: 'x' }),
    record(8n, { eventId: '' }),
    record(4n, { score: 1n }),
    record(4n, { score: -101n }),
    record(4n, { userId: '@other:test' }),
    record(4n, { roomId: '!unknown:test' }),
    record(4n, { eventId: '$unknown' }),
    record(4n, { roomId: '!other:test' }),
  ];
  const { loaded, problems } = await load(...bad, record(9n), record(4n, { score: undefined }));
  expect(loaded).toBe(2);
  expect(problems.map(({ index }) => index)).toEqual(bad.map((_, index) => index));
  expect(problems.slice(5).map(({ problem }) => problem)).toEqual([
    'score is not from -100 to 0',
    'score is not from -100 to 0',
    'there is no account @other:test',
    'there is no room !unknown:test',
    'there is no event $unknown',
    '$4 is an event of another room',
  ]);
});
