import { amongAnswer, countOf, wholeCount } from '../compile/answer.ts';
import { walk } from '../compile/walk.ts';
import type { Connection } from '../engine/connection.ts';
import { narrows } from '../plan/access.ts';
import { type Query, searchesValues } from '../plan/query.ts';
import type { Views } from '../views/views.ts';
import { countByTally, countByValues, withValues } from './kept-counts.ts';
import { hasFew, isSmall } from './locate.ts';
import { number } from './run.ts';
import { searchCandidates } from './search-index.ts';

/** The number of documents that match a query, if a few milliseconds are enough to count them; else `undefined`. */
export function count(connection: Connection, views: Views, original: Query): number | undefined {
  const kept =
    countByTally(connection, original) ?? views.count(original) ?? countByValues(connection, original);
  if (kept !== undefined) return kept;
  const query = searchesValues(original) ? withValues(connection, original) : original;
  if (query !== original) {
    const left = countByTally(connection, query) ?? countByValues(connection, query);
    if (left !== undefined) return left;
  }
  const { limits, accesses } = query;
  const { narrowest } = accesses;
  if (narrowest?.residual.length === 0) {
    const most = narrowest.repeats ? limits.results : limits.entries;
    const counted = number(connection, countOf(walk(narrowest, [], { limit: most + 1, skip: 0 })));
    if (counted > most) return undefined;
    if (counted > limits.counted) views.keepCount(query, counted);
    return counted;
  }
  if (isSmall(connection, query)) return number(connection, wholeCount(query));
  const searched = searchCandidates(connection, query);
  if (searched) return number(connection, countOf(amongAnswer(query, searched)));
  if (narrowest && narrows(narrowest) && hasFew(connection, narrowest, limits.candidates))
    return number(connection, wholeCount(query));
  return undefined;
}
