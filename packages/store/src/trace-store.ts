import { endWith, overriding, type SpanDescription, type Tracing } from '@steward/kernel';
import type {
  BulkOperation,
  BulkOptions,
  Collection,
  FindCursor,
  FindOneAndUpdateOptions,
  FindOptions,
  GroupOptions,
  UpdateById,
  WriteOptions,
} from './port/collection.ts';
import type { Doc } from './port/declaration.ts';
import type { Filter, PathOf } from './port/filter.ts';
import type { Store } from './port/store.ts';
import type { Update } from './port/update.ts';

/**
 * A store whose operations are recorded as spans below the span of the work that needs them. They say which operation and
 * which collection, never the filter or the documents.
 *
 * @param system the name of the engine in OpenTelemetry's conventions
 */
export function traceStore<S extends Store>(store: S, system: 'sqlite' | 'mongodb', tracing: Tracing): S {
  const traced: Pick<Store, 'collection'> = {
    collection: async (declaration) =>
      new TracedCollection(await store.collection(declaration), declaration.name, system, tracing),
  };
  return overriding<Store>(store, traced) as S;
}

/** A collection whose operations are recorded. */
class TracedCollection<T extends Doc> implements Collection<T> {
  readonly #inner: Collection<T>;
  readonly #name: string;
  readonly #system: string;
  readonly #tracing: Tracing;
  readonly #descriptions = new Map<string, SpanDescription>();

  constructor(inner: Collection<T>, name: string, system: string, tracing: Tracing) {
    this.#inner = inner;
    this.#name = name;
    this.#system = system;
    this.#tracing = tracing;
  }

  findOne(filter: Filter<T>, options?: Pick<FindOptions<T>, 'projection' | 'sort'>) {
    return this.#record('findOne', () => this.#inner.findOne(filter, options));
  }

  find(filter: Filter<T>, options?: FindOptions<T>): FindCursor<T> {
    const cursor = this.#inner.find(filter, options);
    return {
      toArray: () => this.#record('find', () => cursor.toArray()),
      [Symbol.asyncIterator]: () => this.#iterate(cursor),
    };
  }

  countDocuments(filter: Filter<T>) {
    return this.#record('countDocuments', () => this.#inner.countDocuments(filter));
  }

  insertOne(document: T, options?: WriteOptions) {
    return this.#record('insertOne', () => this.#inner.insertOne(document, options));
  }

  insertMany(documents: readonly T[], options?: BulkOptions) {
    return this.#record('insertMany', () => this.#inner.insertMany(documents, options));
  }

  updateOne(filter: Filter<T>, update: Update<T>, options?: WriteOptions & { readonly upsert?: boolean }) {
    return this.#record('updateOne', () => this.#inner.updateOne(filter, update, options));
  }

  updateMany(filter: Filter<T>, update: Update<T>, options?: WriteOptions) {
    return this.#record('updateMany', () => this.#inner.updateMany(filter, update, options));
  }

  findOneAndUpdate(filter: Filter<T>, update: Update<T>, options?: FindOneAndUpdateOptions<T>) {
    return this.#record('findOneAndUpdate', () => this.#inner.findOneAndUpdate(filter, update, options));
  }

  insertion(documents: readonly T[]) {
    return this.#inner.insertion(documents);
  }

  alteration(updates: readonly UpdateById<T>[]) {
    return this.#inner.alteration(updates);
  }

  deleteOne(filter: Filter<T>, options?: WriteOptions) {
    return this.#record('deleteOne', () => this.#inner.deleteOne(filter, options));
  }

  deleteMany(filter: Filter<T>, options?: WriteOptions) {
    return this.#record('deleteMany', () => this.#inner.deleteMany(filter, options));
  }

  bulkWrite(operations: readonly BulkOperation<T>[], options?: BulkOptions) {
    return this.#record('bulkWrite', () => this.#inner.bulkWrite(operations, options));
  }

  groups(filter: Filter<T>, options: GroupOptions<T>) {
    return this.#record('groups', () => this.#inner.groups(filter, options));
  }

  totals(filter: Filter<T>, sum: PathOf<T, number>) {
    return this.#record('totals', () => this.#inner.totals(filter, sum));
  }

  tally() {
    return this.#record('tally', () => this.#inner.tally());
  }

  misfiled(ids: readonly string[]) {
    return this.#record('misfiled', () => this.#inner.misfiled(ids));
  }

  revision() {
    return this.#inner.revision();
  }

  #record<R>(operation: string, work: () => Promise<R>): Promise<R> {
    const span = this.#tracing.child(this.#describe(operation));
    return span ? endWith(span, work) : work();
  }

  /** The span lasts until the last document is read. */
  async *#iterate(cursor: FindCursor<T>): AsyncGenerator<T> {
    const span = this.#tracing.child(this.#describe('find'));
    try {
      yield* cursor;
    } catch (error) {
      span?.fail(error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span?.end();
    }
  }

  #describe(operation: string): SpanDescription {
    const known = this.#descriptions.get(operation);
    if (known) return known;
    const attributes = {
      'db.system.name': this.#system,
      'db.collection.name': this.#name,
      'db.operation.name': operation,
    };
    const description = { name: `${operation} ${this.#name}`, kind: 'client', attributes } as const;
    this.#descriptions.set(operation, description);
    return description;
  }
}
