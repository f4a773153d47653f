import { countOf } from '../compile/answer.ts';
import { walkFrom } from '../compile/positions.ts';
import { walk } from '../compile/walk.ts';
import type { Connection } from '../engine/connection.ts';
import type { Access, Bound } from '../plan/access.ts';
import type { Query } from '../plan/query.ts';
import { recallAccess } from '../plan/recall-access.ts';
import type { PositionView } from '../views/position-view.ts';
import type { Views } from '../views/views.ts';
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

/**
 * The number of entries in a range of an index, from the known positions of its ends; `undefined` for another query, and while
 * the positions are not known.
 */
export function countByPositions(connection: Connection, views: Views, query: Query): number | undefined {
  const ranged = rangedBy(query);
  const positions = ranged && views.positions(ranged.query, ranged.access, { build: false });
  if (!positions) return undefined;
  const end = { connection, ranged, positions };
  const upper = ranged.bounds.filter(({ test }) => test.op === 'lt' || test.op === 'lte');
  const lower = ranged.bounds.filter(({ test }) => test.op === 'gt' || test.op === 'gte');
  const to = Math.min(...upper.map((bound) => positionOf(end, bound)), positions.total);
  const from = lower.length > 0 ? Math.max(...lower.map((bound) => positionOf(end, bound))) : nulls(end);
  return Math.max(0, to - from);
}

/** Makes the positions known with which the next queries for other ranges of the same entries are counted. */
export function buildPositions(views: Views, query: Query): void {
  const ranged = rangedBy(query);
  if (ranged) views.positions(ranged.query, ranged.access);
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
