import type {
  Document,
  Collection as DriverCollection,
  FindCursor as DriverCursor,
  FindOptions as DriverFindOptions,
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
  Totals,
  UpdateResult,
} from '../../port/collection.ts';
import type { CollectionDeclaration, Doc } from '../../port/declaration.ts';
import type { Filter, PathOf } from '../../port/filter.ts';
import { projectedFields } from '../../port/projected-fields.ts';
import type { Update } from '../../port/update.ts';
import { BATCH, MAX_ARRAY, READ_LIMIT_MS, SEARCH_LIMIT_MS } from '../client/limits.ts';
import { tallyIndexOf } from '../indexes/engine-indexes.ts';
import { GRAMS } from '../search/grams.ts';
import { isSearch, translateFilter } from '../translate/translate-filter.ts';
import { bulkWrite } from './bulk-write.ts';
import { idIn, readById } from './by-id.ts';
import { overlap, pathsOf } from './changed-paths.ts';
import type { Engine, Stored } from './engine.ts';
import { countPerValue, groupDocuments, sumDocuments } from './group-documents.ts';
import { reachOneShard } from './reach-one-shard.ts';
import { runOperation } from './run-operation.ts';
import { type Find, runCount, runFind } from './run-read.ts';
import { TallyCache } from './tally-cache.ts';
import { stored, translateOperation, translateWrite } from './translate-operation.ts';

/** A collection of a MongoDB server. */
export class MongoCollection<T extends Doc> implements Collection<T> {
  readonly #engine: Engine;
  readonly #collection: DriverCollection<Stored>;
  readonly #route: <F extends object>(filter: F) => F;
  readonly #search: readonly string[];
  readonly #tallyPath: string | undefined;
  readonly #byId: (id: string) => Promise<T | null>;
  readonly #tally: TallyCache;
  readonly #unique: readonly { readonly name: string; readonly paths: readonly string[] }[];

  constructor(engine: Engine, declaration: CollectionDeclaration<T>) {
    this.#engine = engine;
    this.#collection = engine.database.collection(declaration.name);
    const { shardKey, shardKeyOfId } = declaration as unknown as CollectionDeclaration<Doc>;
    // On a single server the further condition would only keep it from its fastest way to read by id.
    this.#route = engine.isSharded
      ? (filter) => reachOneShard({ shardKey, ...(shardKeyOfId ? { shardKeyOfId } : {}) }, filter)
      : (filter) => filter;
    this.#search = declaration.search ?? [];
    this.#tallyPath = declaration.tally;
    this.#unique = declaration.indexes.flatMap(({ name, unique, keys }) =>
      unique ? [{ name, paths: keys.map(([path]) => path) }] : [],
    );
    const hint = tallyIndexOf(declaration);
    // With a limit that the answer reaches, the server keeps no cursor.
    this.#byId = readById((ids) =>
      this.find({ _id: { $in: ids } } as Filter<Doc> as Filter<T>, { limit: ids.length }).toArray(),
    );
    this.#tally = new TallyCache(
      () => countPerValue(this.#collection, String(declaration.tally), hint),
      engine.clock,
    );
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
    const translated = translateFilter(this.#route(filter));
    const limitMs = isSearch(filter) ? SEARCH_LIMIT_MS : READ_LIMIT_MS;
    const shape = {
      ...this.#projected(projection),
      ...(sort ? { sort: sort as Document } : {}),
      skip,
      limit,
    };
    const open = (more: DriverFindOptions): DriverCursor<T> =>
      this.#collection.find<T>(translated, {
        ...more,
        ...shape,
        batchSize: limit > 0 ? Math.min(limit, BATCH) : BATCH,
      });
    const atOnce = (most: number, more: Pick<Find, 'maxTimeMS'>) =>
      runFind<T>(this.#engine.database, this.#collection, { filter: translated, ...shape, ...more }, most);
    const run = <R>(operation: () => Promise<R>) => this.#run(operation);
    return {
      toArray: () =>
        run(async () => {
          const limited = { maxTimeMS: limitMs };
          return (await atOnce(MAX_ARRAY, limited)) ?? open(limited).toArray();
        }),
      async *[Symbol.asyncIterator]() {
        // The server sums its time over all batches, so that reading a large collection must have no limit.
        const limited = isSearch(filter) ? { maxTimeMS: limitMs } : {};
        // Few documents mostly. A server that has to sort many would sort them twice.
        const few = sort ? undefined : await run(() => atOnce(BATCH, limited));
        if (few) {
          yield* few;
          return;
        }
        const cursor = open(limited);
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
    const translated = translateFilter(this.#route(filter));
    const maxTimeMS = isSearch(filter) ? SEARCH_LIMIT_MS : READ_LIMIT_MS;
    return this.#run(() => runCount(this.#engine.database, this.#collection, translated, maxTimeMS));
  }

  async insertOne(document: T): Promise<void> {
    const translated = stored(document, this.#search);
    await this.#write(true, () => this.#collection.insertOne(translated));
  }

  async insertMany(
    documents: readonly T[],
    options: BulkOptions = {},
  ): Promise<{ readonly insertedCount: number }> {
    const writes = documents.map((document) => ({ insertOne: { document: stored(document, this.#search) } }));
    const { insertedCount } = await this.#write(true, () => bulkWrite(this.#collection, writes, options));
    return { insertedCount };
  }

  async updateOne(
    filter: Filter<T>,
    update: Update<T>,
    options: { readonly upsert?: boolean } = {},
  ): Promise<UpdateResult> {
    const { upsert = false } = options;
    const { where, change } = translateWrite(this.#route(filter), update, this.#search, upsert);
    return this.#write(
      upsert || this.#changesTally(update),
      async () => resultOf(await this.#collection.updateOne(where, change, { upsert })),
      update,
    );
  }

  async updateMany(filter: Filter<T>, update: Update<T>): Promise<UpdateResult> {
    const { where, change } = translateWrite(this.#route(filter), update, this.#search);
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
    const { where, change } = translateWrite(this.#route(filter), update, this.#search, upsert);
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

  insertion(): never {
    throw new TypeError('A MongoDB server changes one document at a time');
  }

  alteration(): never {
    throw new TypeError('A MongoDB server changes one document at a time');
  }

  async deleteOne(filter: Filter<T>): Promise<DeleteResult> {
    const where = translateFilter(this.#route(filter));
    const { deletedCount } = await this.#write(true, () => this.#collection.deleteOne(where));
    return { deletedCount };
  }

  async deleteMany(filter: Filter<T>): Promise<DeleteResult> {
    const where = translateFilter(this.#route(filter));
    const { deletedCount } = await this.#write(true, () => this.#collection.deleteMany(where));
    return { deletedCount };
  }

  async bulkWrite(operations: readonly BulkOperation<T>[], options: BulkOptions = {}): Promise<BulkResult> {
    const writes = operations.map((operation) => translateOperation(operation, this.#search, this.#route));
    return this.#write(true, () => bulkWrite(this.#collection, writes, options));
  }

  groups(filter: Filter<T>, options: GroupOptions<T>): Promise<Groups> {
    const run = <R>(operation: () => Promise<R>) => this.#run(operation);
    return groupDocuments(
      this.#engine.database,
      this.#collection,
      translateFilter(this.#route(filter)),
      options,
      run,
    );
  }

  totals(filter: Filter<T>, sum: PathOf<T, number>): Promise<Totals> {
    const { database } = this.#engine;
    return this.#run(() =>
      sumDocuments(database, this.#collection, translateFilter(this.#route(filter)), sum),
    );
  }

  async tally(): Promise<ReadonlyMap<string, number>> {
    if (this.#tallyPath === undefined)
      throw new TypeError(`Collection ${this.#collection.collectionName} declares no tally`);
    return this.#run(() => this.#tally.read());
  }

  async misfiled(): Promise<readonly string[]> {
    return [];
  }

  revision(): undefined {
    return undefined;
  }

  #run<R>(operation: () => Promise<R>, update?: Update<T>): Promise<R> {
    return runOperation(this.#engine, operation, () =>
      update ? this.#violable(update) : this.#unique.map(({ name }) => name),
    );
  }

  async #write<R>(changesTally: boolean, operation: () => Promise<R>, update?: Update<T>): Promise<R> {
    try {
      return await this.#run(operation, update);
    } finally {
      // After a failure, too, because the server can complete a write whose answer is lost.
      if (changesTally) this.#tally.drop();
    }
  }

  #projected(fields?: FindOptions<T>['projection']): { projection?: Document } {
    if (fields && projectedFields(fields)) return { projection: fields };
    return this.#search.length > 0 ? { projection: { [GRAMS]: 0 } } : {};
  }

  #changesTally(update: Update<T>): boolean {
    const path = this.#tallyPath;
    return path !== undefined && pathsOf(update).some((changed) => overlap(changed, path));
  }

  /** The unique indexes that an update can violate. */
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
