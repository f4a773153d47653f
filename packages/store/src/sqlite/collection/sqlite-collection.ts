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
  UpdateById,
  UpdateResult,
  WriteOptions,
  WritesAlong,
} from '../../port/collection.ts';
import type { Doc } from '../../port/declaration.ts';
import type { Filter, PathOf, Projection } from '../../port/filter.ts';
import { projectedFields } from '../../port/projected-fields.ts';
import type { Update } from '../../port/update.ts';
import { fieldChanges } from '../compile/field-changes.ts';
import type { Grouping } from '../compile/group-statement.ts';
import { allOrNothing } from '../engine/all-or-nothing.ts';
import { project } from '../engine/project.ts';
import type { RecentDocuments } from '../engine/recent-documents.ts';
import { sql } from '../engine/sql.ts';
import { findMisfiled } from '../execute/find-misfiled.ts';
import { groupsOf } from '../execute/groups.ts';
import { readTally } from '../execute/kept-counts.ts';
import { type Found, load } from '../execute/load.ts';
import { idOfPoint, locatePoint } from '../execute/locate.ts';
import { testScalars } from '../execute/test-scalars.ts';
import { totals } from '../execute/totals.ts';
import type { Layout } from '../layout/layout.ts';
import { isPoint, prepareQuery, type Query } from '../plan/query.ts';
import type { Views } from '../views/views.ts';
import { type BulkContext, bulkWrite } from './bulk-write.ts';
import { cachedCount } from './cached-results.ts';
import { resultOf } from './change.ts';
import type { Engine } from './engine.ts';
import { type Explanation, explainCount, explainQuery } from './explain.ts';
import { idAlone } from './id-alone.ts';
import { idsAlone } from './ids-alone.ts';
import { QueryWriter } from './query-writer.ts';
import { findCursor } from './read-batches.ts';
import { idsCursor } from './read-ids.ts';
import { TableWriter } from './table-writer.ts';
import { translatingErrors } from './translate-error.ts';
import { updateAlong } from './update-along.ts';
import { writeAlong } from './write-along.ts';

/** Documents that are read and updated one by one in one transaction: about 5 ms. */
const UPDATE_BATCH = 48;
/** Documents that one statement updates or deletes in one transaction: about 3 ms. */
const STATEMENT_BATCH = 256;

/** A collection in a table of SQLite. */
export class SqliteCollection<T extends Doc> implements Collection<T> {
  readonly #engine: Engine;
  readonly #layout: Layout;
  readonly #recent: RecentDocuments;
  readonly #views: Views;
  readonly #table: TableWriter<T>;
  readonly #writer: QueryWriter;
  readonly #bulkContext: BulkContext<T>;

  constructor(engine: Engine, layout: Layout) {
    this.#engine = engine;
    this.#layout = layout;
    this.#recent = engine.recent(layout.name);
    this.#views = engine.views(layout.name);
    const revision = engine.revision(layout.name);
    this.#table = new TableWriter(engine.connection, layout, {
      recent: this.#recent,
      revision,
      views: this.#views,
    });
    this.#writer = new QueryWriter(engine, layout);
    this.#bulkContext = {
      connection: engine.connection,
      layout,
      table: this.#table,
      writer: this.#writer,
      prepareFirst: (filter) => this.#prepare(filter, { limit: 1 }),
      runMany: (operation, options) =>
        'updateMany' in operation
          ? this.updateMany(operation.updateMany.filter, operation.updateMany.update, options)
          : this.deleteMany(operation.deleteMany.filter, options),
    };
  }

  async findOne(
    filter: Filter<T>,
    options: Pick<FindOptions<T>, 'projection' | 'sort'> = {},
  ): Promise<T | null> {
    const id = idAlone(filter);
    if (id !== undefined) {
      const fields = projectedFields(options.projection);
      const known = this.#recent.byId(id) ?? (await this.#guard(async () => this.#readById(id)));
      return known ? project(known as T, fields) : null;
    }
    const query = this.#prepare(filter, { ...options, limit: 1 });
    return this.#guard(async () => {
      if (isPoint(query)) {
        const known = this.#testById(query);
        if (known !== undefined) return known && project(known as T, query.fields);
        const found = locatePoint(this.#engine.connection, this.#recent, query);
        return found ? project((found.parsed ?? JSON.parse(found.document)) as T, query.fields) : null;
      }
      const [document = null] = await findCursor<T>(this.#engine, query).toArray();
      return document;
    });
  }

  find(filter: Filter<T>, options: FindOptions<T> = {}): FindCursor<T> {
    const ids = idsAlone(filter, options);
    if (ids) {
      const fields = projectedFields(options.projection);
      return idsCursor(this.#engine, { layout: this.#layout, fields }, ids);
    }
    return findCursor(this.#engine, this.#prepare(filter, options));
  }

  async countDocuments(filter: Filter<T>): Promise<number> {
    const query = this.#prepare(filter);
    return this.#guard(async () => {
      return cachedCount(this.#engine, query) ?? this.#views.countLong(query);
    });
  }

  async insertOne(document: T, options: WriteOptions = {}): Promise<void> {
    const prepared = this.#table.prepare(document);
    await this.#writer.transact(() => void this.#table.insert(prepared), options);
  }

  async insertMany(
    documents: readonly T[],
    options: BulkOptions = {},
  ): Promise<{ readonly insertedCount: number }> {
    const { insertedCount } = await this.bulkWrite(
      documents.map((document) => ({ insertOne: { document } })),
      options,
    );
    return { insertedCount };
  }

  async updateOne(
    filter: Filter<T>,
    update: Update<T>,
    options: WriteOptions & { readonly upsert?: boolean } = {},
  ): Promise<UpdateResult> {
    const query = this.#prepare(filter, { limit: 1 });
    const write = (found: Found | undefined) => this.#table.updateOrUpsert(found, filter, update, options);
    return resultOf(await this.#writer.writeFirst(query, write, options));
  }

  async updateMany(filter: Filter<T>, update: Update<T>, options: WriteOptions = {}): Promise<UpdateResult> {
    const { connection } = this.#engine;
    const query = this.#prepare(filter);
    const changes = fieldChanges(this.#layout, update);
    let matchedCount = 0;
    let modifiedCount = 0;
    const updateAll = (rows: readonly number[], verify: Query | undefined) => {
      const updated = new Set(changes ? this.#table.updateFields(rows, changes, verify) : []);
      matchedCount += updated.size;
      modifiedCount += updated.size;
      for (const n of rows) {
        if (updated.has(n)) continue;
        // Tests each row again, because the update of one can keep another from matching.
        const document = load(connection, this.#layout, n, query);
        if (document === undefined) continue;
        const change = this.#table.update({ n, document }, update);
        matchedCount++;
        if (change.before !== change.after) modifiedCount++;
      }
    };
    await this.#writer.writeMatches(query, updateAll, {
      ...options,
      batch: changes ? STATEMENT_BATCH : UPDATE_BATCH,
    });
    return { matchedCount, modifiedCount, upsertedCount: 0 };
  }

  async findOneAndUpdate(
    filter: Filter<T>,
    update: Update<T>,
    options: FindOneAndUpdateOptions<T> = {},
  ): Promise<T | null> {
    const { sort, returnDocument = 'before', along = [] } = options;
    const query = this.#prepare(filter, { limit: 1, ...(sort ? { sort } : {}) });
    const write = (found: Found | undefined) => {
      if (!found && !options.upsert) return undefined;
      return writeAlong(this.#engine.connection, along, () =>
        this.#table.updateOrUpsert(found, filter, update, options),
      );
    };
    const change = await this.#writer.writeFirst(query, write, options);
    const text = change?.[returnDocument];
    return text === undefined ? null : JSON.parse(text);
  }

  insertion(documents: readonly T[]): WritesAlong {
    const prepared = documents.map((document) => this.#table.prepare(document));
    const steps = prepared.map((each) => () => this.#table.insert(each));
    return { run: () => allOrNothing(this.#engine.connection, steps) };
  }

  alteration(updates: readonly UpdateById<T>[]): WritesAlong {
    const { connection } = this.#engine;
    const steps = updates.map((update) => {
      const query = this.#prepare(update.filter, { limit: 1 });
      if (!isPoint(query)) throw new TypeError('An update along with a change names the _id');
      return () => updateAlong({ connection, recent: this.#recent, table: this.#table }, query, update);
    });
    return { run: () => allOrNothing(connection, steps) };
  }

  async deleteOne(filter: Filter<T>, options: WriteOptions = {}): Promise<DeleteResult> {
    const query = this.#prepare(filter, { limit: 1 });
    const remove = (found: Found | undefined) => (found ? this.#table.delete(found.n) : 0);
    return { deletedCount: await this.#writer.writeFirst(query, remove, options) };
  }

  async deleteMany(filter: Filter<T>, options: WriteOptions = {}): Promise<DeleteResult> {
    const query = this.#prepare(filter);
    let deletedCount = 0;
    const deleteAll = (rows: readonly number[], verify: Query | undefined) => {
      deletedCount += this.#table.deleteAll(rows, verify);
    };
    await this.#writer.writeMatches(query, deleteAll, { ...options, batch: STATEMENT_BATCH });
    return { deletedCount };
  }

  async bulkWrite(operations: readonly BulkOperation<T>[], options: BulkOptions = {}): Promise<BulkResult> {
    return bulkWrite(this.#bulkContext, operations, options);
  }

  async groups(filter: Filter<T>, options: GroupOptions<T>): Promise<Groups> {
    const query = this.#prepare(filter);
    const grouping: Grouping = { skip: 0, limit: 0, ...options };
    return this.#guard(() => groupsOf(this.#engine.reader, query, grouping));
  }

  async totals(filter: Filter<T>, sum: PathOf<T, number>): Promise<Totals> {
    const query = this.#prepare(filter, { projection: { _id: 0, [sum]: 1 } as Projection<T> });
    return this.#guard(() => totals(this.#engine.connection, this.#views, query, sum));
  }

  async tally(): Promise<ReadonlyMap<string, number>> {
    const { tally } = this.#layout;
    if (!tally) throw new TypeError(`Collection ${this.#layout.name} declares no tally`);
    return this.#guard(async () => readTally(this.#engine.connection, tally.table));
  }

  async misfiled(ids: readonly string[]): Promise<readonly string[]> {
    return this.#guard(async () => findMisfiled(this.#engine.connection, this.#layout, ids));
  }

  revision(): number {
    return this.#engine.revision(this.#layout.name).number;
  }

  /** How a query would be answered if the collection were large. */
  explain(filter: Filter<T>, options: FindOptions<T> = {}): Explanation {
    return explainQuery(this.#engine.connection, this.#prepare(filter, options));
  }

  /** How the matches of a filter would be counted if the collection were large. */
  explainCount(filter: Filter<T>): Explanation {
    return explainCount(this.#engine.connection, this.#prepare(filter));
  }

  /** As `findOne`, of a query for an id and scalars; `undefined` for another one. */
  #testById({ accesses: { narrowest } }: Query): Doc | null | undefined {
    const id = narrowest && idOfPoint(narrowest);
    if (id === undefined) return undefined;
    const document = this.#recent.byId(id) ?? this.#readById(id);
    if (!document) return null;
    const matches = testScalars(document, narrowest?.residual ?? []);
    return matches ? document : matches === false ? null : undefined;
  }

  #readById(id: string): Doc | undefined {
    const statement = `SELECT n, json(doc) FROM ${this.#layout.table} WHERE id = ?`;
    const [n, text] = this.#engine.connection.get(sql(statement, id)) ?? [];
    return n === undefined ? undefined : this.#recent.keep(Number(n), String(text));
  }

  #prepare(filter: Filter<T>, options: FindOptions<T> = {}): Query {
    return prepareQuery(this.#layout, filter, options, this.#engine.limits);
  }

  #guard<R>(work: () => Promise<R>): Promise<R> {
    return translatingErrors(this.#layout, work);
  }
}
