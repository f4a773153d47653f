import { expect, it } from 'vitest';
import { declareCollection } from '../../port/declaration.ts';
import { RecentResults } from '../engine/recent-results.ts';
import { layOut } from '../layout/layout.ts';
import { prepareQuery } from '../plan/query.ts';
import { cachedRows } from './cached-results.ts';
import type { Engine } from './engine.ts';

const layout = layOut(
  declareCollection<{ readonly _id: string; readonly group: string }>({
    name: 'test.things',
    shardKey: '_id',
    indexes: [{ name: 'by_group', keys: [['group', 1]] }],
  }),
);

/** The number of statements that answer a query four times. */
function statementsFor(options: { readonly sort?: object; readonly limit: number }): number {
  let statements = 0;
  const all = () => {
    statements++;
    return [[7]];
  };
  const revision = { number: 1 };
  const engine = {
    connection: { all },
    results: new RecentResults(),
    revision: () => revision,
    views: () => undefined,
  };
  for (let n = 0; n < 4; n++) {
    expect(cachedRows(engine as unknown as Engine, prepareQuery(layout, { group: 'g' }, options))).toEqual([
      7,
    ]);
  }
  return statements;
}

it('reads a list twice, and a look-up each time', () => {
  expect(statementsFor({ sort: { _id: 1 }, limit: 10 })).toBe(2);
  expect(statementsFor({ limit: 10 })).toBe(4);
});
