import type { Totals } from '../../port/collection.ts';
import { amountOf, walkFrom } from '../compile/positions.ts';
import { walk } from '../compile/walk.ts';
import type { Connection } from '../engine/connection.ts';
import { concat, type Sql } from '../engine/sql.ts';
import type { Access, Bound } from '../plan/access.ts';
import { cachedPlan } from '../plan/cached-plan.ts';
import { partOf, type Query, withConditions } from '../plan/query.ts';
import type { PositionView } from '../views/position-view.ts';
import type { Views } from '../views/views.ts';
import { readTally } from './kept-counts.ts';

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

/** The number of entries in a range of an index, see `totalsByPositions`. */
export function countByPositions(
  connection: Connection,
  views: Views,
  query: Query,
  options: { readonly build: boolean },
): number | undefined {
  return totalsByPositions(connection, views, query, options)?.count;
}

/**
 * The number of entries in a range of an index, and the sum of a path that the index holds, from the known positions of the ends of the
 * range; `undefined` for another query, and while the positions are not known. The positions are those of each value of the tally for
 * itself, so that they serve every selection of values; the ranges of values with few documents are counted one by one.
 *
 * @param options `build`: whether positions that are not known will be soon; `sum`: the path that is summed up
 */
export function totalsByPositions(
  connection: Connection,
  views: Views,
  query: Query,
  { build, sum }: { readonly build: boolean; readonly sum?: string },
): Totals | undefined {
  const ranges = rangesOf(connection, query, sum);
  if (!ranges) return undefined;
  const ends: End[] = [];
  for (const ranged of ranges.many) {
    const positions = views.positions(ranged.query, ranged.access, { build, sum });
    if (positions) ends.push({ connection, ranged, positions, sum });
    else if (!build) return undefined;
  }
  if (ends.length < ranges.many.length) return undefined;
  const few = ranges.few.map(({ access, bounds }) =>
    totalsIn(connection, walk({ ...access, bounds }, [], ALL, undefined, [amountOf(access, sum)])),
  );
  return [...few, ...ends.map(totalsBetween)].reduce(plus, NOTHING);
}

const NOTHING: Totals = { count: 0, sum: 0 };

const plus = (a: Totals, b: Totals): Totals => ({ count: a.count + b.count, sum: a.sum + b.sum });

/** The totals of the amounts that a statement yields. */
function totalsIn(connection: Connection, statement: Sql): Totals {
  const [count, sum] = connection.get(concat('SELECT count(*), total(amount) FROM (', statement, ')')) ?? [];
  return { count: Number(count), sum: Number(sum) };
}

function totalsBetween(end: End): Totals {
  const { bounds } = end.ranged;
  const upper = bounds.filter(({ test }) => test.op === 'lt' || test.op === 'lte');
  const lower = bounds.filter(({ test }) => test.op === 'gt' || test.op === 'gte');
  const to = upper
    .map((bound) => totalsBefore(end, bound))
    .reduce((least, one) => (one.count < least.count ? one : least), end.positions.totals);
  const [first = nulls(end), ...others] = lower.map((bound) => totalsBefore(end, bound));
  const from = others.reduce((most, one) => (one.count > most.count ? one : most), first);
  return to.count <= from.count ? NOTHING : { count: to.count - from.count, sum: to.sum - from.sum };
}

/** The ranges of a query, one for each value of the tally that it selects, apart by whether the value has few documents. */
function rangesOf(
  connection: Connection,
  query: Query,
  sum: string | undefined,
): { readonly few: readonly Ranged[]; readonly many: readonly Ranged[] } | undefined {
  const whole = rangedBy(query, sum);
  const part = partOf(query);
  if (!whole || !query.layout.tally || part?.test.op !== 'in') return whole && { few: [], many: [whole] };
  const { test } = part;
  const tally = readTally(connection, query.layout.tally.table);
  const few: Ranged[] = [];
  const many: Ranged[] = [];
  for (const value of test.values) {
    const alone = { ...part, test: { ...test, values: [value] } };
    const conditions = query.conditions.map((one) => (one === part ? alone : one));
    const ranged = rangedBy(withConditions(query, conditions), sum);
    if (!ranged) return undefined;
    const isFew = (tally.get(String(value)) ?? 0) <= FEW * query.limits.tested;
    (isFew ? few : many).push(ranged);
  }
  return { few, many };
}

function rangedBy(query: Query, sum: string | undefined): Ranged | undefined {
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
  const whole = { ...query, ...wanted, accesses: cachedPlan(layout, wanted), skip: 0, limit: 0 };
  const { ordered } = whole.accesses;
  if (!ordered || ordered.residual.length > 0 || ordered.index.sparse) return undefined;
  const isHeld = sum === undefined || ordered.index.keys.some((key) => key.path === sum && !key.perElement);
  if (!isHeld) return undefined;
  return { query: whole, access: ordered, bounds: narrowest.bounds };
}

interface End {
  readonly connection: Connection;
  readonly ranged: Ranged;
  readonly positions: PositionView;
  readonly sum: string | undefined;
}

/** The totals of the entries before the end of a range. */
function totalsBefore({ connection, ranged, positions, sum }: End, { key, test }: Bound): Totals {
  if (test.op === 'in' || test.op === 'exists') throw new Error('Not a bound');
  const isAfter = test.op === 'lte' || test.op === 'gt';
  const { from, ...before } = positions.before([test.value, isAfter ? AFTER_ALL_IDS : '']);
  const bound: Bound = { key, test: { op: isAfter ? 'lte' : 'lt', value: test.value } };
  const part = { ...ranged.access, ordered: false, exploded: false, bounds: [bound] };
  const rest = walkFrom(part, ranged.query.sort, from ?? [null, ''], ALL, [amountOf(part, sum)]);
  return plus(before, totalsIn(connection, rest));
}

/** The totals of the entries without a value. */
function nulls({ connection, ranged, positions, sum }: End): Totals {
  const { from, ...before } = positions.before([null, AFTER_ALL_IDS]);
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
  return plus(before, totalsIn(connection, walk(part, [], ALL, undefined, [amountOf(part, sum)])));
}
