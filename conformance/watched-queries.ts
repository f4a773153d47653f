import { shardedCollections } from '@steward/all-in-one';
import type { Store } from '@steward/store';
import { type IssuedQuery, routeOf, watchQueries } from '@steward/store/testing';

/**
 * Queries of which every shard of a cluster returns any number of documents, with the reason why that is acceptable.
 */
const UNLIMITED: ReadonlyMap<string, string> = new Map([
  ['media.usage find facet', 'the statistics of a period follow the users with a cursor'],
  ['media.usage find facet $contains', 'the statistics of a period follow the users with a cursor'],
  ['media.media find $and', 'the deletion of media by date follows with a cursor what it deletes'],
]);

/**
 * Watches the queries of a server. On a sharded cluster each must reach one shard, or be answered by few documents or numbers
 * of every shard, and every collection must be known to the command that distributes them.
 */
export class WatchedQueries {
  readonly #violations = new Set<string>();

  /** A store whose queries are watched. */
  watch(store: Store): Store {
    return watchQueries(store, (query) => this.#inspect(query));
  }

  /** @throws Error when there was a query that a sharded cluster would refuse, or carry out without a bound */
  check(): void {
    if (this.#violations.size > 0)
      throw new Error(`On a sharded cluster:\n${[...this.#violations].join('\n')}`);
  }

  #inspect(query: IssuedQuery): void {
    const { name, shardKey } = query.declaration;
    if (shardKey !== null && !shardedCollections.some((known) => known.name === name))
      this.#violations.add(`${name} is not in shardedCollections`);
    const route = routeOf(query);
    if (route !== 'refused' && route !== 'all, any number') return;
    const shape = `${name} ${query.operation} ${Object.keys(query.filter).join(' ')}`;
    if (route === 'refused' || !UNLIMITED.has(shape)) this.#violations.add(`${shape}: ${route}`);
  }
}
