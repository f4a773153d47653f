import { longAnswer } from '../compile/answer.ts';
import { fieldsInIndex } from '../compile/index-only.ts';
import type { Connection } from '../engine/connection.ts';
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
  const statement = indexOnly ? fieldsInIndex(query, indexOnly, fields, cut) : longAnswer(query);
  const plan = connection.all({ ...statement, text: `EXPLAIN QUERY PLAN ${statement.text}` });
  return {
    route: routeOf(query),
    indexOnly: indexOnly !== undefined,
    statement: statement.text,
    plan: plan.map((row) => String(row[3])),
  };
}
