import type { Totals } from '../../port/collection.ts';
import type { Connection } from '../engine/connection.ts';
import type { Query } from '../plan/query.ts';
import type { Views } from '../views/views.ts';
import { totalsByPositions } from './count-by-positions.ts';

/**
 * The number of documents that match a query, and the sum of a path of them: from positions where it selects a range, else by the
 * reader, unless a view has them.
 */
export async function totals(
  connection: Connection,
  views: Views,
  query: Query,
  sum: string,
): Promise<Totals> {
  const known = totalsByPositions(connection, views, query, { build: false, sum });
  if (known) return known;
  const counted = await views.totalsLong(query, sum);
  // The next ranges of the same entries are counted by their positions.
  if (counted.count > query.limits.tested) {
    totalsByPositions(connection, views, query, { build: true, sum });
  }
  return counted;
}
