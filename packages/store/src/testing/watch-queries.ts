import type { BulkOperation, Collection, FindOptions } from '../port/collection.ts';
import type { CollectionDeclaration, Doc } from '../port/declaration.ts';
import type { Filter } from '../port/filter.ts';
import type { Store } from '../port/store.ts';

/** A query that a caller gave to a store. */
export interface IssuedQuery {
  readonly declaration: CollectionDeclaration<Doc>;
  /** The operation of the port. */
  readonly operation: string;
  readonly filter: Filter<Doc>;
  readonly options: FindOptions<Doc> & { readonly upsert?: boolean };
}

/** A store that reports every query, and otherwise behaves as the one that it wraps. */
export function watchQueries(store: Store, onQuery: (query: IssuedQuery) => void): Store {
  return {
    capabilities: store.capabilities,
    async collection<T extends Doc>(declaration: CollectionDeclaration<T>): Promise<Collection<T>> {
      const watched = declaration as unknown as CollectionDeclaration<Doc>;
      return watchCollection(await store.collection(declaration), (operation, filter, options = {}) =>
        onQuery({ declaration: watched, operation, filter, options }),
      );
    },
    someId: (name) => store.someId(name),
    close: () => store.close(),
    healthy: () => store.healthy(),
  };
}

type Report = (operation: string, filter: Filter<Doc>, options?: IssuedQuery['options']) => void;

/** The operations that take a filter, with the place of their options. */
const OPTIONS_AT: Readonly<Record<string, number>> = {
  findOne: 1,
  find: 1,
  countDocuments: 1,
  updateOne: 2,
  updateMany: 2,
  findOneAndUpdate: 2,
  deleteOne: 1,
  deleteMany: 1,
  groups: 1,
  totals: 2,
};

function watchCollection<T extends Doc>(collection: Collection<T>, report: Report): Collection<T> {
  return new Proxy(collection, {
    get(target, name: keyof Collection<T>) {
      const method = target[name] as ((...args: unknown[]) => unknown) | undefined;
      // A promise is resolved with the collection, and asks whether it is one itself.
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        const at = OPTIONS_AT[name];
        if (at !== undefined) report(name, args[0] as Filter<Doc>, args[at] as IssuedQuery['options']);
        else if (name === 'bulkWrite') reportBulk(args[0] as readonly BulkOperation<Doc>[], report);
        else if (name === 'alteration')
          for (const { filter, upsert = false } of args[0] as Parameters<Collection<Doc>['alteration']>[0])
            report('updateOne', filter, { upsert });
        return method.apply(target, args);
      };
    },
  });
}

function reportBulk(operations: readonly BulkOperation<Doc>[], report: Report): void {
  for (const operation of operations)
    for (const [name, given] of Object.entries(operation))
      if ('filter' in given) report(name, given.filter, given);
}
