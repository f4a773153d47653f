import { count } from '../execute/count.ts';
import { locate } from '../execute/locate.ts';
import { readIndex } from '../execute/read-index.ts';
import type { Query } from '../plan/query.ts';
import type { Engine } from './engine.ts';

/** The length of a number, in characters. */
const NUMBER_LENGTH = 8;

/**
 * The projected fields of the documents that match a query, in order, where an index alone has them and a few milliseconds
 * are enough; else `undefined`.
 */
export function cachedFields(
  { connection, results, revision }: Engine,
  query: Query,
): readonly object[] | undefined {
  const { layout, accesses, fields } = query;
  if (!accesses.indexOnly) return undefined;
  if (!isList(query)) return readIndex(connection, query)?.values;
  const key = () => `${fields} ${keyOf(query)}`;
  return results.recall(layout.name, revision(layout.name), key, () => readIndex(connection, query));
}

/** The rows' `n` that match a query, if a few milliseconds are enough to find them; else `undefined`. */
export function cachedRows(engine: Engine, query: Query): readonly number[] | undefined {
  const { name } = query.layout;
  const find = () => locate(engine.connection, query, engine.views(name));
  // What no index decides depends on more than values of indexes.
  if (!isList(query) || query.accesses.ordered?.residual.length !== 0) return find();
  return engine.results.recall(
    name,
    engine.revision(name),
    () => keyOf(query),
    () => {
      const rows = find();
      return rows && { values: rows, length: NUMBER_LENGTH * rows.length };
    },
  );
}

/** The number of documents that match a query, if a few milliseconds are enough to count them; else `undefined`. */
export function cachedCount(engine: Engine, query: Query): number | undefined {
  const { name } = query.layout;
  const find = () => count(engine.connection, engine.views(name), query);
  if (query.accesses.narrowest?.residual.length !== 0) return find();
  const key = () => `count ${JSON.stringify(query.conditions)}`;
  const found = engine.results.recall(name, engine.revision(name), key, () => {
    const total = find();
    return total === undefined ? undefined : { values: [total], length: NUMBER_LENGTH };
  });
  return found?.[0];
}

/** Whether a query is a list, which is read again, and not a look-up, whose result would take the place of one. */
const isList = ({ sort }: Query) => sort.length > 0;

function keyOf({ conditions, sort, skip, limit }: Query): string {
  return JSON.stringify([conditions, sort, skip, limit]);
}
