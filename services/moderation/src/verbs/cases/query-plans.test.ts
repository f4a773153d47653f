import { openSqliteStore, type Store } from '@steward/store';
import { explain } from '@steward/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collections } from '../../core/collections.ts';
import { following } from './read-page.ts';
import { followingUrgency } from './urgent-page.ts';

let store: Store;
beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:' });
});
afterAll(() => store.close());

/** The plan of a query that reads one index in order, without sorting. */
const ALONG_AN_INDEX = expect.objectContaining({
  plan: [expect.stringMatching(/^SEARCH .* INDEX /)],
});

const state = 'open';
const pages = ([1, -1] as const).flatMap((direction) => {
  const sort = { received_ts: direction, _id: direction } as const;
  const after = following({ value: 5, id: 'event-5' }, 'received_ts', direction);
  return [{}, ...after].map((range) => [sort, range] as const);
});

it.each([
  {},
  { kind: 'event' },
  { assignee: '@mod:test' },
  { assignee: null },
  { severity: 'high' },
  { reporter: '@a:test' },
  { user_id: '@a:test' },
  { room_id: '!a:test' },
  { kind: 'event', severity: 'high' },
  { reporter: '@a:test', kind: 'user' },
  { user_id: '@a:test', room_id: '!a:test' },
] as const)('finds reports along an index: %j', async (filter) => {
  const inbox = await store.collection(collections.inbox);
  for (const [sort, range] of pages)
    expect(explain(inbox, { state, ...filter, $and: [range] }, { sort, limit: 11 })).toEqual(ALONG_AN_INDEX);
});

it.each([{}, { kind: 'event' }, { assignee: null }, { severity: 'high' }, { user_id: '@a:test' }] as const)(
  'finds cases along an index: %j',
  async (filter) => {
    const cases = await store.collection(collections.cases);
    for (const key of [
      'last_received_ts',
      ...(Object.keys(filter).length > 0 ? [] : ['first_received_ts', 'report_count']),
    ]) {
      const sort = { [key]: -1, _id: -1 } as const;
      for (const range of following({ value: 5, id: 'case-5' }, key, -1))
        expect(explain(cases, { state, ...filter, $and: [range] }, { sort, limit: 11 })).toEqual(
          ALONG_AN_INDEX,
        );
    }
  },
);

it.each([
  { kind: 'event' },
  { assignee: null },
  { severity: 'high' },
  { last_received_ts: { $gte: 5 } },
] as const)('sorts cases by the number of reports in an index: %j', async (filter) => {
  const cases = await store.collection(collections.cases);
  const sort = { report_count: -1, _id: -1 } as const;
  for (const range of [{}, ...following({ value: 5, id: 'case-5' }, 'report_count', -1)]) {
    const { plan } = explain(cases, { state, ...filter, $and: [range] }, { sort, limit: 11 });
    const searches = plan.filter((line) => line.startsWith('SEARCH'));
    expect(searches).toEqual([expect.stringContaining(' COVERING INDEX moderation.cases/by_')]);
  }
});

it.each([{}, { kind: 'event' }] as const)(
  'finds the cases of one severity by urgency in an index: %j',
  async (filter) => {
    const cases = await store.collection(collections.cases);
    const place = { reporter_count: 2, first_received_ts: 5, _id: 'case-5' };
    for (const direction of [1, -1] as const) {
      const sort = {
        reporter_count: direction,
        first_received_ts: -direction as 1 | -1,
        _id: -direction as 1 | -1,
      };
      const projection = { reporter_count: 1, first_received_ts: 1 } as const;
      for (const range of [{}, ...followingUrgency(place, direction)]) {
        const { plan, indexOnly } = explain(
          cases,
          { state, severity: null, ...filter, $and: [range] },
          { sort, limit: 11, projection },
        );
        expect(indexOnly).toBe(true);
        expect(plan).toContainEqual(expect.stringMatching(/^SEARCH .* INDEX moderation.cases.by_urgency/));
        expect(plan.join()).not.toContain('TEMP B-TREE');
      }
    }
  },
);

it('merges the reports in several states without reading those that the page does not have', async () => {
  const inbox = await store.collection(collections.inbox);
  for (const [sort, range] of pages)
    expect(
      explain(inbox, { state, $and: [range] }, { sort, limit: 11, projection: { received_ts: 1 } }),
    ).toEqual(expect.objectContaining({ indexOnly: true }));
});

it('finds the reports of a case along an index', async () => {
  const inbox = await store.collection(collections.inbox);
  for (const [sort, range] of pages)
    expect(explain(inbox, { case: 'case-1', $and: [range] }, { sort, limit: 11 })).toEqual(ALONG_AN_INDEX);
});
