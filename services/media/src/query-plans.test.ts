import { openSqliteStore, type Store } from '@steward/store';
import { explain } from '@steward/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rangesOf, STORED } from './core/inventory/read-page.ts';
import { filterOf, type Selector } from './core/inventory/selector.ts';
import { media } from './core/model/media.ts';
import { usage } from './core/model/usage.ts';
import { orderOf, withMedia } from './verbs/statistics/usage-query.ts';

let store: Store;
beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:' });
});
afterAll(() => store.close());

const directions = [1, -1] as const;

/** The plan of a query that reads one index in order, without sorting. */
const ALONG_AN_INDEX = expect.objectContaining({ plan: [expect.stringMatching(/^SEARCH .* INDEX /)] });

describe('by an index', () => {
  it.each([
    'created_ts',
    'last_access_ts',
    'length',
    'quarantined_by',
    'safe_from_quarantine',
    'type',
    'upload_name',
  ] as const)('media of a user by %s', async (key) => {
    const collection = await store.collection(media);
    for (const direction of directions) {
      const options = { sort: { [key]: direction, _id: 1 }, skip: 10, limit: 10 } as const;
      expect(explain(collection, { user_id: '@a:test' }, options)).toEqual(ALONG_AN_INDEX);
    }
  });

  it.each([
    ['by id', { user_id: '@a:test' }, { sort: { _id: -1 }, limit: 10 }],
    [
      'to be put into quarantine',
      { user_id: '@a:test', quarantined_by: null, safe_from_quarantine: false, _id: { $gt: 'x' } },
      { sort: { _id: 1 }, limit: 10 },
    ],
    ['that do not count', { user_id: '@a:test', uncounted: true }, { limit: 10 }],
    ['that are being deleted', { state: 'deleting', _id: { $gt: '' } }, { sort: { _id: 1 }, limit: 10 }],
    ['never looked at', { $and: [{ origin: 'test' }, { last_access_ts: null, created_ts: { $lt: 5 } }] }, {}],
    ['not looked at lately', { $and: [{ origin: 'test' }, { last_access_ts: { $lt: 5 } }] }, {}],
    ['of other servers', { $and: [{ user_id: null }, { last_access_ts: { $lt: 5 } }] }, {}],
    ['of a time', { origin: 'test', created_ts: { $gte: 1, $lte: 5 } }, {}],
  ] as const)('media %s', async (_, filter, options) => {
    expect(explain(await store.collection(media), filter, options)).toEqual(ALONG_AN_INDEX);
  });

  it.each([
    ['all', { sha256: { $in: ['x', 'y'] }, safe_from_quarantine: false }, { limit: 10 }],
    [
      'in the order of their upload',
      {
        sha256: 'x',
        safe_from_quarantine: false,
        quarantined_in: { $ne: 'task' },
        created_ts: { $gte: 5 },
        $or: [{ created_ts: { $gt: 5 } }, { _id: { $gt: 'x' } }],
      },
      { sort: { created_ts: 1, _id: 1 }, limit: 10 },
    ],
    [
      'to be put into quarantine',
      { sha256: { $in: ['x'] }, quarantined_by: null, safe_from_quarantine: false },
      { sort: { created_ts: 1, _id: 1 }, limit: 10 },
    ],
    [
      'in quarantine',
      {
        sha256: 'x',
        quarantined_by: { $gte: '' },
        state: 'stored',
        _id: { $ne: 'x' },
        $nor: [{ quarantined_by: 'system', 'pending.kind': 'uploaded' }],
      },
      { limit: 1 },
    ],
  ] as const)('media of a content: %s', async (_, filter, options) => {
    // The rest of the plan evaluates the remaining conditions on each document.
    const { plan } = explain(await store.collection(media), filter, options);
    expect(plan[0]).toMatch(/^SEARCH .* INDEX media\.media\/content/);
    expect(plan.join()).not.toContain('ORDER BY');
  });

  it.each(['_id', 'displayname', 'length', 'count'] as const)('usage by %s', async (key) => {
    const collection = await store.collection(usage);
    for (const direction of directions) {
      const options = { sort: orderOf(key, direction), skip: 10, limit: 10 };
      expect(explain(collection, withMedia(undefined), options)).toEqual(ALONG_AN_INDEX);
    }
  });

  describe.each(['created_ts', 'length', 'last_access_ts'] as const)('the inventory by %s', (field) => {
    it.each([
      ['all', {}],
      ['of a server', { origin: 'test' }],
      ['of a user', { userId: '@a:test' }],
      ['of a type', { type: 'image/png' }],
      ['of all subtypes', { type: 'image/*' }],
      ['in quarantine', { quarantined: true }],
      ['protected', { protected: true }],
      ['orphaned', { orphaned: true }],
      ['shown', { orphaned: false }],
    ] as const satisfies readonly (readonly [string, Selector])[])('%s', async (_, selector) => {
      const collection = await store.collection(media);
      for (const direction of directions) {
        const sort = { [field]: direction, _id: direction } as const;
        const positions = [undefined, { value: 5, id: 'x' }];
        if (field === 'last_access_ts') positions.push({ value: null as never, id: 'x' });
        for (const after of positions) {
          for (const range of rangesOf({ field, direction }, after)) {
            const filter = { $and: [filterOf(selector), STORED, ...range] };
            const { plan } = explain(collection, filter, { sort, limit: 10 });
            expect(plan[0]).toMatch(/^(SEARCH|SCAN) .* INDEX /);
            expect(plan.join()).not.toContain('ORDER BY');
          }
        }
      }
    });
  });

  it.each([
    { createdAfter: 5 },
    { type: 'image/png', createdBefore: 5 },
  ] as const satisfies readonly Selector[])(
    'the inventory by last access tests %j in the index',
    async (selector) => {
      const collection = await store.collection(media);
      for (const range of rangesOf({ field: 'last_access_ts', direction: -1 }, undefined)) {
        const filter = { $and: [filterOf(selector), STORED, ...range] };
        const options = { sort: { last_access_ts: -1, _id: -1 }, limit: 10 } as const;
        expect(explain(collection, filter, options).plan).toEqual([expect.stringMatching(/_created_ts \(/)]);
      }
    },
  );

  it('what usage finds by a text', async () => {
    const explained = explain(await store.collection(usage), withMedia('text'), { sort: { _id: 1 } });
    expect(explained.route).toBe('search');
  });
});
