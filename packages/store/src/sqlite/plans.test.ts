import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Thing, thing, things } from '../contract/thing.ts';
import type { Collection } from '../port/collection.ts';
import type { Store } from '../port/store.ts';
import { explain } from '../testing.ts';
import { walkFrom } from './compile/positions.ts';
import { Connection } from './engine/connection.ts';
import type { Sql } from './engine/sql.ts';
import { layOut } from './layout/layout.ts';
import { openSqliteStore } from './open.ts';
import { prepareQuery } from './plan/query.ts';
import { ensureSchema } from './schema/ensure-schema.ts';

const explainer = new Connection(':memory:', { readOnly: false });
ensureSchema(explainer, layOut(things));

let store: Store;
let collection: Collection<Thing>;
beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  collection = await store.collection(things);
});
afterAll(async () => {
  explainer.close();
  await store.close();
});

const SORTS = /TEMP B-TREE FOR/;
const READS_ALL = /^SCAN contract\.things(?! USING)/;

const explainStatement = ({ text, params }: Sql): string[] =>
  explainer.all({ text: `EXPLAIN QUERY PLAN ${text}`, params }).map((row) => String(row[3]));

const explained = (...[filter, options]: Parameters<typeof collection.find>) => {
  const { route, plan, statement } = explain(collection, filter, options);
  return { route, statement, plan: plan.join('\n'), lines: plan };
};

describe('a sort over several values of the leading key', () => {
  it('merges one range per value, without a sort', () => {
    const { route, plan, lines } = explained(
      { group: { $in: ['a', 'b', 'c', null] } },
      { sort: { name: -1, _id: 1 }, skip: 1_000, limit: 10 },
    );
    expect(route).toBe('walk');
    expect(plan).toMatch(/MERGE \(UNION ALL\)/);
    expect(lines.filter((line) => line.includes('by_name_down (.group=?)'))).toHaveLength(4);
    expect(plan).not.toMatch(SORTS);
  });

  it('walks backwards for the opposite order', () => {
    const { plan } = explained({ group: 'a' }, { sort: { name: 1, _id: -1 }, limit: 10 });
    expect(plan).toMatch(/SEARCH contract\.things USING COVERING INDEX contract\.things\/by_name_down/);
    expect(plan).not.toMatch(SORTS);
  });

  it('goes to the reader when the page is too far into the merged ranges', () => {
    const groups = Array.from({ length: 16 }, (_, i) => `g${i}`);
    const filter = { group: { $in: groups } };
    expect(explained(filter, { sort: { name: 1, _id: 1 }, limit: 10, skip: 20_000 }).route).toBe('walk');
    expect(explained(filter, { sort: { name: 1, _id: 1 }, limit: 10, skip: 100_000 }).route).toBe('reader');
  });
});

it('enters every range of a deep page at the known position, without a sort', () => {
  const layout = layOut(things);
  const filter = { group: { $in: ['a', 'b'] } };
  const plansOf = (direction: 1 | -1, from: readonly (string | null)[]) => {
    const { accesses, sort } = prepareQuery(layout, filter, { sort: { name: direction, _id: 1 } });
    if (!accesses.ordered) throw new Error('No index has the order');
    const page = walkFrom(accesses.ordered, sort, from, { limit: 10, skip: 3 });
    return explainStatement(page).filter((line) => /SEARCH|SCAN contract|B-TREE/.test(line));
  };
  const search = (index: string, ...bounds: string[]) =>
    ['a', 'b'].flatMap(() =>
      bounds.map(
        (bound) => `SEARCH contract.things USING COVERING INDEX contract.things/${index} (.group=?${bound})`,
      ),
    );
  const sorted = (lines: readonly string[]) => lines.toSorted();
  expect(sorted(plansOf(1, ['n', 'i']))).toEqual(
    sorted(search('by_name', ' AND .name=? AND id>?', ' AND .name>?')),
  );
  expect(sorted(plansOf(1, [null, 'i']))).toEqual(
    sorted(search('by_name', ' AND .name=? AND id>?', ' AND .name>?')),
  );
  expect(sorted(plansOf(-1, ['n', 'i']))).toEqual(
    sorted(search('by_name_down', ' AND .name=? AND id>?', ' AND .name<?', ' AND .name=?')),
  );
  expect(sorted(plansOf(-1, [null, 'i']))).toEqual(sorted(search('by_name_down', ' AND .name=? AND id>?')));
});

it('walks the index alone, and reads no document that is skipped', () => {
  const { statement } = explained({ group: 'a' }, { sort: { name: 1, _id: 1 }, skip: 50_000, limit: 10 });
  expect(statement).toMatch(/^SELECT n FROM "contract\.things" INDEXED BY/);
  expect(statement).not.toMatch(/doc/);
});

describe('a projection of keys of the index', () => {
  const projection = { _id: 1, name: 1 } as const;

  it('a projection of keys of the index is answered by the index alone, in order, over several ranges, and with conditions on other keys', () => {
    const isIndexOnly = (...[filter, options]: Parameters<typeof collection.find>) =>
      explain(collection, filter, options).indexOnly;
    expect(isIndexOnly({ group: 'a' }, { sort: { name: 1, _id: 1 }, projection })).toBe(true);
    expect(isIndexOnly({ group: { $in: ['a', 'b'] } }, { sort: { name: -1, _id: 1 }, projection })).toBe(
      true,
    );
    expect(isIndexOnly({ group: 'a', name: { $ne: 'x' } }, { projection })).toBe(true);
    expect(isIndexOnly({ tags: 'x' }, { projection: { _id: 1 } })).toBe(true);
    expect(isIndexOnly({ group: 'a', note: 'x' }, { projection })).toBe(false);
    expect(isIndexOnly({ group: 'a', name: { $exists: true } }, { projection })).toBe(false);
    expect(isIndexOnly({ group: 'a' }, { projection: { note: 1 } })).toBe(false);
    expect(isIndexOnly({ code: 'c' }, { projection: { _id: 1 } })).toBe(false);
    expect(isIndexOnly({ code: { $in: ['c', 'd'] } }, { projection: { _id: 0, code: 1 } })).toBe(true);
    expect(isIndexOnly({ tags: { $gt: 'x' } }, { projection: { _id: 1 } })).toBe(false);
    expect(isIndexOnly({ group: 'a' })).toBe(false);
  });

  it('a projection of keys of the index is read without the documents, except for values that a column does not tell apart', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'steward-plans-')), 'index.db');
    const opened = await openSqliteStore({ path });
    const filled = await opened.collection(things);
    await filled.insertMany([
      thing('a', { group: 'g', name: 'plain', rank: 5, flag: true }),
      thing('b', { group: 'g', name: '', rank: 1e15 + 0.5, flag: true }),
      thing('c', { group: 'h', name: null, flag: true }),
      thing('d', { group: 'h', name: '[1]', rank: 0, flag: true }),
    ]);
    const named = (group: string) =>
      filled.find({ group }, { sort: { name: 1, _id: 1 }, projection }).toArray();
    const ranked = (rank: number | null) =>
      filled.find({ flag: true, rank }, { projection: { _id: 0, rank: 1, flag: 1 } }).toArray();
    expect(await named('h')).toEqual([
      { _id: 'c', name: null },
      { _id: 'd', name: '[1]' },
    ]);
    expect(await ranked(1e15 + 0.5)).toEqual([{ rank: 1e15 + 0.5, flag: true }]);
    expect(await ranked(null)).toEqual([{ flag: true }]);

    const file = new DatabaseSync(path);
    const triggers = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) file.exec(`DROP TRIGGER "${name}"`);
    file.exec(`UPDATE "contract.things" SET doc = x'ff'`);
    file.close();
    expect(await named('g')).toEqual([
      { _id: 'b', name: '' },
      { _id: 'a', name: 'plain' },
    ]);
    await expect(named('h')).rejects.toThrow();
    await opened.close();
    rmSync(dirname(path), { recursive: true });
  });
});

it('takes a unique index to a single document', () => {
  for (const filter of [{ _id: 'x' }, { _id: 'x', version: 3 }, { code: 'x' }, { 'parts.key': 'x' }]) {
    const { route, plan } = explained(filter);
    expect(route).toBe('point');
    expect(plan).not.toMatch(READS_ALL);
  }
});

it('walks the elements of an array in order', () => {
  const { route, plan } = explained({ tags: 'x' }, { sort: { rank: -1, _id: 1 }, limit: 10 });
  expect(route).toBe('walk');
  expect(plan).toMatch(/by_tag\/elements USING COVERING INDEX contract\.things\/by_tag \(k0=\?\)/);
  expect(plan).not.toMatch(SORTS);
});

it('uses one index for both fields of an element', () => {
  const { statement } = explained({ parts: { $elemMatch: { kind: 'x', size: { $gte: 3 } } } });
  expect(statement).toMatch(/k0 = \? AND k1 >= \?/);
  expect(statement).not.toMatch(/json_each\(doc/);
});

it('walks between both bounds of an element', () => {
  const { statement, route } = explained({ tags: { $elemMatch: { $gte: 'a', $lt: 'b' } } }, { limit: 10 });
  expect(statement).toMatch(/k0 >= \? AND k0 < \?/);
  expect(route).toBe('walk');
  // Two separate conditions can hold for different elements.
  expect(explained({ tags: { $gte: 'a', $lt: 'b' } }, { limit: 10 }).statement).not.toMatch(/k0 < \?/);
});

it('starts a page by key in the middle of the index', () => {
  const { plan, route } = explained(
    { group: 'a', $or: [{ name: { $lt: 'm' } }, { name: 'm', _id: { $gt: 'x' } }] },
    { sort: { name: -1, _id: 1 }, limit: 10 },
  );
  expect(plan).toMatch(/by_name_down \(\.group=\? AND \.name<\?\)/);
  expect(route).toBe('candidates');
});

it('finds pending effects by the sparse index', () => {
  const { plan, route } = explained({ 'pending.id': { $gt: '' } });
  expect(plan).toMatch(/pending\/elements USING COVERING INDEX contract\.things\/pending \(k0>\?\)/);
  expect(route).toBe('walk');
});

it('sends to the reader what no index narrows', () => {
  const route = (...[filter, options]: Parameters<typeof collection.find>) =>
    explained(filter, options).route;
  expect(route({ note: 'x' })).toBe('reader');
  expect(route({}, { sort: { note: 1 }, limit: 10 })).toBe('reader');
  expect(route({ $contains: { paths: ['folded'], term: 'abc' } })).toBe('search');
  expect(route({ $contains: { paths: ['folded'], term: 'ab' } })).toBe('reader');
  expect(route({ $contains: { paths: ['alias'], term: 'ab' } })).toBe('values');
  expect(route({ group: 'a', note: 'x' })).toBe('candidates');
  expect(route({}, { sort: { _id: 1 }, limit: 10 })).toBe('walk');
});

describe('in a large collection', () => {
  const SIZE = 4_000;
  let large: Store;
  let collection: Collection<Thing>;
  beforeAll(async () => {
    large = await openSqliteStore({ path: ':memory:' });
    collection = await large.collection(things);
    await collection.insertMany(
      Array.from({ length: SIZE }, (_, i) =>
        thing(String(i).padStart(5, '0'), {
          group: `g${i % 3}`,
          name: i % 5 ? `n${i % 700}` : null,
          note: i === SIZE - 1 ? 'last' : 'other',
          folded: `text ${i}`,
          alias: i < SIZE / 2 ? `half ${i}` : `shared ${i % 7}`,
          tags: [`t${i % 2}`],
        }),
      ),
    );
  });
  afterAll(() => large.close());
  const ids = async (...args: Parameters<typeof collection.find>) =>
    (await collection.find(...args).toArray()).map(({ _id }) => _id);

  it('every route returns the same documents', async () => {
    const all = await collection.find({}).toArray();
    const expected = all
      .toSorted((a, b) => compare(b.name ?? '', a.name ?? '') || compare(a._id, b._id))
      .map(({ _id }) => _id);
    const sort = { name: -1, _id: 1 } as const;
    const groups = { group: { $in: ['g0', 'g1', 'g2'] } };
    for (const skip of [0, 1_500, 2_500, SIZE - 5, SIZE + 5]) {
      expect(await ids(groups, { sort, skip, limit: 10 })).toEqual(expected.slice(skip, skip + 10));
      expect(await ids({}, { sort, skip, limit: 10 })).toEqual(expected.slice(skip, skip + 10));
    }
    expect(await ids({ note: 'last' })).toEqual(['03999']);
    expect(await ids({ group: 'g0', note: 'last' }, { sort, limit: 5 })).toEqual(['03999']);
    expect(
      await ids({ $contains: { paths: ['folded'], term: 'text 399' } }, { sort: { _id: 1 }, limit: 2 }),
    ).toEqual(['00399', '03990']);
    expect(
      await ids({ $contains: { paths: ['folded'], term: 't' } }, { sort: { _id: 1 }, limit: 1 }),
    ).toEqual(['00000']);
    expect(
      await ids({ $contains: { paths: ['folded'], term: '99' }, tags: 't1' }, { sort: { _id: -1 } }),
    ).toHaveLength(all.filter(({ folded, tags }) => folded?.includes('99') && tags?.includes('t1')).length);
    expect(await collection.countDocuments({ $contains: { paths: ['folded'], term: 'te' } })).toBe(SIZE);
    expect(await collection.countDocuments({ note: 'other', group: 'g1' })).toBe(1_333);
  });

  it('searches shared values, whether it finds few of them, many or all', async () => {
    const all = await collection.find({}, { sort: { _id: 1 } }).toArray();
    const groups = { group: { $in: ['g0', 'g1'] } };
    for (const term of ['shared 3', 'nothing', 'half', 'a', 'half 1']) {
      const filter = { ...groups, $contains: { paths: ['alias'] as const, term } };
      const expected = all.filter(({ group, alias }) => group !== 'g2' && alias?.includes(term));
      expect(await collection.countDocuments(filter)).toBe(expected.length);
      for (const skip of [0, 300]) {
        expect(await ids(filter, { sort: { _id: -1 }, skip, limit: 5 })).toEqual(
          expected
            .toReversed()
            .slice(skip, skip + 5)
            .map(({ _id }) => _id),
        );
      }
      const both = { $and: [filter, { $contains: { paths: ['alias'] as const, term: ' 1' } }] };
      const ofBoth = expected.filter(({ alias }) => alias?.includes(' 1'));
      expect(await collection.countDocuments(both)).toBe(ofBoth.length);
    }
  });

  it('writes find their documents by every route', async () => {
    expect(await collection.updateOne({ note: 'last' }, { $set: { rank: 5 } })).toMatchObject({
      modifiedCount: 1,
    });
    expect(await collection.findOneAndUpdate({ note: 'nobody' }, { $set: { rank: 5 } })).toBeNull();
    expect(await collection.updateMany({ tags: 't0' }, { $set: { count: 1 } })).toMatchObject({
      modifiedCount: SIZE / 2,
    });
    expect(await collection.countDocuments({ count: 1 })).toBe(SIZE / 2);
    expect(await collection.deleteMany({ count: 1 })).toEqual({ deletedCount: SIZE / 2 });
    expect(await collection.countDocuments({})).toBe(SIZE / 2);
  });
});

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);
