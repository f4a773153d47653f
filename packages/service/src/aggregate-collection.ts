import type {
  BulkResult,
  Collection,
  Filter,
  FindCursor,
  FindOptions,
  GroupOptions,
  Groups,
  PathOf,
  StoreCapabilities,
  Totals,
  Update,
  UpdateResult,
  WriteOptions,
} from '@steward/store';
import type { Aggregate } from './aggregate.ts';

/** Gives access to the writable collection of a collection of aggregates. Not exported by the package. */
export let collectionOf: <T extends Aggregate>(aggregates: AggregateCollection<T>) => Collection<T>;

/** Whether the engine writes other documents along with a commit, see `StoreCapabilities`. Not exported by the package. */
export let writesAlong: <T extends Aggregate>(aggregates: AggregateCollection<T>) => boolean;

type Capabilities = Pick<StoreCapabilities, 'insertsAlongCommit'>;

/**
 * A collection of aggregates as a service's dependencies hold it: it has the reading methods of `Collection`, and none
 * that write. Its documents are written through `defineAggregate`, and by `insertAggregates`, `changeAggregates` and
 * `deleteAggregates`.
 */
export class AggregateCollection<T extends Aggregate> {
  readonly #collection: Collection<T>;
  readonly #capabilities: Capabilities;

  static {
    collectionOf = (aggregates) => aggregates.#collection;
    writesAlong = (aggregates) => aggregates.#capabilities.insertsAlongCommit;
  }

  constructor(collection: Collection<T>, capabilities: Capabilities) {
    this.#collection = collection;
    this.#capabilities = capabilities;
  }

  findOne(filter: Filter<T>, options?: Pick<FindOptions<T>, 'projection' | 'sort'>): Promise<T | null> {
    return this.#collection.findOne(filter, options);
  }

  find(filter: Filter<T>, options?: FindOptions<T>): FindCursor<T> {
    return this.#collection.find(filter, options);
  }

  countDocuments(filter: Filter<T>): Promise<number> {
    return this.#collection.countDocuments(filter);
  }

  groups(filter: Filter<T>, options: GroupOptions<T>): Promise<Groups> {
    return this.#collection.groups(filter, options);
  }

  totals(filter: Filter<T>, sum: PathOf<T, number>): Promise<Totals> {
    return this.#collection.totals(filter, sum);
  }

  tally(): Promise<ReadonlyMap<string, number>> {
    return this.#collection.tally();
  }
}

/** A collection of aggregates with fields that may be written without a commit. */
export class AggregateCollectionWithFields<
  T extends Aggregate,
  U extends string,
> extends AggregateCollection<T> {
  /** Writes the fields that were declared as unversioned, and no others. */
  readonly unversioned: UnversionedFields<T, U>;

  constructor(collection: Collection<T>, capabilities: Capabilities) {
    super(collection, capabilities);
    this.unversioned = unversionedFields(collection);
  }
}

/** A change of unversioned fields. */
export type FieldUpdate<T, U extends string> = Update<Pick<T, Extract<U, keyof T>>>;

/** A change of unversioned fields of one document, or of all that match. */
export type FieldOperation<T extends Aggregate, U extends string> =
  | { readonly updateOne: { readonly filter: Filter<T>; readonly update: FieldUpdate<T, U> } }
  | { readonly updateMany: { readonly filter: Filter<T>; readonly update: FieldUpdate<T, U> } };

/**
 * Writes fields on which no decision depends. It does not change the version, so that it never makes a commit fail;
 * each method means the same as the method of `Collection` with its name.
 */
export interface UnversionedFields<T extends Aggregate, U extends string> {
  /**
   * With `upsert` and no match, creates a document of version 0 from the equalities of the filter and the update.
   *
   * @throws Conflict when an upsert conflicts with another document
   */
  updateOne(
    filter: Filter<T>,
    update: FieldUpdate<T, U>,
    options?: WriteOptions & { readonly upsert?: boolean },
  ): Promise<UpdateResult>;
  updateMany(filter: Filter<T>, update: FieldUpdate<T, U>, options?: WriteOptions): Promise<UpdateResult>;
  findOneAndUpdate(
    filter: Filter<T>,
    update: FieldUpdate<T, U>,
    options?: WriteOptions & { readonly returnDocument?: 'before' | 'after' },
  ): Promise<T | null>;
  bulkWrite(
    operations: readonly FieldOperation<T, U>[],
    options?: WriteOptions & { readonly ordered?: boolean },
  ): Promise<BulkResult>;
}

function unversionedFields<T extends Aggregate, U extends string>(
  collection: Collection<T>,
): UnversionedFields<T, U> {
  // A change of some fields of a document is a change of the document.
  const whole = (update: FieldUpdate<T, U>) => update as unknown as Update<T>;
  const created = { version: 0 } as Update<Aggregate>['$setOnInsert'];
  return {
    updateOne: (filter, update, options) =>
      collection.updateOne(
        filter,
        options?.upsert ? whole({ ...update, $setOnInsert: created } as FieldUpdate<T, U>) : whole(update),
        options,
      ),
    updateMany: (filter, update, options) => collection.updateMany(filter, whole(update), options),
    findOneAndUpdate: (filter, update, options) =>
      collection.findOneAndUpdate(filter, whole(update), options),
    bulkWrite: (operations, options) =>
      collection.bulkWrite(operations as unknown as Parameters<Collection<T>['bulkWrite']>[0], options),
  };
}
