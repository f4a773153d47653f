import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyFilter, PATHS } from '../../contract/any-filter.ts';
import { things } from '../../contract/thing.ts';
import { layOut } from '../layout/layout.ts';
import { accessBy } from './access-by-index.ts';
import { canServe } from './can-serve.ts';
import { impliedBounds } from './implied-bounds.ts';
import { parseFilter } from './parse-filter.ts';

const layout = layOut(things);
const sorts = fc.uniqueArray(fc.constantFrom(...PATHS), { maxLength: 2 });

it('leaves out no index that narrows a query or yields its order', () => {
  const property = fc.property(anyFilter, sorts, (filter, sorted) => {
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
