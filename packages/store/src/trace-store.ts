import { endWith, type SpanDescription, type Tracing, withOverrides } from '@steward/kernel';
import { type Around, aroundCollection, type StoreOperation } from './around-collection.ts';
import type { FindCursor } from './port/collection.ts';
import type { Store } from './port/store.ts';

/**
 * A store whose operations are recorded as spans below the span of the work that needs them. They say which operation and
 * which collection, never the filter or the documents.
 *
 * @param system the name of the engine in OpenTelemetry's conventions
 */
export function traceStore<S extends Store>(store: S, system: 'sqlite' | 'mongodb', tracing: Tracing): S {
  const traced: Pick<Store, 'collection'> = {
    collection: async (declaration) =>
      aroundCollection(await store.collection(declaration), recording(declaration.name, system, tracing)),
  };
  return withOverrides<Store>(store, traced) as S;
}

/** Records the operations of a collection. */
function recording(collection: string, system: string, tracing: Tracing): Around {
  const descriptions = new Map<StoreOperation, SpanDescription>();
  const describe = (operation: StoreOperation): SpanDescription => {
    const known = descriptions.get(operation);
    if (known) return known;
    const attributes = {
      'db.system.name': system,
      'db.collection.name': collection,
      'db.operation.name': operation,
    };
    const description = { name: `${operation} ${collection}`, kind: 'client', attributes } as const;
    descriptions.set(operation, description);
    return description;
  };
  return {
    call(operation, _, run) {
      const span = tracing.child(describe(operation));
      return span ? endWith(span, run) : run();
    },
    /** The span lasts until the last document is read. */
    async *iterate<T>(cursor: FindCursor<T>) {
      const span = tracing.child(describe('find'));
      try {
        yield* cursor;
      } catch (error) {
        span?.fail(error instanceof Error ? error.name : 'unknown');
        throw error;
      } finally {
        span?.end();
      }
    },
  };
}
