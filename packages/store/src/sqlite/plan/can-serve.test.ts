import fc from 'fast-check';
import { expect, it } from 'vitest';
import { things } from '../../contract/thing.ts';
import { layOut } from '../layout/layout.ts';
import { accessBy } from './access-by-index.ts';
import { canServe } from './can-serve.ts';
import { impliedBounds } from './implied-bounds.ts';
import { parseFilter } from './parse-filter.ts';

const layout = layOut(things);
const paths = [
  '_id',
  'group',
  'name',
  'rank',
  'flag',
  'count',
  'note',
  'seen.at',
  'code',
  'tags',
  'parts.key',
];
const tested = fc.constantFrom<unknown>(
  'x',
  null,
  { $gt: 'a' },
  { $in: ['x', null] },
  { $ne: 'x' },
  { $exists: true },
);
const elements = fc.constantFrom({ kind: 'x' }, { size: { $gt: 1 } }, { kind: 'x', size: 2 });
const flat = fc.dictionary(fc.constantFrom(...paths), tested, { minKeys: 1, maxKeys: 3 });
const filters = fc.oneof(
  fc.constant({}),
  flat,
  elements.map(($elemMatch) => ({ parts: { $elemMatch } })),
  fc.tuple(flat, flat).map((both) => ({ $or: both })),
  fc.constant({ $or: [{ name: { $lt: 'm' } }, { name: 'm', _id: { $gt: 'x' } }] }),
);
const sorts = fc.uniqueArray(fc.constantFrom(...paths), { maxLength: 2 });

it('leaves out no index that narrows a query or yields its order', () => {
  const property = fc.property(filters, sorts, (filter, sorted) => {
    const conditions = parseFilter(filter);
    const implied = conditions.flatMap(impliedBounds);
    const sort = sorted.map((path) => ({ path, descending: false }));
    for (const index of layout.indexes.filter((one) => !canServe(one, conditions, implied, sort))) {
      const access = accessBy(index, conditions, implied, sort);
      expect(access?.equalities ?? []).toEqual([]);
      expect(access?.bounds ?? []).toEqual([]);
      expect(access?.ordered && sort.length > 0).not.toBe(true);
    }
  });
  fc.assert(property, { numRuns: 1_000 });
});
