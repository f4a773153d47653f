import { systemRandom } from '@steward/kernel';
import { openCollections } from '@steward/service';
import { openSqliteStore, type Store } from '@steward/store';
import { crashableStore, stores } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collections } from '../collections.ts';
import { reportKey } from '../report-id.ts';
import { amendCase } from './amend-case.ts';
import { caseTag } from './case-tag.ts';
import { fileReports } from './file-reports.ts';
import { type FilerDeps, fileAll } from './filer.ts';
import { loadCase } from './find-case.ts';
import { resolveCase } from './resolve-case.ts';
import { withdrawReport } from './withdraw-report.ts';

/** How far apart the calls are at which processes crash on a slow engine. */
const FAR_APART = 7;

const ROOM = '!room:test';

/** The clock of all processes. */
const clock = createFakeClock();

/** The dependencies of one process on a store. */
async function startOn(store: Store): Promise<FilerDeps> {
  const opened = await openCollections(store, collections);
  return {
    ...opened,
    clock,
    random: systemRandom,
    report: () => {},
    feedAppender: { append: async () => true },
    ownTasks: {},
  } as unknown as FilerDeps;
}

/** Stores a report of an event, which is not filed. */
const store1 = (deps: FilerDeps, number: number, reporter: string, event = '$event') =>
  deps.eventReports.insertOne({
    _id: reportKey(number),
    received_ts: number * 10,
    user_id: reporter,
    room_id: ROOM,
    event_id: event,
    sender: '@sender:test',
    reason: null,
    score: null,
    room_gone: false,
    unfiled: true,
  });

const DECISION = {
  decider: '@mod:test',
  requestId: '',
  outcome: 'actioned',
  duplicateOf: null,
  reason: null,
  notify: false,
  actions: [],
} as const;

let store: Store;
let deps: FilerDeps;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  deps = await startOn(store);
});
afterEach(() => store.close());

const amend = (id: string, set: object, ifMatch?: string) =>
  amendCase(deps, id, { by: '@mod:test', reason: null, ifMatch, decide: () => ({ set }) });

it('counts each report and each reporter once, however often and wherever it is filed', async () => {
  const other = await startOn(store);
  for (let number = 1; number <= 40; number++) await store1(deps, number, `@user${number % 10}:test`);
  const keys = Array.from({ length: 40 }, (_, index) => `event-${index + 1}`);
  await Promise.all([fileReports(deps, keys), fileReports(other, keys), fileAll(deps)]);
  expect(await deps.cases.countDocuments({})).toBe(1);
  expect(await loadCase(deps, 'event-7')).toMatchObject({
    report_count: 40,
    reporter_count: 10,
    first_received_ts: 10,
    last_received_ts: 400,
    state: 'open',
  });
  expect(await deps.eventReports.countDocuments({ unfiled: true })).toBe(0);
});

it('opens one further case for reports that arrive after a resolution, in all processes', async () => {
  const other = await startOn(store);
  await store1(deps, 1, '@a:test');
  await fileAll(deps);
  const first = await resolveCase(deps, 'event-1', DECISION);
  await store1(deps, 2, '@a:test');
  await store1(deps, 3, '@b:test');
  await Promise.all([fileReports(deps, ['event-2']), fileReports(other, ['event-3'])]);
  const second = await loadCase(deps, 'event-2');
  expect(second).toMatchObject({ previous_case: first._id, report_count: 2, number: 2 });
  expect((await loadCase(deps, 'event-3'))._id).toBe(second._id);
  expect((await loadCase(deps, 'event-1')).next_case).toBe(second._id);
});

it('shows what a case has in each of its reports', async () => {
  for (const number of [1, 2, 3]) await store1(deps, number, '@a:test');
  await fileAll(deps);
  await amend('event-1', { severity: 'high', assignee: '@mod:test' });
  await amend('event-2', { state: 'triaged' });
  const copies = { state: 'triaged', severity: 'high', assignee: '@mod:test' } as const;
  expect(await deps.inbox.countDocuments(copies)).toBe(3);
  expect([...(await deps.inbox.tally())]).toEqual([['triaged event high @mod:test', 3]]);
  expect([...(await deps.cases.tally())]).toEqual([['triaged event high @mod:test', 1]]);
});

it('refuses a decision on another state than that which the moderator saw, and a second decision', async () => {
  await store1(deps, 1, '@a:test');
  await fileAll(deps);
  const seen = caseTag(await loadCase(deps, 'event-1'));
  // Further reports change nothing that a decision depends on.
  await store1(deps, 2, '@b:test');
  await fileAll(deps);
  const outcomes = await Promise.allSettled([
    resolveCase(deps, 'event-1', { ...DECISION, ifMatch: seen }),
    resolveCase(deps, 'event-2', { ...DECISION, outcome: 'dismissed', ifMatch: seen }),
  ]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await expect(amend('event-1', { severity: 'low' }, `W/${seen}`)).rejects.toThrow('has changed');
  await expect(resolveCase(deps, 'event-1', DECISION)).rejects.toThrow('resolved already');
  const now = caseTag(await loadCase(deps, 'event-1'));
  expect(await amend('event-1', { severity: 'low' }, `"x", ${now}`)).toMatchObject({ severity: 'low' });
});

it('refuses to make a case a duplicate of one that is itself a duplicate', async () => {
  for (const number of [1, 2, 3]) await store1(deps, number, '@a:test', `$event${number}`);
  await fileAll(deps);
  const duplicate = (id: string, duplicateOf: string) =>
    resolveCase(deps, id, { ...DECISION, outcome: 'duplicate', duplicateOf });
  const { duplicate_of: original } = await duplicate('event-1', 'event-2');
  expect(original).toBe((await loadCase(deps, 'event-2'))._id);
  await expect(duplicate('event-2', 'event-1')).rejects.toThrow(`a duplicate of ${original}`);
  await expect(duplicate('event-2', 'event-2')).rejects.toThrow('of itself');
  expect(await duplicate('event-2', 'event-3')).toMatchObject({ state: 'resolved' });
});

it('removes deleted reports from their case, and closes one without reports', async () => {
  await store1(deps, 1, '@a:test');
  await store1(deps, 2, '@a:test');
  await store1(deps, 3, '@b:test');
  await fileAll(deps);
  const { _id } = await loadCase(deps, 'event-1');
  for (const repeated of ['event-1', 'event-1', 'event-3']) await withdrawReport(deps, repeated, '@mod:test');
  expect(await loadCase(deps, _id)).toMatchObject({
    report_count: 1,
    reporter_count: 1,
    first_received_ts: 20,
    state: 'open',
  });
  await withdrawReport(deps, 'event-2', '@mod:test');
  expect(await loadCase(deps, _id)).toMatchObject({
    report_count: 0,
    state: 'resolved',
    outcome: 'dismissed',
  });
  await expect(loadCase(deps, 'event-2')).rejects.toThrow('not found');
});

it('files a report again that a crashed deletion has left', async () => {
  await store1(deps, 1, '@a:test');
  await store1(deps, 2, '@a:test');
  await fileAll(deps);
  for (const key of ['event-1', 'event-2']) await withdrawReport(deps, key, '@mod:test');
  await deps.eventReports.deleteOne({ _id: reportKey(1) });
  await fileAll(deps);
  await expect(loadCase(deps, 'event-2')).rejects.toThrow('not found');
  clock.advance(2 * 60 * 60_000);
  await fileAll(deps);
  expect(await loadCase(deps, 'event-2')).toMatchObject({ number: 2, report_count: 1, state: 'open' });
  await expect(loadCase(deps, 'event-1')).rejects.toThrow('not found');
  expect(await deps.inbox.countDocuments({})).toBe(1);
});

describe.each(stores)('$title', ({ missing, open, remote }) => {
  it.skipIf(missing)('counts right after a crash at any call of the store', async () => {
    for (let call = 1, hasCrashed = true; hasCrashed; call += remote ? FAR_APART : 1) {
      const own = await open();
      const healthy = await startOn(own.store);
      await store1(healthy, 1, '@a:test');
      await fileAll(healthy);
      await resolveCase(healthy, 'event-1', DECISION);
      await store1(healthy, 2, '@a:test');
      const crashable = crashableStore(own.store);
      const crashing = await startOn(crashable.store);
      crashable.crashAt(call, call % 2 === 0 ? 'after' : 'before');
      await fileReports(crashing, ['event-2'])
        .then(() => withdrawReport(crashing, 'event-1', '@mod:test'))
        .catch(() => {});
      hasCrashed = crashable.hasCrashed;
      await fileAll(healthy);
      await withdrawReport(healthy, 'event-1', '@mod:test');
      expect(await loadCase(healthy, 'event-2')).toMatchObject({
        report_count: 1,
        reporter_count: 1,
        number: 2,
      });
      const { previous_case } = await loadCase(healthy, 'event-2');
      expect(await loadCase(healthy, previous_case ?? '')).toMatchObject({
        report_count: 0,
        reporter_count: 0,
      });
      expect(await healthy.inbox.countDocuments({ state: 'open' })).toBe(1);
      await own.drop();
    }
  });
});
