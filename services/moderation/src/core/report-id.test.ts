import { openSqliteStore, type Store } from '@steward/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { counters } from './model/counter.ts';
import { newReportKey, reportId, reportKey, reserveNumbersUpTo } from './report-id.ts';

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
});
afterEach(() => store.close());

const idOf = (_id: string) => Number(reportId({ _id }));

it('assigns each number once, from 1, separately for each kind', async () => {
  const deps = { counters: await store.collection(counters) };
  const keys = await Promise.all(Array.from({ length: 20 }, () => newReportKey(deps, 'event_reports')));
  expect(keys.map(idOf).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  expect(idOf(await newReportKey(deps, 'user_reports'))).toBe(1);
});

it('assigns no number of an imported report, and no number twice after an import of lower ones', async () => {
  const deps = { counters: await store.collection(counters) };
  await reserveNumbersUpTo(deps, 'event_reports', 7);
  expect(idOf(await newReportKey(deps, 'event_reports'))).toBe(8);
  await reserveNumbersUpTo(deps, 'event_reports', 3);
  expect(idOf(await newReportKey(deps, 'event_reports'))).toBe(9);
});

it('builds keys that sort in the order of numbers', () => {
  const keys = [1, 9, 10, 99, 100, 2 ** 40].map(reportKey);
  expect(keys).toEqual(keys.toSorted());
});
