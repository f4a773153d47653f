import type { HandlerContext } from '@connectrpc/connect';
import { systemRandom } from '@steward/kernel';
import { openCollections } from '@steward/service';
import { openSqliteStore, type Store } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { getReportEvidence } from '../../verbs/cases/get-report-evidence.ts';
import { collections } from '../collections.ts';
import type { KeptEvidence } from '../model/evidence.ts';
import { reportKey } from '../report-id.ts';
import { fileReports } from './file-reports.ts';
import type { FilerDeps } from './filer.ts';
import { keepEvidence } from './keep-evidence.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const EVENT = { roomId: '!room:test', eventId: '$event', sender: '@sender:test' };

type TestDeps = FilerDeps &
  Parameters<typeof keepEvidence.event>[0] &
  Parameters<typeof getReportEvidence>[0];

let store: Store;
let deps: TestDeps;
let clock: ReturnType<typeof createFakeClock>;
/** The name in all profiles, and the text of all events. */
let name: string;
let text: string;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  clock = createFakeClock();
  name = 'first';
  text = 'spam';
  deps = {
    ...(await openCollections(store, collections)),
    clock,
    random: systemRandom,
    report: () => {},
    feedAppender: { append: async () => true },
    ownTasks: {},
    evidenceRetentionMs: 180 * DAY_MS,
    users: { profileOf: async () => ({ displayName: name, avatarUrl: null }) },
    rooms: {
      describe: async ({ eventIds: [id = ''] }: { eventIds: readonly string[] }) => ({
        events: new Map([[id, { event: JSON.stringify({ text }), redacted: false }]]),
      }),
    },
  } as unknown as TestDeps;
});
afterEach(() => store.close());

/** Keeps copies of the profile of a user, which changes before each, until there is none. */
async function fill(
  reporter: string,
  userId: string,
  most = 2_000,
): Promise<{ made: number; last: KeptEvidence }> {
  let last: KeptEvidence = {};
  for (let made = 0; made < most; made++) {
    name = `${reporter} ${made}`;
    last = await keepEvidence.user(deps, reporter, userId);
    if (last.no_evidence) return { made, last };
  }
  return { made: most, last };
}

it('keeps the same state of a subject once, and a bounded number of others in a day', async () => {
  const first = await keepEvidence.user(deps, '@a:test', '@changing:test');
  expect(await keepEvidence.user(deps, '@b:test', '@changing:test')).toEqual(first);
  expect(await deps.evidence.countDocuments({})).toBe(1);
  expect(await fill('@a:test', '@changing:test')).toEqual({
    made: 99,
    last: { no_evidence: 'subject_limit' },
  });
  name = 'first';
  expect(await keepEvidence.user(deps, '@a:test', '@changing:test')).toEqual(first);
  expect(await keepEvidence.user(deps, '@a:test', '@other:test')).toHaveProperty('evidence');
  clock.advance(DAY_MS);
  name = 'of the next day';
  expect(await keepEvidence.user(deps, '@a:test', '@changing:test')).toHaveProperty('evidence');
});

it('keeps a bounded number of bytes of one event, however often the profile of its sender changes', async () => {
  text = 'x'.repeat(60_000);
  const kept: KeptEvidence[] = [];
  for (let n = 0; n < 30; n++) {
    name = `name ${n}`;
    kept.push(await keepEvidence.event(deps, `@reporter${n}:test`, EVENT));
  }
  expect(kept.filter(({ evidence }) => evidence !== undefined)).toHaveLength(17);
  expect(kept.at(-1)).toEqual({ no_evidence: 'subject_limit' });
});

it('keeps a bounded number for the reports of one user, and others are not affected', async () => {
  const copy = { reporter: '@a:test', bytes: 10, content: '{}', first_ts: clock.now(), last_ts: clock.now() };
  const copies = Array.from({ length: 999 }, (_, n) => ({ ...copy, _id: `${n}`, subject: `${n}` }));
  await deps.evidence.insertMany(copies);
  expect(await fill('@a:test', '@last:test')).toEqual({ made: 1, last: { no_evidence: 'reporter_limit' } });
  expect(await keepEvidence.user(deps, '@a:test', '@more:test')).toEqual({ no_evidence: 'reporter_limit' });
  expect(await keepEvidence.user(deps, '@b:test', '@more:test')).toHaveProperty('evidence');
});

it('says of a report without a copy why there is none', async () => {
  await fill('@a:test', '@changing:test');
  const kept = await keepEvidence.user(deps, '@a:test', '@changing:test');
  await deps.userReports.insertOne({
    ...{ _id: reportKey(1), received_ts: clock.now(), user_id: '@a:test', target_user_id: '@changing:test' },
    ...{ reason: '', unfiled: true, ...kept },
  });
  await fileReports(deps, ['user-1']);
  const [entry] = await deps.inbox.find({}).toArray();
  expect(entry).toMatchObject({ evidence: null, no_evidence: 'subject_limit' });
  expect(await getReportEvidence(deps, { reportId: 'user-1' } as never, {} as HandlerContext)).toEqual({
    evidence: [],
    noCopyReason: 'subject_limit',
  });
});
