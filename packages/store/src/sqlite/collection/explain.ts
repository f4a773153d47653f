import { longAnswer } from '../compile/answer.ts';
import type { Connection } from '../engine/connection.ts';
import { type Query, type Route, routeOf } from '../plan/query.ts';

/** How a query would be answered. */
export interface Explanation {
  readonly route: Route;
  readonly statement: string;
  /** The lines of SQLite's EXPLAIN QUERY PLAN. */
  readonly plan: readonly string[];
}

/** How a query would be answered if its collection were large. */
export function explainQuery(connection: Connection, query: Query): Explanation {
  const statement = longAnswer(query);
  const plan = connection.all({ ...statement, text: `EXPLAIN QUERY PLAN ${statement.text}` });
  return { route: routeOf(query), statement: statement.text, plan: plan.map((row) => String(row[3])) };
}
