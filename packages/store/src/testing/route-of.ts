import type { IssuedQuery } from './watch-queries.ts';

/**
 * How a sharded cluster carries a query out:
 * - `one`: on one shard, or on those of the values that the query names;
 * - `all, few documents`: on all, of which each returns no more documents than the query asks for, or than one user, room or
 *   device has, or than are being worked on;
 * - `all, counted`: on all, of which each returns numbers;
 * - `all, any number`: on all, of which each returns documents without a limit;
 * - `refused`: not at all, because the cluster must know the shard of a document that it may insert.
 */
export type Route = 'one' | 'all, few documents' | 'all, counted' | 'all, any number' | 'refused';

/** The paths of which one value has few documents, however large the server is. */
const NARROW: ReadonlySet<string> = new Set([
  '_id',
  'app_id',
  'folded_id',
  'inviter',
  'key',
  'key_ring',
  'opened_by',
  'owner',
  'relates_to',
  'room_id',
  'sha256',
  'target_user_id',
  'task',
  'threepids.key',
  'txn',
  'user_id',
]);

/** The operations that return numbers. */
const COUNTING: ReadonlySet<string> = new Set(['countDocuments', 'groups', 'totals']);

/** How a sharded cluster would carry out a query, by the shard key of the declaration. */
export function routeOf({ declaration, operation, filter, options }: IssuedQuery): Route {
  const { shardKey, shardKeyOfId, indexes } = declaration;
  if (shardKey === null) return 'one';
  const tested = equalities(filter);
  if (tested.has(shardKey) || (shardKeyOfId && tested.has('_id'))) return 'one';
  if (options.upsert || operation === 'findOneAndUpdate') return 'refused';
  if (COUNTING.has(operation)) return 'all, counted';
  const isLimited = operation === 'findOne' || options.limit !== undefined;
  // A sparse index that a query walks holds what is being worked on, e.g. documents with pending effects.
  const isWork = indexes.some(({ sparse, keys }) => sparse === true && String(keys[0]?.[0]) in filter);
  if (isLimited || isWork || [...tested].some((path) => NARROW.has(path))) return 'all, few documents';
  return 'all, any number';
}

/** The paths that a filter compares with one value, or with several. */
function equalities(filter: object): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const [path, condition] of Object.entries(filter)) {
    if (path === '$and') for (const part of condition) for (const each of equalities(part)) paths.add(each);
    else if (!path.startsWith('$') && isEquality(condition)) paths.add(path);
  }
  return paths;
}

function isEquality(condition: unknown): boolean {
  return condition === null || typeof condition !== 'object' || '$in' in condition;
}
