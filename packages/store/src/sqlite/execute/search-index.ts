import type { Connection } from '../engine/connection.ts';
import { type Sql, sql } from '../engine/sql.ts';
import type { Query } from '../plan/query.ts';
import { searchedTrigrams } from '../plan/trigrams.ts';
import { selectColumn } from './run.ts';

/** The number of trigrams that are looked up first: those that the fewest documents seem to have. */
const RARE_TRIGRAMS = 4;
/** The most trigrams that are judged; neighbours are about equally rare, and each costs a look-up. */
const JUDGED_TRIGRAMS = 8;
/** The match of a trigram whose position tells how rare the trigram is. */
const JUDGED_MATCH = 32;

/** The candidates that the search index finds for the terms of a query, and the rows that it lacks, if they are few. */
export function searchCandidates(connection: Connection, query: Query): readonly number[] | undefined {
  const { layout, limits } = query;
  const trigrams = searchedTrigrams(layout, query.conditions);
  if (!trigrams || !layout.search) return undefined;
  const { table, unsearched } = layout.search;
  // A trigram that nearly all documents have costs time and excludes none of them.
  const rare = trigrams.length > RARE_TRIGRAMS ? rarest(connection, table, trigrams) : [];
  for (const some of rare.length > 0 ? [rare, trigrams] : [trigrams]) {
    const found = selectColumn(connection, matching(table, some, limits.candidates + 1));
    if (found.length <= limits.candidates) {
      return [...found, ...selectColumn(connection, sql(`SELECT n FROM ${unsearched}`))];
    }
  }
  return undefined;
}

/** The rarest trigrams, judged by how far apart the first documents are that have them. */
function rarest(connection: Connection, table: string, trigrams: readonly string[]): readonly string[] {
  const step = Math.ceil(trigrams.length / JUDGED_TRIGRAMS);
  const some = trigrams.filter((_, i) => i % step === 0);
  const judged = some.map((trigram) => {
    const [row] = selectColumn(connection, matching(table, [trigram], 1, JUDGED_MATCH));
    return { trigram, row: row ?? Number.POSITIVE_INFINITY };
  });
  judged.sort((a, b) => (a.row < b.row ? 1 : -1));
  return judged.slice(0, RARE_TRIGRAMS).map(({ trigram }) => trigram);
}

/** The rows that have all of these trigrams. */
function matching(table: string, trigrams: readonly string[], limit: number, skip = 0): Sql {
  const match = trigrams.join(' AND ');
  return sql(`SELECT rowid AS n FROM ${table} WHERE ${table} MATCH ? LIMIT ? OFFSET ?`, match, limit, skip);
}
