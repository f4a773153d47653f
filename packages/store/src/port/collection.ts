import type { Doc } from './declaration.ts';
import type { Filter, PathOf, Projection, Sort } from './filter.ts';
import type { Update } from './update.ts';

/** The order of the results of `find`, and the part that is returned. */
export interface FindOptions<T extends Doc> {
  readonly sort?: Sort<T>;
  /** The number of results to skip, 0 or more. */
  readonly skip?: number;
  /** The most results to return, 0 for no limit. */
  readonly limit?: number;
  readonly projection?: Projection<T>;
}

/** The results of a `find`, which are read lazily. Can be consumed once. */
export interface FindCursor<T> extends AsyncIterable<T> {
  /** All results. */
  toArray(): Promise<T[]>;
}

/** How `groups` groups documents, and which of the groups it returns. */
export interface GroupOptions<T extends Doc> {
  /** A string field. Documents with the same value are a group; documents without one are left out. */
  readonly by: PathOf<T, string>;
  /** A number field that is summed. */
  readonly sum: PathOf<T, number>;
  /** The key of the order. Groups with the same count or sum are in ascending order of their values, in both directions. */
  readonly order: keyof Group;
  readonly direction: 1 | -1;
  /** The number of groups to skip, 0 or more. */
  readonly skip?: number;
  /** The most groups to return, 0 for no limit. */
  readonly limit?: number;
}

/** Documents with the same value of a field. */
export interface Group {
  readonly value: string;
  readonly count: number;
  readonly sum: number;
}

/** A page of groups, and the number of groups in all. */
export interface Groups {
  readonly groups: readonly Group[];
  readonly total: number;
}

/** The exact number of documents, and the sum of a number in them. */
export interface Totals {
  readonly count: number;
  readonly sum: number;
}

/** The counts of an update. An update that changes nothing counts as matched, not as modified, and is not written. */
export interface UpdateResult {
  readonly matchedCount: number;
  readonly modifiedCount: number;
  readonly upsertedCount: number;
}

/** The counts of a delete. */
export interface DeleteResult {
  readonly deletedCount: number;
}

/** The part of a write that writes documents of other collections. */
export interface Along {
  /** Inserted and updated in the same atomic step, on engines with the capability `insertsAlongCommit`. */
  readonly along?: readonly WritesAlong[];
}

/** One write of a `bulkWrite`. */
export type BulkOperation<T extends Doc> =
  | { readonly insertOne: { readonly document: T } & Along }
  | {
      readonly updateOne: {
        readonly filter: Filter<T>;
        readonly update: Update<T>;
        readonly upsert?: boolean;
      } & Along;
    }
  | { readonly updateMany: { readonly filter: Filter<T>; readonly update: Update<T> } }
  | { readonly deleteOne: { readonly filter: Filter<T> } }
  | { readonly deleteMany: { readonly filter: Filter<T> } };

/** The counts of a `bulkWrite`. */
export interface BulkResult extends UpdateResult, DeleteResult {
  readonly insertedCount: number;
}

/** Options of a write. */
export interface WriteOptions {
  /**
   * Whether the write is durable when its promise resolves; true unless given. Otherwise a power failure can lose it,
   * together with all later writes that are not durable either; the next durable write of the store makes it durable,
   * too. An engine whose writes do not wait for the disk one by one ignores this option.
   */
  readonly durable?: boolean;
}

/** The options of a write that is detected and repeated when a power failure loses it. See `WriteOptions.durable`. */
export const NOT_FLUSHED: WriteOptions = { durable: false };

/** Options of a write of several documents. */
export interface BulkOptions extends WriteOptions {
  /** Whether the first conflict stops the write (the default); otherwise it is thrown after all other documents. */
  readonly ordered?: boolean;
}

/** Options of `findOneAndUpdate`. */
export interface FindOneAndUpdateOptions<T extends Doc> extends WriteOptions, Along {
  readonly upsert?: boolean;
  /** `before` unless given. */
  readonly returnDocument?: 'before' | 'after';
  /** Which of several documents that match is updated: the first one. */
  readonly sort?: Sort<T>;
}

/** Writes to be made in the same atomic step as a change in another collection. Created and used by the engine. */
export interface WritesAlong {
  /**
   * Makes all of them inside the open transaction, or none when one throws.
   *
   * @returns a function that undoes them, inside the same transaction
   */
  run(): () => void;
}

/** An update that `alteration` prepares. Its filter names the `_id`. */
export interface UpdateById<T extends Doc> {
  readonly filter: Filter<T>;
  readonly update: Update<T>;
  readonly upsert?: boolean;
}

/**
 * A collection of documents: a subset of the MongoDB driver's. Only the change of one document is atomic, together with
 * what is written `along` where the engine can. A write is durable when its promise resolves, unless its options say
 * otherwise, and every read that starts afterwards sees it. Within a collection a path holds one scalar type (or null,
 * or nothing), an array, or an object. What a read returns must not be changed: other readers can have the same objects,
 * which the embedded engine freezes.
 *
 * Every method can throw `Unavailable`, and every write `Conflict`.
 */
export interface Collection<T extends Doc> {
  findOne(filter: Filter<T>, options?: Pick<FindOptions<T>, 'projection' | 'sort'>): Promise<T | null>;
  /**
   * Finds documents. The embedded engine reads no document where one index has all fields of the projection among its
   * keys, serves the sort, and decides the filter; a server of MongoDB does so where it can. So a query that needs few
   * fields of many documents declares an index with these fields as its last keys, and projects them. `_id` is a key of
   * every index that is not unique; a projection that does not need it says `_id: 0`, which is faster still. Values that a
   * key does not tell apart, such as null and a missing field, or 0 and false, are read from their documents.
   */
  find(filter: Filter<T>, options?: FindOptions<T>): FindCursor<T>;
  countDocuments(filter: Filter<T>): Promise<number>;
  /** @throws Conflict when the id or a value of a unique index is taken */
  insertOne(document: T, options?: WriteOptions): Promise<unknown>;
  /**
   * Inserts many documents quickly. On the embedded engine other work waits for it (about 0.1 ms for each document), so
   * pass hundreds of documents at most.
   *
   * @throws Conflict when a document could not be inserted; `insertedCount` is the number that were
   */
  insertMany(documents: readonly T[], options?: BulkOptions): Promise<{ readonly insertedCount: number }>;
  /**
   * Updates one document that matches. If none matches, `upsert` inserts one from the equalities of the filter and the
   * update; its `_id` comes from the filter or from `$setOnInsert`.
   */
  updateOne(
    filter: Filter<T>,
    update: Update<T>,
    options?: WriteOptions & { readonly upsert?: boolean },
  ): Promise<UpdateResult>;
  /** Updates every document that matches, one by one: readers can see some of them changed and others not yet. */
  updateMany(filter: Filter<T>, update: Update<T>, options?: WriteOptions): Promise<UpdateResult>;
  /**
   * Updates as `updateOne` does, and returns the document as it was `before` (the default) or `after`. Writes what is
   * `along` in the same atomic step, in order, if a document matches.
   */
  findOneAndUpdate(
    filter: Filter<T>,
    update: Update<T>,
    options?: FindOneAndUpdateOptions<T>,
  ): Promise<T | null>;
  /**
   * Prepares documents to be inserted along with a change in another collection.
   *
   * @throws TypeError on a store without the capability `insertsAlongCommit`
   */
  insertion(documents: readonly T[]): WritesAlong;
  /**
   * Prepares updates of at most one document each to be made along with a change in another collection.
   *
   * @throws TypeError on a store without the capability `insertsAlongCommit`, and for a filter without an `_id`
   */
  alteration(updates: readonly UpdateById<T>[]): WritesAlong;
  deleteOne(filter: Filter<T>, options?: WriteOptions): Promise<DeleteResult>;
  /** Deletes every document that matches, one by one: readers can see some of them deleted and others not yet. */
  deleteMany(filter: Filter<T>, options?: WriteOptions): Promise<DeleteResult>;
  /** @throws Conflict after the operations that succeed; its `insertedCount` is the number of documents inserted */
  bulkWrite(operations: readonly BulkOperation<T>[], options?: BulkOptions): Promise<BulkResult>;
  /**
   * Counts and sums the documents that match, group by group. Can take long with many documents, and does not delay
   * other work of the engine.
   */
  groups(filter: Filter<T>, options: GroupOptions<T>): Promise<Groups>;
  /**
   * Counts the documents that match, and sums the number that they have at a path. Can take long with many documents, and does
   * not delay other work of the engine. The embedded engine keeps the totals of a filter that recurs up to date.
   */
  totals(filter: Filter<T>, sum: PathOf<T, number>): Promise<Totals>;
  /**
   * The exact number of documents per value of the declared `tally` path. Booleans are `true` and `false`; values
   * without documents are left out.
   */
  tally(): Promise<ReadonlyMap<string, number>>;
  /**
   * A number that rises whenever a document is inserted or deleted, or its value for an index is changed. What a caller
   * has derived from nothing else need not be read again while the number is the same. Numbers of different runs of the
   * process are not comparable; `undefined` on a store without the capability `soleWriter`.
   */
  revision(): number | undefined;
  /**
   * Those of these ids whose document is not found by all that it says: the engine keeps copies of its fields for indexes, and someone
   * with access to the file has changed one. None on engines whose indexes cannot be changed apart from documents.
   */
  misfiled(ids: readonly string[]): Promise<readonly string[]>;
}
