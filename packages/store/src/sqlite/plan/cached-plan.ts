import { LRUCache } from 'lru-cache';
import type { IndexLayout, Layout } from '../layout/layout.ts';
import type { Access, Accesses } from './access.ts';
import { accessBy, MAX_BRANCHES } from './access-by-index.ts';
import { chooseAccess, type Wanted } from './choose-access.ts';
import { branchesOf, type Condition } from './condition.ts';
import { impliedBounds } from './implied-bounds.ts';

/** The most shapes of queries that are remembered of a collection: more than a service has. */
const MAX_SHAPES = 200;

type Choice = { readonly [K in Exclude<keyof Accesses, 'sortable'>]: IndexLayout | undefined } & {
  readonly sortable: readonly IndexLayout[];
};

const choices = new WeakMap<Layout, LRUCache<string, Choice>>();

/**
 * Chooses the access paths of a query, as `chooseAccess` does. Weighs all indexes only for the first query of a shape; for
 * the others it makes the access paths through the same indexes, with their own values.
 */
export function cachedPlan(layout: Layout, wanted: Wanted): Accesses {
  const { conditions, sort } = wanted;
  const known = choices.get(layout) ?? new LRUCache<string, Choice>({ max: MAX_SHAPES });
  choices.set(layout, known);
  const implied = conditions.flatMap(impliedBounds);
  const shape = shapeOf(wanted, implied);
  const choice = known.get(shape);
  if (!choice) {
    const accesses = chooseAccess(layout, wanted);
    known.set(shape, indexesOf(accesses));
    return accesses;
  }
  const made = new Map<IndexLayout, Access | undefined>();
  const through = (index: IndexLayout | undefined) => {
    if (!index) return undefined;
    if (!made.has(index)) made.set(index, accessBy(index, conditions, implied, sort));
    return made.get(index);
  };
  return {
    narrowest: through(choice.narrowest),
    counted: through(choice.counted),
    ordered: through(choice.ordered),
    covered: through(choice.covered),
    tested: through(choice.tested),
    sortable: choice.sortable.map(through).filter((access) => access !== undefined),
    indexOnly: through(choice.indexOnly),
  };
}

function indexesOf({ narrowest, counted, ordered, covered, tested, sortable, indexOnly }: Accesses): Choice {
  return {
    narrowest: narrowest?.index,
    counted: counted?.index,
    ordered: ordered?.index,
    covered: covered?.index,
    tested: tested?.index,
    sortable: sortable.map(({ index }) => index),
    indexOnly: indexOnly?.index,
  };
}

/** All of a query that the choice of its indexes depends on; of values that is only how many there are. */
function shapeOf({ conditions, sort, fields }: Wanted, implied: readonly Condition[]): string {
  let shape = shapeOfAll(conditions);
  if (implied.length > 0) shape += `>${shapeOfAll(implied)}`;
  for (const { path, descending } of sort) shape += descending ? `-${path}` : `+${path}`;
  if (fields) shape += `=${fields.join()}`;
  return shape;
}

function shapeOfAll(conditions: readonly Condition[]): string {
  let shape = '';
  for (const condition of conditions) shape += `${shapeOfOne(condition)};`;
  return shape;
}

function shapeOfOne(condition: Condition): string {
  switch (condition.kind) {
    case 'test': {
      const { path, test } = condition;
      if (test.op !== 'in') return `${path} ${test.op}`;
      return `${path} ${Math.min(branchesOf(test), MAX_BRANCHES + 1)}${test.orNull ? '?' : ''}`;
    }
    case 'element':
      return `${condition.path}[${shapeOfAll(condition.conditions)}]`;
    case 'contains':
      return 'contains';
    case 'not':
      return `not(${shapeOfOne(condition.condition)})`;
    default:
      return `${condition.kind}(${shapeOfAll(condition.conditions)})`;
  }
}
