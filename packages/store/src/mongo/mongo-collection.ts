import type { Clock } from '@steward/kernel';
import {
  type AnyBulkWriteOperation,
  type Db,
  type Document,
  type Collection as DriverCollection,
  type FindCursor as DriverCursor,
  type FindOptions as DriverFindOptions,
  MongoBulkWriteError,
} from 'mongodb';
import type {
  BulkOperation,
  BulkOptions,
  BulkResult,
  Collection,
  DeleteResult,
  FindCursor,
  FindOneAndUpdateOptions,
  FindOptions,
  GroupOptions,
  Groups,
  UpdateResult,
} from '../collection.ts';
import type { CollectionDeclaration, Doc } from '../declaration.ts';
import { Conflict } from '../errors.ts';
import type { Filter } from '../filter.ts';
import type { Update } from '../update.ts';
import { idIn, readById } from './by-id.ts';
import { tallyIndexOf } from './engine-indexes.ts';
import { GRAMS } from './grams.ts';
import type { InFlight } from './in-flight.ts';
import { BATCH, READ_LIMIT_MS, SEARCH_LIMIT_MS } from './limits.ts';
import { TallyCache } from './tally-cache.ts';
import { translateError, wasUndone } from './translate-error.ts';
import { isSearch, translateFilter } from './translate-filter.ts';
import { translateUpdate } from './translate-update.ts';
import { withGrams } from './with-grams.ts';

/** How often an operation is tried that the server undoes each time; then the store counts as overloaded. */
const MAX_ATTEMPTS = 8;
/** The pause before the second try, in milliseconds; the next ones are twice, three times as long. */
const RETRY_PAUSE_MS = 10;

/** What a collection works with; shared by all collections of a store. */
export interface Engine {
  readonly database: Db;
  readonly inFlight: InFlight;
  readonly clock: Clock;
}

type Stored = Document & Doc;
type Write = AnyBulkWriteOperation<Stored>;

const COUNTS = ['insertedCount', 'matchedCount', 'modifiedCount', 'deletedCount', 'upsertedCount'] as const;

/** A collection of a MongoDB server. */
export class MongoCollection<T extends Doc> implements Collection<T> {
  readonly #engine: Engine;
  readonly #collection: DriverCollection<Stored>;
  readonly #search: readonly string[];
  readonly #tallyPath: string | undefined;
  readonly #byId: (id: string) => Promise<T | null>;
  readonly #tally: TallyCache;
  readonly #unique: readonly { readonly name: string; readonly paths: readonly string[] }[];

  constructor(engine: Engine, declaration: CollectionDeclaration<T>) {
    this.#engine = engine;
    this.#collection = engine.database.collection(declaration.name);
    this.#search = declaration.search ?? [];
    this.#tallyPath = declaration.tally;
    this.#unique = declaration.indexes.flatMap(({ name, unique, keys }) =>
      unique ? [{ name, paths: keys.map(([path]) => path) }] : [],
    );
    const hint = tallyIndexOf(declaration);
    this.#byId = readById((ids) => this.find({ _id: { $in: ids } } as Filter<Doc> as Filter<T>).toArray());
    this.#tally = new TallyCache(() => this.#count(`$${declaration.tally}`, hint), engine.clock);
  }

  async findOne(
    filter: Filter<T>,
    options: Pick<FindOptions<T>, 'projection' | 'sort'> = {},
  ): Promise<T | null> {
    const id = idIn(filter);
    if (id !== undefined && !options.projection) return this.#byId(id);
    const [found = null] = await this.find(filter, { ...options, limit: 1 }).toArray();
    return found;
  }

  find(filter: Filter<T>, options: FindOptions<T> = {}): FindCursor<T> {
    const { skip = 0, limit = 0, sort, projection } = options;
    const translated = translateFilter(filter);
    const limitMs = isSearch(filter) ? SEARCH_LIMIT_MS : READ_LIMIT_MS;
    const open = (more: DriverFindOptions): DriverCursor<T> =>
      this.#collection.find<T>(translated, {
        ...more,
        ...this.#projected(projection),
        ...(sort ? { sort: sort as Document } : {}),
        skip,
        limit,
        batchSize: limit > 0 ? Math.min(limit, BATCH) : BATCH,
      });
    const run = <R>(operation: () => Promise<R>) => this.#run(operation);
    return {
      toArray: () => run(() => open({ maxTimeMS: limitMs }).toArray()),
      async *[Symbol.asyncIterator]() {
        // The server adds up its work over all batches, so that walking a large collection has no limit.
        const cursor = open(isSearch(filter) ? { maxTimeMS: limitMs } : {});
        try {
          for (;;) {
            const document = await run(() => cursor.next());
            if (document === null) return;
            yield document;
          }
        } finally {
          await cursor.close().catch(() => undefined);
        }
      },
    };
  }

  async countDocuments(filter: Filter<T>): Promise<number> {
    const translated = translateFilter(filter);
    const maxTimeMS = isSearch(filter) ? SEARCH_LIMIT_MS : READ_LIMIT_MS;
    return this.#run(() => this.#collection.countDocuments(translated, { maxTimeMS }));
  }

  async insertOne(document: T): Promise<void> {
    const stored = this.#stored(document);
    await this.#write(true, () => this.#collection.insertOne(stored));
  }

  async insertMany(
    documents: readonly T[],
    options: BulkOptions = {},
  ): Promise<{ readonly insertedCount: number }> {
    const writes = documents.map((document) => ({ insertOne: { document: this.#stored(document) } }));
    const { insertedCount } = await this.#write(true, () => this.#bulk(writes, options));
    return { insertedCount };
  }

  async updateOne(
    filter: Filter<T>,
    update: Update<T>,
    options: { readonly upsert?: boolean } = {},
  ): Promise<UpdateResult> {
    const { upsert = false } = options;
    const { where, change } = this.#translated(filter, update, upsert);
    return this.#write(
      upsert || this.#changesTally(update),
      async () => resultOf(await this.#collection.updateOne(where, change, { upsert })),
      update,
    );
  }

  async updateMany(filter: Filter<T>, update: Update<T>): Promise<UpdateResult> {
    const { where, change } = this.#translated(filter, update, false);
    return this.#write(
      this.#changesTally(update),
      async () => resultOf(await this.#collection.updateMany(where, change)),
      update,
    );
  }

  async findOneAndUpdate(
    filter: Filter<T>,
    update: Update<T>,
    options: FindOneAndUpdateOptions<T> = {},
  ): Promise<T | null> {
    const { upsert = false, returnDocument = 'before', sort } = options;
    const { where, change } = this.#translated(filter, update, upsert);
    const found = await this.#write(
      upsert || this.#changesTally(update),
      () =>
        this.#collection.findOneAndUpdate(where, change, {
          upsert,
          returnDocument,
          ...this.#projected(),
          ...(sort ? { sort: sort as Document } : {}),
        }),
      update,
    );
    return found as T | null;
  }

  async deleteOne(filter: Filter<T>): Promise<DeleteResult> {
    const where = translateFilter(filter);
    const { deletedCount } = await this.#write(true, () => this.#collection.deleteOne(where));
    return { deletedCount };
  }

  async deleteMany(filter: Filter<T>): Promise<DeleteResult> {
    const where = translateFilter(filter);
    const { deletedCount } = await this.#write(true, () => this.#collection.deleteMany(where));
    return { deletedCount };
  }

  async bulkWrite(operations: readonly BulkOperation<T>[], options: BulkOptions = {}): Promise<BulkResult> {
    const writes = operations.map((operation) => this.#translatedOperation(operation));
    return this.#write(true, () => this.#bulk(writes, options));
  }

  async groups(
    filter: Filter<T>,
    { by, sum, order, direction, skip = 0, limit = 0 }: GroupOptions<T>,
  ): Promise<Groups> {
    const grouped: Document[] = [
      { $match: { $and: [translateFilter(filter), { [by]: { $ne: null } }] } },
      { $group: { _id: `$${by}`, count: { $sum: 1 }, sum: { $sum: `$${sum}` } } },
    ];
    const page: Document[] = [
      { $sort: order === 'value' ? { _id: direction } : { [order]: direction, _id: 1 } },
      ...(skip > 0 ? [{ $skip: skip }] : []),
      ...(limit > 0 ? [{ $limit: limit }] : []),
    ];
    const ask = (stages: readonly Document[]) =>
      this.#run(() =>
        this.#collection
          .aggregate([...grouped, ...stages], { maxTimeMS: READ_LIMIT_MS, batchSize: BATCH })
          .toArray(),
      );
    const found = await ask(page);
    const [counted] = await ask([{ $count: 'total' }]);
    return {
      groups: found.map((group) => ({ value: group._id, count: group.count, sum: group.sum })),
      total: counted?.total ?? 0,
    };
  }

  async tally(): Promise<ReadonlyMap<string, number>> {
    if (this.#tallyPath === undefined)
      throw new TypeError(`Collection ${this.#collection.collectionName} declares no tally`);
    return this.#run(() => this.#tally.read());
  }

  async #count(value: string, hint: string): Promise<ReadonlyMap<string, number>> {
    const groups = await this.#collection
      .aggregate([{ $group: { _id: value, total: { $sum: 1 } } }], { hint, maxTimeMS: READ_LIMIT_MS })
      .toArray();
    const isCounted = (value: unknown) => typeof value === 'string' || typeof value === 'boolean';
    return new Map(groups.flatMap(({ _id, total }) => (isCounted(_id) ? [[String(_id), total]] : [])));
  }

  /**
   * Runs an operation, as long as the store is open, and puts what goes wrong into the port's words.
   * What the server undid for the sake of another operation is run again.
   */
  async #run<R>(operation: () => Promise<R>, update?: Update<T>): Promise<R> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#engine.inFlight.run(operation);
      } catch (error) {
        if (wasUndone(error) && attempt < MAX_ATTEMPTS) {
          await new Promise((resolve) => setTimeout(resolve, attempt * RETRY_PAUSE_MS));
          continue;
        }
        throw translateError(error, update ? this.#violable(update) : this.#unique.map(({ name }) => name));
      }
    }
  }

  async #write<R>(changesTally: boolean, operation: () => Promise<R>, update?: Update<T>): Promise<R> {
    try {
      return await this.#run(operation, update);
    } finally {
      // After a failure, too: the server may have done what it could not answer.
      if (changesTally) this.#tally.drop();
    }
  }

  async #bulk(writes: readonly Write[], { ordered = true }: BulkOptions): Promise<BulkResult> {
    const total = { insertedCount: 0, matchedCount: 0, modifiedCount: 0, deletedCount: 0, upsertedCount: 0 };
    let conflict: Conflict | undefined;
    for (const run of ordered ? [writes] : runsOfOneKind(writes)) {
      if (run.length === 0) continue;
      try {
        const result = await this.#collection.bulkWrite(run, { ordered });
        for (const count of COUNTS) total[count] += result[count];
      } catch (error) {
        const translated = translateError(error);
        if (!(translated instanceof Conflict)) throw translated;
        if (error instanceof MongoBulkWriteError) for (const count of COUNTS) total[count] += error[count];
        conflict ??= translated;
      }
    }
    if (conflict) throw new Conflict(conflict.index, { ...total, cause: conflict.cause });
    return total;
  }

  #stored(document: T): Stored {
    if (typeof document._id !== 'string') throw new TypeError('A document needs an _id, which is a string');
    return withGrams(document, this.#search);
  }

  #projected(wanted: FindOptions<T>['projection'] = {}): { projection?: Document } {
    if (Object.keys(wanted).length > 0) return { projection: wanted };
    return this.#search.length > 0 ? { projection: { [GRAMS]: 0 } } : {};
  }

  #translated(filter: Filter<T>, update: Update<T>, upsert: boolean) {
    return {
      where: translateFilter(filter),
      change: translateUpdate(update, this.#search, upsert ? filter : {}),
    };
  }

  #translatedOperation(operation: BulkOperation<T>): Write {
    if ('insertOne' in operation)
      return { insertOne: { document: this.#stored(operation.insertOne.document) } };
    if ('updateOne' in operation) {
      const { filter, update, upsert = false } = operation.updateOne;
      const { where, change } = this.#translated(filter, update, upsert);
      return { updateOne: { filter: where, update: change, upsert } };
    }
    if ('updateMany' in operation) {
      const { where, change } = this.#translated(
        operation.updateMany.filter,
        operation.updateMany.update,
        false,
      );
      return { updateMany: { filter: where, update: change } };
    }
    return 'deleteOne' in operation
      ? { deleteOne: { filter: translateFilter(operation.deleteOne.filter) } }
      : { deleteMany: { filter: translateFilter(operation.deleteMany.filter) } };
  }

  #changesTally(update: Update<T>): boolean {
    const path = this.#tallyPath;
    return path !== undefined && pathsOf(update).some((changed) => overlap(changed, path));
  }

  /** The unique indexes that an update may violate. */
  #violable(update: Update<T>): string[] {
    const changed = pathsOf(update);
    return this.#unique.flatMap(({ name, paths }) =>
      paths.some((path) => changed.some((other) => overlap(path, other))) ? [name] : [],
    );
  }
}

function resultOf({ matchedCount, modifiedCount, upsertedCount }: UpdateResult): UpdateResult {
  return { matchedCount, modifiedCount, upsertedCount };
}

const pathsOf = (update: object) => Object.values(update).flatMap((fields) => Object.keys(fields ?? {}));

/** Whether one of two paths is the other, or leads into it. */
const overlap = (a: string, b: string) => `${a}.`.startsWith(`${b}.`) || `${b}.`.startsWith(`${a}.`);

/** Left to itself, the driver does all inserts before all updates and deletes, and a later write would not see an earlier one. */
function runsOfOneKind(writes: readonly Write[]): Write[][] {
  const runs: Write[][] = [];
  let kind: string | undefined;
  for (const write of writes) {
    const [name = ''] = Object.keys(write);
    const kindHere = name.replace(/One$|Many$/, '');
    if (kindHere === kind) runs.at(-1)?.push(write);
    else runs.push([write]);
    kind = kindHere;
  }
  return runs;
}
