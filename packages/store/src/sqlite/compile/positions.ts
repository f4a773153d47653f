import { concat, type Sql, sql } from '../engine/sql.ts';
import type { IndexLayout, KeyLayout } from '../layout/layout.ts';
import type { Access, Bound, Equality, SortKey } from '../plan/access.ts';
import type { Value } from '../plan/condition.ts';
import { columnIn, orderBy, walk } from './walk.ts';

/** Walks an access path to its end. */
const ALL = { limit: -1, skip: 0 };

/**
 * The statement that yields the values of the sort of every `gap`-th entry of an ordered access path, the first one included.
 *
 * @param filter a condition on the entries
 */
export function everyEntry(
  access: Access,
  sort: readonly SortKey[],
  gap: number,
  filter: Sql | undefined,
): Sql {
  const columns = sort.map(({ path }) => columnIn(access.index, path));
  const yields = columns.join(', ');
  return concat(
    `SELECT ${yields} FROM (SELECT ${yields}, row_number() OVER (${orderBy(columns, sort).trim()}) AS position FROM (`,
    walk(access, sort, ALL, filter, columns),
    sql(')) WHERE position % ? = 1', gap),
  );
}

/** The statement that yields the sum of a path over each `gap` entries of an ordered access path, whose index holds it. */
export function everySum(access: Access, sort: readonly SortKey[], gap: number, path: string): Sql {
  const columns = sort.map((key) => columnIn(access.index, key.path));
  const yields = [...columns, amountOf(access, path)];
  return concat(
    `SELECT total(amount) FROM (SELECT amount, row_number() OVER (${orderBy(columns, sort).trim()}) AS position FROM (`,
    walk(access, sort, ALL, undefined, yields),
    // A remainder, because a number that is bound divides as a real one.
    sql(')) GROUP BY position - (position - 1) % ? ORDER BY min(position)', gap),
  );
}

/** What a walk yields so that a path can be summed up; nothing is without one. */
export const amountOf = ({ index }: Access, path: string | undefined): string =>
  `${path === undefined ? 0 : columnIn(index, path)} AS amount`;

/** The statement that yields all rows of an access path that pass a filter, in any order. */
export const allEntries = (access: Access, filter: Sql | undefined): Sql =>
  walk({ ...access, ordered: false }, [], ALL, filter);

/**
 * The statement that yields the rows of an ordered access path in the order of a sort that ends with `_id`.
 *
 * @param from the values of the sort of the entry at which it begins; `undefined` for the first one
 * @param yields what is yielded instead of the rows
 */
export function walkFrom(
  access: Access,
  sort: readonly SortKey[],
  from: readonly (Value | null)[] | undefined,
  cut: { readonly limit: number; readonly skip: number },
  yields?: readonly string[],
): Sql {
  return walk(access, sort, cut, undefined, yields, from && partsFrom(access, sort, from));
}

/**
 * The parts of an access path from an entry on: those that share all values of the sort but the last one with it, and
 * for each shorter prefix those that share the prefix and have a later value.
 */
function partsFrom(access: Access, sort: readonly SortKey[], from: readonly (Value | null)[]): Access[] {
  const bound = new Set(access.equalities.map(({ key }) => key.path));
  const varying = sort.flatMap(({ path, descending }, i) =>
    bound.has(path) ? [] : [{ key: keyOf(access.index, path), descending, value: from[i] ?? null }],
  );
  return varying.flatMap(({ key, descending, value }, i): Access[] => {
    const shared = varying.slice(0, i).map((one) => equality(one.key, one.value));
    const part = (equalities: readonly Equality[], bounds: readonly Bound[]): Access => ({
      ...access,
      equalities: [...access.equalities, ...shared, ...equalities],
      // The bounds of the access path are on the first key; the entry is within them, and so is what shares its value.
      bounds: i === 0 ? [...access.bounds, ...bounds] : bounds,
    });
    if (i === varying.length - 1 && value !== null) {
      return [part([], [{ key, test: { op: descending ? 'lte' : 'gte', value } }])];
    }
    // Null precedes all values.
    if (value === null) return descending ? [] : [part([], [{ key, test: { op: 'exists' } }])];
    if (!descending) return [part([], [{ key, test: { op: 'gt', value } }])];
    const less = part([], [{ key, test: { op: 'lt', value } }]);
    return i === 0 && access.bounds.length > 0 ? [less] : [less, part([equality(key, null)], [])];
  });
}

function equality(key: KeyLayout, value: Value | null): Equality {
  return { key, test: { op: 'in', values: value === null ? [] : [value], orNull: value === null } };
}

/** The key of an index for a path; a unique index does not name `_id`, which its table has. */
const keyOf = (index: IndexLayout, path: string): KeyLayout =>
  index.keys.find((key) => key.path === path) ?? {
    path,
    column: columnIn(index, path),
    descending: false,
    perElement: false,
  };
