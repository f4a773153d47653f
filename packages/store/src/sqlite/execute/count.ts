import { amongAnswer, countOf, wholeCount } from '../compile/answer.ts';
import { coveredFilter, walk } from '../compile/walk.ts';
import type { Connection } from '../engine/connection.ts';
import { narrows } from '../plan/access.ts';
import { type Query, searchesValues } from '../plan/query.ts';
import { isSearch, type Views } from '../views/views.ts';
import { countByPositions } from './count-by-positions.ts';
import { countByTally, countByValues, withValues } from './kept-counts.ts';
import { hasFew, isSmall } from './locate.ts';
import { selectNumber } from './run.ts';
import { searchCandidates } from './search-index.ts';

/** The number of documents that match a query, if a few milliseconds are enough to count them; else `undefined`. */
export function count(connection: Connection, views: Views, query: Query): number | undefined {
  const kept =
    countByTally(connection, query) ??
    views.count(query) ??
    countByPositions(connection, views, query, { build: false });
  if (kept !== undefined) return kept;
  const counted = countNow(connection, query);
  // The next ranges of the same entries are counted by their positions.
  if (counted === undefined || counted > query.limits.tested) {
    countByPositions(connection, views, query, { build: true });
  }
  if (counted === undefined) return undefined;
  if (isSearch(query) || counted > query.limits.counted) views.keepCount(query, counted);
  return counted;
}

function countNow(connection: Connection, original: Query): number | undefined {
  const byValues = countByValues(connection, original);
  if (byValues !== undefined) return byValues;
  const query = searchesValues(original) ? withValues(connection, original) : original;
  if (query !== original) {
    const left = countByTally(connection, query) ?? countByValues(connection, query);
    if (left !== undefined) return left;
  }
  const { limits, accesses } = query;
  const { narrowest } = accesses;
  if (narrowest?.residual.length === 0) {
    const most = narrowest.repeats ? limits.results : limits.entries;
    const counted = selectNumber(connection, countOf(walk(narrowest, [], { limit: most + 1, skip: 0 })));
    return counted <= most ? counted : undefined;
  }
  for (const most of [limits.tested, limits.entries]) {
    const few = accesses.sortable.find((access) => hasFew(connection, access, most));
    if (few)
      return selectNumber(connection, countOf(walk(few, [], { limit: -1, skip: 0 }, coveredFilter(few))));
  }
  if (isSmall(connection, query)) return selectNumber(connection, wholeCount(query));
  const searched = searchCandidates(connection, query);
  if (searched) return selectNumber(connection, countOf(amongAnswer(query, searched)));
  if (narrowest && narrows(narrowest) && hasFew(connection, narrowest, limits.candidates))
    return selectNumber(connection, wholeCount(query));
  return undefined;
}
