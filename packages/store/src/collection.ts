import type { Doc } from './declaration.ts';
import type { Filter, PathOf, Projection, Sort } from './filter.ts';
import type { Update } from './update.ts';

/** How `find` orders and cuts its results. */
export interface FindOptions<T extends Doc> {
  readonly sort?: Sort<T>;
  /** Results to pass over, 0 or more. */
  readonly skip?: number;
  /** Results to return at most, 0 for no limit. */
  readonly limit?: number;
  readonly projection?: Projection<T>;
}

/** The results of a `find`, read when they are asked for. To be consumed once. */
export interface FindCursor<T> extends AsyncIterable<T> {
  /** All results. */
  toArray(): Promise<T[]>;
}

/** How `groups` puts documents together, and which of the groups it returns. */
export interface GroupOptions<T extends Doc> {
  /** A string field: documents with the same value make a group, those without one are left out. */
  readonly by: PathOf<T, string>;
  /** A number field that is summed. */
  readonly sum: PathOf<T, number>;
  /** What the groups are ordered by. Groups with the same count or sum ascend by value in either direction. */
  readonly order: keyof Group;
  readonly direction: 1 | -1;
  /** Groups to pass over, 0 or more. */
  readonly skip?: number;
  /** Groups to return at most, 0 for no limit. */
  readonly limit?: number;
}

/** Documents with the same value of a field. */
export interface Group {
  readonly value: string;
  readonly count: number;
  readonly sum: number;
}

/** Some groups, and how many there are in all. */
export interface Groups {
  readonly groups: readonly Group[];
  readonly total: number;
}

/** What an update did. An update that changes nothing matches without modifying, and is not written. */
export interface UpdateResult {
  readonly matchedCount: number;
  readonly modifiedCount: number;
  readonly upsertedCount: number;
}

/** What a delete did. */
export interface DeleteResult {
  readonly deletedCount: number;
}

/** One write of a `bulkWrite`. */
export type BulkOperation<T extends Doc> =
  | { readonly insertOne: { readonly document: T } }
  | {
      readonly updateOne: {
        readonly filter: Filter<T>;
        readonly update: Update<T>;
        readonly upsert?: boolean;
      };
    }
  | { readonly updateMany: { readonly filter: Filter<T>; readonly update: Update<T> } }
  | { readonly deleteOne: { readonly filter: Filter<T> } }
  | { readonly deleteMany: { readonly filter: Filter<T> } };

/** What a `bulkWrite` did. */
export interface BulkResult extends UpdateResult, DeleteResult {
  readonly insertedCount: number;
}

/** Options of a write. */
export interface WriteOptions {
  /**
   * Whether the write is durable when its promise resolves; it is unless this is false. One that is not may be
   * lost with the power of the machine, but only together with all later ones that are not durable yet: the
   * next durable write of the store makes it durable, too. For what is found and done again when it is lost.
   * Engines with a cheaper way than one wait for the disk each take it as any other.
   */
  readonly durable?: boolean;
}

/**
 * For a write whose effect is repeated when a power failure loses it: the next durable write of the store flushes it,
 * too. See `WriteOptions.durable`.
 */
export const NOT_FLUSHED: WriteOptions = { durable: false };

/** Options of a write of several documents. */
export interface BulkOptions extends WriteOptions {
  /** Stop at the first conflict (the default), or do all the others and report the conflict at the end. */
  readonly ordered?: boolean;
}

/** Options of `findOneAndUpdate`. */
export interface FindOneAndUpdateOptions<T extends Doc> extends WriteOptions {
  readonly upsert?: boolean;
  /** `before` unless given. */
  readonly returnDocument?: 'before' | 'after';
  /** Which of several documents that match is updated: the first one. */
  readonly sort?: Sort<T>;
  /** Inserted in the same atomic step, on engines with the capability `insertsAlongCommit`. */
  readonly along?: readonly Insertion[];
}

/** Documents that go along with a change of a document elsewhere in the store; made and used by the engine. */
export interface Insertion {
  /**
   * Inserts them all inside a transaction, or none when one is in the way.
   *
   * @returns takes them back, inside the same transaction
   */
  run(): () => void;
}

/**
 * A collection of documents: a narrowed form of the MongoDB driver's. A change of one document is
 * atomic; nothing else is, but for what goes `along` where the engine offers that. A write is durable when its promise resolves, unless its options say otherwise, and
 * seen by every read that starts afterwards. Within a collection a path holds one scalar type (or null, or nothing),
 * an array, or an object.
 *
 * Every method may throw `Unavailable`; every write may throw `Conflict`.
 */
export interface Collection<T extends Doc> {
  findOne(filter: Filter<T>, options?: Pick<FindOptions<T>, 'projection' | 'sort'>): Promise<T | null>;
  find(filter: Filter<T>, options?: FindOptions<T>): FindCursor<T>;
  countDocuments(filter: Filter<T>): Promise<number>;
  /** @throws Conflict when the id or a value of a unique index is in use */
  insertOne(document: T, options?: WriteOptions): Promise<unknown>;
  /**
   * Inserts many documents quickly. All else waits meanwhile on the embedded engine (about 0.1 ms a
   * document), so a call has some hundreds of them, not more.
   *
   * @throws Conflict when some could not be inserted; `insertedCount` tells how many were
   */
  insertMany(documents: readonly T[], options?: BulkOptions): Promise<{ readonly insertedCount: number }>;
  /**
   * Updates one document that matches. With `upsert` and no match, inserts what the equalities of
   * the filter and the update make; `_id` must come from the filter or from `$setOnInsert`.
   */
  updateOne(
    filter: Filter<T>,
    update: Update<T>,
    options?: WriteOptions & { readonly upsert?: boolean },
  ): Promise<UpdateResult>;
  /** Updates every document that matches, one by one: others may see some of them changed and some not. */
  updateMany(filter: Filter<T>, update: Update<T>, options?: WriteOptions): Promise<UpdateResult>;
  /**
   * As `updateOne`, and returns the document as it was `before` (the default) or `after`. What goes `along` is
   * inserted in the same atomic step, if a document matches.
   */
  findOneAndUpdate(
    filter: Filter<T>,
    update: Update<T>,
    options?: FindOneAndUpdateOptions<T>,
  ): Promise<T | null>;
  /**
   * Prepares documents to go along with a change in another collection. Present on every collection of a store with
   * the capability `insertsAlongCommit`, and on no other.
   */
  insertion?(documents: readonly T[]): Insertion;
  deleteOne(filter: Filter<T>, options?: WriteOptions): Promise<DeleteResult>;
  /** Deletes every document that matches, one by one: others may see some of them gone and some not. */
  deleteMany(filter: Filter<T>, options?: WriteOptions): Promise<DeleteResult>;
  /** @throws Conflict after the operations that could be done; `insertedCount` tells how many inserts were */
  bulkWrite(operations: readonly BulkOperation<T>[], options?: BulkOptions): Promise<BulkResult>;
  /**
   * Counts and sums the documents that match, group by group, however many they are. The engine does it apart
   * from what serves others: it may take long, and keeps nobody waiting meanwhile.
   */
  groups(filter: Filter<T>, options: GroupOptions<T>): Promise<Groups>;
  /**
   * The exact number of documents per value of the declared `tally` path, booleans as `true` and `false`; values
   * without documents are left out.
   */
  tally(): Promise<ReadonlyMap<string, number>>;
}
