import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyFilter } from '../../contract/any-filter.ts';
import { things } from '../../contract/thing.ts';
import { layOut } from '../layout/layout.ts';
import { cachedPlan } from './cached-plan.ts';
import { chooseAccess } from './choose-access.ts';
import { parseFilter } from './parse-filter.ts';

const layout = layOut(things);
const sorts = fc.constantFrom([], ['name', '_id'], ['rank'], ['_id'], ['tags']);
const projections = fc.constantFrom(undefined, ['_id'], ['_id', 'name'], ['rank']);

it('chooses for each query what it would choose without those before it', () => {
  const property = fc.property(
    anyFilter,
    sorts,
    fc.boolean(),
    projections,
    (filter, paths, descending, fields) => {
      const sort = paths.map((path) => ({ path, descending }));
      const wanted = { conditions: parseFilter(filter), sort, fields };
      expect(cachedPlan(layout, wanted)).toEqual(chooseAccess(layout, wanted));
    },
  );
  fc.assert(property, { numRuns: 3_000 });
});
