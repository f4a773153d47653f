import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matcherOf } from './matcher.ts';
import { PositionView } from './position-view.ts';
import { compareScalars, type Scalar, type Scalars } from './scalars.ts';

const GAP = 4;
const columns = new Map([
  ['group', 0],
  ['name', 1],
  ['_id', 2],
]);
const matches = matcherOf(columns, [
  { kind: 'test', path: 'group', test: { op: 'in', values: ['a', 'b'], orNull: false } },
]);

/** The sum of the names that are numbers. */
const sumOf = (results: readonly Scalars[]) =>
  results.reduce((sum, [name]) => sum + (typeof name === 'number' ? name : 0), 0);

const row: fc.Arbitrary<Scalars> = fc.tuple(
  fc.constantFrom<Scalar>('a', 'b', 'c', null),
  fc.constantFrom<Scalar>(null, -1.5, 7, '', 'x', '\u{10000}', '\uffff'),
  fc.string({ maxLength: 2, unit: 'grapheme-ascii' }),
);
const uniqueRows = fc.uniqueArray(row, { selector: ([, , id]) => id, maxLength: 60 });

it('knows the place of every result, whatever is written', () => {
  const property = fc.property(
    uniqueRows,
    fc.array(fc.tuple(fc.nat(), fc.option(row, { nil: undefined })), { maxLength: 120 }),
    fc.constantFrom(true, false),
    (start, writes, descending) => {
      if (!matches) throw new Error('The columns decide the filter');
      const sort = [
        { path: 'name', descending },
        { path: '_id', descending: false },
      ];
      const order = (a: Scalars, b: Scalars) => {
        const byName = compareScalars(a[0] ?? null, b[0] ?? null);
        return (descending ? -byName : byName) || compareScalars(a[1] ?? null, b[1] ?? null);
      };
      const rows = [...start];
      const results = () =>
        rows
          .filter(matches)
          .map(([, name = null, id = null]) => [name, id])
          .sort(order);
      const first = results();
      const view = new PositionView({
        matches,
        sort,
        columns: [1, 2],
        gap: GAP,
        marks: first.filter((_, i) => i % GAP === 0),
        total: first.length,
        summed: {
          column: 1,
          sums: Array.from({ length: Math.ceil(first.length / GAP) }, (_, part) =>
            sumOf(first.slice(part * GAP, (part + 1) * GAP)),
          ),
        },
      });
      for (const [at, written] of writes) {
        const i = at % (rows.length + 1);
        const before = rows[i];
        const after =
          written && (before ? [written[0] ?? null, written[1] ?? null, before[2] ?? null] : written);
        if (!before && after && rows.some(([, , id]) => id === after[2])) continue;
        rows.splice(i, 1, ...(after ? [after] : []));
        view.follow({ before, after });
      }
      const expected = results();
      for (const [position, result] of expected.entries()) {
        const place = view.placeOf(position);
        const { from } = place ?? {};
        const precede = from ? expected.filter((one) => order(one, from) < 0).length : 0;
        expect(expected[precede + (place?.skip ?? 0)]).toBe(result);
        if (!view.isUneven) expect(place?.skip).toBeLessThan(16 * GAP);
      }
      expect(view.placeOf(expected.length)).toBeUndefined();
      expect(view.totals).toEqual({ count: expected.length, sum: sumOf(expected) });
      for (const result of expected) {
        const { from, count, sum } = view.before(result);
        const precede = from ? expected.filter((one) => order(one, from) < 0) : [];
        expect({ count, sum }).toEqual({ count: precede.length, sum: sumOf(precede) });
      }
    },
  );
  fc.assert(property, { numRuns: 300 });
});

it('asks to be built again when one part grows', () => {
  if (!matches) throw new Error('The columns decide the filter');
  const sort = [{ path: '_id', descending: false }];
  const view = new PositionView({ matches, sort, columns: [2], gap: GAP, marks: [], total: 0 });
  for (let i = 0; i < 64; i++) view.follow({ before: undefined, after: ['a', null, `${i}`] });
  expect(view.isUneven).toBe(false);
  view.follow({ before: undefined, after: ['a', null, 'one more'] });
  expect(view.isUneven).toBe(true);
});
