import { concat, join, type Sql, sql } from '../engine/sql.ts';
import type { IndexLayout } from '../layout/layout.ts';
import type { Access, SortKey } from '../plan/access.ts';
import { isCovered } from '../plan/access-by-index.ts';
import { branchesOf, type InTest } from '../plan/condition.ts';
import { testScalar } from './predicate.ts';

/** What a walk yields by default. */
const ROW: readonly string[] = ['n'];

/** The part of the result of a walk that is returned. */
export interface Cut {
  /** -1 for no limit. */
  readonly limit: number;
  readonly skip: number;
}

/**
 * SQL that walks an access path and yields the rows' `n`, in the order of the sort if the access path is ordered.
 *
 * @param filter a condition on columns of the index's own table
 * @param yields what is yielded instead of `n`; several ranges yield other columns after it
 * @param parts the parts of the access path that are walked, which do not overlap; all of it unless given
 */
export function walk(
  access: Access,
  sort: readonly SortKey[],
  cut: Cut,
  filter?: Sql,
  yields = ROW,
  parts: readonly Access[] = [access],
): Sql {
  const ends = sql(' LIMIT ? OFFSET ?', cut.limit, cut.skip);
  const branches = parts.flatMap(branchesOfWalk);
  if (branches.length === 0) return sql(`SELECT ${yields.join(', ')} FROM ${access.index.table} WHERE 0`);
  const sorted = access.ordered ? sort : [];
  const columns = sorted.map(({ path }) => columnIn(access.index, path));
  const { sparse, keys, table, sqlName } = access.index;
  // SQLite takes a partial index only for a query that repeats the condition of the index.
  const present = sparse && sparse.path !== keys[0]?.path ? [sql(`${sparse.column} IS NOT NULL`)] : [];
  const where = (conditions: readonly Sql[]) =>
    join([...conditions, ...present, ...(filter ? [filter] : [])], ' AND ', '1');
  const from = ` FROM ${table} INDEXED BY ${sqlName} WHERE `;
  const [only] = branches;
  if (only && branches.length === 1) {
    return concat(
      `SELECT ${access.repeats ? 'DISTINCT ' : ''}${yields.join(', ')}${from}`,
      where(only),
      orderBy(columns, sorted),
      ends,
    );
  }
  const ranges = join(
    branches.map((conditions) =>
      concat(`SELECT ${[...yields, ...columns].join(', ')}${from}`, where(conditions)),
    ),
    ' UNION ALL ',
  );
  return concat(
    `SELECT ${access.repeats ? 'DISTINCT ' : ''}${yields === ROW ? 'n' : '*'} FROM (`,
    ranges,
    orderBy(
      columns.map((_, i) => String(yields.length + i + 1)),
      sorted,
    ),
    access.repeats ? ')' : '',
    ends,
    access.repeats ? '' : ')',
  );
}

/** SQL for the residual conditions of an access path whose index holds the values that they test. */
export function coveredFilter({ index, residual }: Access): Sql {
  const tests = residual.flatMap((condition) =>
    isCovered(index, condition) ? [testScalar(columnIn(index, condition.path), condition.test)] : [],
  );
  return join(tests, ' AND ', '1');
}

/** An ORDER BY over columns, or nothing. */
export function orderBy(columns: readonly string[], sort: readonly SortKey[]): string {
  if (columns.length === 0) return '';
  return ` ORDER BY ${columns.map((column, i) => `${column}${sort[i]?.descending ? ' DESC' : ''}`).join(', ')}`;
}

/** The conditions of each range of a walk. */
function branchesOfWalk({ equalities, bounds, exploded }: Access): Sql[][] {
  const ranges = bounds.map(({ key, test }) => testScalar(key.column, test));
  let branches: Sql[][] = [[]];
  for (const { key, test } of equalities) {
    const alternatives = exploded ? singles(test) : branchesOf(test) === 0 ? [] : [test];
    branches = branches.flatMap((branch) =>
      alternatives.map((one) => [...branch, testScalar(key.column, one)]),
    );
  }
  return branches.map((branch) => [...branch, ...ranges]);
}

function singles(test: InTest): InTest[] {
  const values = test.values.map((value) => ({ op: 'in' as const, values: [value], orNull: false }));
  return test.orNull ? [...values, { op: 'in', values: [], orNull: true }] : values;
}

/** The column that holds a path in the table of an index. */
export const columnIn = (index: IndexLayout, path: string): string =>
  index.keys.find((key) => key.path === path)?.column ?? 'id';
