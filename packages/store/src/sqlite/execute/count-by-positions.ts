import { countOf } from '../compile/answer.ts';
import { walkFrom } from '../compile/positions.ts';
import { walk } from '../compile/walk.ts';
import type { Connection } from '../engine/connection.ts';
import type { Access, Bound } from '../plan/access.ts';
import { partOf, type Query, withConditions } from '../plan/query.ts';
import { recallAccess } from '../plan/recall-access.ts';
import type { PositionView } from '../views/position-view.ts';
import type { Views } from '../views/views.ts';
import { readTally } from './kept-counts.ts';
import { number } from './run.ts';

/** Walks an access path to its end. */
const ALL = { limit: -1, skip: 0 };

/** Follows every id. */
const AFTER_ALL_IDS = '\u{10FFFF}';

/** The entries of which a query selects a range: in the order of the bounded key, with those that have no value first. */
interface Ranged {
  readonly query: Query;
  readonly access: Access;
  readonly bounds: readonly Bound[];
}

/** The part of `limits.tested` that the documents of one value of the tally may be for their ranges to be counted one by one. */
const FEW = 1 / 4;

/**
 * The number of entries in a range of an index, from the known positions of its ends; `undefined` for another query, and while
 * the positions are not known. The positions are those of each value of the tally for itself, so that they serve every
 * selection of values; the ranges of values with few documents are counted one by one.
 *
 * @param options `build`: whether positions that are not known will be soon
 */
export function countByPositions(
  connection: Connection,
  views: Views,
  query: Query,
  { build }: { readonly build: boolean },
): number | undefined {
  const ranges = rangesOf(connection, query);
  if (!ranges) return undefined;
  const ends: End[] = [];
  for (const ranged of ranges.many) {
    const positions = views.positions(ranged.query, ranged.access, { build });
    if (positions) ends.push({ connection, ranged, positions });
    else if (!build) return undefined;
  }
  if (ends.length < ranges.many.length) return undefined;
  const few = ranges.few.map(({ access, bounds }) =>
    number(connection, countOf(walk({ ...access, bounds }, [], ALL))),
  );
  return [...few, ...ends.map(countBetween)].reduce((sum, one) => sum + one, 0);
}

function countBetween(end: End): number {
  const { bounds } = end.ranged;
  const upper = bounds.filter(({ test }) => test.op === 'lt' || test.op === 'lte');
  const lower = bounds.filter(({ test }) => test.op === 'gt' || test.op === 'gte');
  const to = Math.min(...upper.map((bound) => positionOf(end, bound)), end.positions.total);
  const from = lower.length > 0 ? Math.max(...lower.map((bound) => positionOf(end, bound))) : nulls(end);
  return Math.max(0, to - from);
}

/** The ranges of a query, one for each value of the tally that it selects, apart by whether the value has few documents. */
function rangesOf(
  connection: Connection,
  query: Query,
): { readonly few: readonly Ranged[]; readonly many: readonly Ranged[] } | undefined {
  const whole = rangedBy(query);
  const part = partOf(query);
  if (!whole || !query.layout.tally || part?.test.op !== 'in') return whole && { few: [], many: [whole] };
  const { test } = part;
  const tally = readTally(connection, query.layout.tally.table);
  const few: Ranged[] = [];
  const many: Ranged[] = [];
  for (const value of test.values) {
    const alone = { ...part, test: { ...test, values: [value] } };
    const conditions = query.conditions.map((one) => (one === part ? alone : one));
    const ranged = rangedBy(withConditions(query, conditions));
    if (!ranged) return undefined;
    const isFew = (tally.get(String(value)) ?? 0) <= FEW * query.limits.tested;
    (isFew ? few : many).push(ranged);
  }
  return { few, many };
}

function rangedBy(query: Query): Ranged | undefined {
  const { layout, conditions, accesses } = query;
  const { narrowest } = accesses;
  if (!narrowest || narrowest.residual.length > 0 || narrowest.index.array !== undefined) return undefined;
  const [first] = narrowest.bounds;
  if (!first || first.key.path === '_id') return undefined;
  const { path } = first.key;
  const isBound = (test: Bound['test']) => test.op !== 'in' && test.op !== 'exists';
  if (!narrowest.bounds.every(({ test }) => isBound(test))) return undefined;
  const others = conditions.filter((condition) => condition.kind !== 'test' || condition.path !== path);
  const sort = [path, '_id'].map((key) => ({ path: key, descending: false }));
  const wanted = { conditions: others, sort, fields: undefined };
  const whole = { ...query, ...wanted, accesses: recallAccess(layout, wanted), skip: 0, limit: 0 };
  const { ordered } = whole.accesses;
  if (!ordered || ordered.residual.length > 0 || ordered.index.sparse) return undefined;
  return { query: whole, access: ordered, bounds: narrowest.bounds };
}

interface End {
  readonly connection: Connection;
  readonly ranged: Ranged;
  readonly positions: PositionView;
}

/** The number of entries before the end of a range. */
function positionOf({ connection, ranged, positions }: End, { key, test }: Bound): number {
  if (test.op === 'in' || test.op === 'exists') throw new Error('Not a bound');
  const isAfter = test.op === 'lte' || test.op === 'gt';
  const { from, count } = positions.before([test.value, isAfter ? AFTER_ALL_IDS : '']);
  const bound: Bound = { key, test: { op: isAfter ? 'lte' : 'lt', value: test.value } };
  const part = { ...ranged.access, ordered: false, exploded: false, bounds: [bound] };
  return count + number(connection, countOf(walkFrom(part, ranged.query.sort, from ?? [null, ''], ALL)));
}

/** The number of entries without a value. */
function nulls({ connection, ranged, positions }: End): number {
  const { from, count } = positions.before([null, AFTER_ALL_IDS]);
  const { access, bounds } = ranged;
  const key = bounds[0]?.key;
  const id = access.index.keys.find(({ path }) => path === '_id');
  if (!key || !id) throw new Error('No key');
  const part: Access = {
    ...access,
    ordered: false,
    exploded: false,
    equalities: [...access.equalities, { key, test: { op: 'in', values: [], orNull: true } }],
    bounds: [{ key: id, test: { op: 'gte', value: String(from?.[1] ?? '') } }],
  };
  return count + number(connection, countOf(walk(part, [], ALL)));
}
