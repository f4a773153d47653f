import { compareCodePoints } from '@steward/kernel';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Doc, declareCollection } from '../port/declaration.ts';
import { openWithLimits } from './open.ts';
import { SERVING_LIMITS } from './plan/limits.ts';

interface Row extends Doc {
  readonly kind: string;
  readonly made: number;
  readonly seen: number | null;
  readonly name: string;
  readonly mail: string;
}

/** Indexes as those of a list with filters by two times. */
const rows = declareCollection<Row>({
  name: 'test.rows',
  shardKey: null,
  search: ['name', 'mail'],
  tally: 'kind',
  indexes: [
    {
      name: 'times',
      keys: [
        ['_id', 1],
        ['kind', 1],
        ['made', 1],
        ['seen', 1],
      ],
    },
    {
      name: 'made',
      keys: [
        ['kind', 1],
        ['made', 1],
        ['_id', 1],
        ['seen', 1],
      ],
    },
    {
      name: 'seen',
      keys: [
        ['kind', 1],
        ['seen', 1],
        ['_id', 1],
        ['made', 1],
      ],
    },
  ],
});

/** So small that pages are found by each way, and counted by positions that are a few entries apart. */
const LIMITS = [
  { smallCollection: 0, candidates: 0, tested: 4, positionGap: 2, counted: 0, ahead: 2 },
  { smallCollection: 0, candidates: 3, tested: 10, positionGap: 3, counted: 1_000, ahead: 2 },
  { smallCollection: 0, candidates: 0, tested: 0, entries: 5, positionGap: 3, counted: 0, ahead: 2 },
];

const time = fc.integer({ min: 0, max: 6 });
const text = fc.constantFrom('abcd', 'xabc', 'bcde');
const row = fc.record({
  _id: fc.integer({ min: 0, max: 30 }).map(String),
  kind: fc.constantFrom('a', 'b', 'c'),
  made: time,
  seen: fc.option(time),
  name: text,
  mail: text,
});
const range = fc
  .record({ $gte: time, $gt: time, $lt: time, $lte: time }, { requiredKeys: [] })
  .filter((bounds) => Object.keys(bounds).length > 0);
/** Most conditions are left out, so that one or two are tested together. */
const seldom = <T>(given: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, given);
const query = fc.record({
  kinds: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
  made: seldom(range),
  seen: seldom(fc.oneof(range, fc.constant(null))),
  name: seldom(seldom(fc.constantFrom('abc', 'bcd', 'xa'))),
  mail: seldom(seldom(fc.constantFrom('abc', 'cde'))),
  direction: fc.constantFrom(1 as const, -1 as const),
  skip: fc.integer({ min: 0, max: 4 }),
  limit: fc.integer({ min: 1, max: 6 }),
});
type Asked = typeof query extends fc.Arbitrary<infer Q> ? Q : never;

const isWithin = (value: number | null, bounds: Asked['seen']): boolean => {
  if (bounds === undefined) return true;
  if (bounds === null || value === null) return value === bounds;
  const { $gte, $gt, $lt, $lte } = bounds;
  return (
    ($gte === undefined || value >= $gte) &&
    ($gt === undefined || value > $gt) &&
    ($lt === undefined || value < $lt) &&
    ($lte === undefined || value <= $lte)
  );
};

it.each(LIMITS)('lists and counts of ranges equal those in memory, with %j', async (limits) => {
  const store = await openWithLimits(':memory:', { ...SERVING_LIMITS, ...limits });
  const collection = await store.collection(rows);
  const property = fc.asyncProperty(
    fc.uniqueArray(row, { selector: ({ _id }) => _id, maxLength: 30 }),
    fc.array(fc.tuple(query, row), { minLength: 12, maxLength: 12 }),
    async (start, steps) => {
      const held = new Map<string, Row>(start.map((one) => [one._id, one]));
      await collection.deleteMany({});
      await collection.insertMany(start);
      for (const [asked, written] of steps) {
        const { kinds, made, seen, name, mail, direction, skip, limit } = asked;
        const filter = {
          kind: { $in: kinds },
          $and: [
            ...(made === undefined ? [] : [{ made }]),
            ...(seen === undefined ? [] : [{ seen }]),
            ...(name === undefined ? [] : [{ $contains: { paths: ['name'] as const, term: name } }]),
            ...(mail === undefined ? [] : [{ $contains: { paths: ['mail'] as const, term: mail } }]),
            { kind: { $ne: '' } },
          ],
        };
        const expected = [...held.values()]
          .filter((one) => kinds.includes(one.kind) && isWithin(one.made, made) && isWithin(one.seen, seen))
          .filter((one) => one.name.includes(name ?? '') && one.mail.includes(mail ?? ''))
          .map(({ _id }) => _id)
          .toSorted((a, b) => direction * compareCodePoints(a, b));
        for (const asked of [filter, { ...filter, $and: filter.$and.slice(0, -1) }]) {
          const { $and, ...rest } = asked;
          const wanted = $and.length > 0 ? asked : rest;
          const page = await collection.find(wanted, { sort: { _id: direction }, skip, limit }).toArray();
          expect(page.map(({ _id }) => _id)).toEqual(expected.slice(skip, skip + limit));
          expect(await collection.countDocuments(wanted)).toBe(expected.length);
          const sum = expected.reduce((total, id) => total + (held.get(id)?.made ?? 0), 0);
          expect(await collection.totals(wanted, 'made')).toEqual({ count: expected.length, sum });
        }
        const { _id, ...fields } = written;
        if (held.has(_id)) held.set(_id, written);
        await collection.updateOne({ _id }, { $set: fields });
      }
    },
  );
  await fc.assert(property, { numRuns: 25 });
  await store.close();
});

it('counts and sums up every range by positions, with and without documents that have no value', async () => {
  const store = await openWithLimits(':memory:', { ...SERVING_LIMITS, ...LIMITS[0] });
  const collection = await store.collection(rows);
  const held = Array.from({ length: 60 }, (_, n): Row => {
    const [made, seen] = [n % 7, n % 5 === 0 ? null : n % 6];
    return { _id: String(n), kind: n % 3 === 0 ? 'a' : 'b', made, seen, name: 'abcd', mail: 'abcd' };
  });
  await collection.insertMany(held);
  const values = [-1, 0, 3, 5, 6, 7];
  const ends = values.flatMap((value) => [{ $lt: value }, { $lte: value }, { $gt: value }, { $gte: value }]);
  const ranges = [
    ...ends,
    ...values.flatMap((value) => [
      { $gte: 2, $lt: value },
      { $gt: value, $lte: 4 },
    ]),
  ];
  // The first round makes the positions known.
  for (let round = 0; round < 2; round++) {
    for (const path of ['made', 'seen'] as const) {
      for (const bounds of ranges) {
        const filter = { kind: { $in: ['a', 'b'] }, [path]: bounds };
        const expected = held.filter((one) => isWithin(one[path], bounds));
        const count = expected.length;
        const sum = expected.reduce((total, { made }) => total + made, 0);
        expect(await collection.countDocuments(filter), JSON.stringify([round, filter])).toBe(count);
        expect(await collection.totals(filter, 'made'), JSON.stringify(filter)).toEqual({ count, sum });
      }
    }
  }
  await store.close();
});
