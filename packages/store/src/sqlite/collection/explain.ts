import { longAnswer, wholeCount } from '../compile/answer.ts';
import { fieldsInIndex } from '../compile/index-only.ts';
import type { Connection } from '../engine/connection.ts';
import type { Sql } from '../engine/sql.ts';
import { type Query, type Route, routeOf } from '../plan/query.ts';

/** How a query would be answered. */
export interface Explanation {
  readonly route: Route;
  /** Whether an index alone has all that is returned, so that no document is read but for values that it does not tell apart. */
  readonly indexOnly: boolean;
  readonly statement: string;
  /** The lines of SQLite's EXPLAIN QUERY PLAN. */
  readonly plan: readonly string[];
}

/** How a query would be answered if its collection were large. */
export function explainQuery(connection: Connection, query: Query): Explanation {
  const { indexOnly } = query.accesses;
  const { fields = [] } = query;
  const cut = { limit: query.limit || -1, skip: query.skip };
  return explained(
    connection,
    query,
    indexOnly ? fieldsInIndex(query, indexOnly, fields, cut) : longAnswer(query),
  );
}

/** How the matches of a query would be counted if its collection were large. */
export function explainCount(connection: Connection, query: Query): Explanation {
  return explained(connection, query, wholeCount(query));
}

function explained(connection: Connection, query: Query, statement: Sql): Explanation {
  const plan = connection.all({ ...statement, text: `EXPLAIN QUERY PLAN ${statement.text}` });
  return {
    route: routeOf(query),
    indexOnly: query.accesses.indexOnly !== undefined,
    statement: statement.text,
    plan: plan.map((row) => String(row[3])),
  };
}
