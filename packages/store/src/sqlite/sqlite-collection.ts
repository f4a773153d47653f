import type {
  BulkOperation,
  BulkOptions,
  BulkResult,
  Collection,
  DeleteResult,
  FindCursor,
  FindOptions,
  GroupOptions,
  Groups,
  Insertion,
  UpdateResult,
  WriteOptions,
} from '../collection.ts';
import type { Doc } from '../declaration.ts';
import { Conflict } from '../errors.ts';
import type { Filter, Sort } from '../filter.ts';
import type { Update } from '../update.ts';
import { allOrNothing } from './all-or-nothing.ts';
import { applyUpdate, type Fields, setPath } from './apply-update.ts';
import type { Connection } from './connection.ts';
import { type Grouping, groupsOf } from './groups.ts';
import { project, wantedFields, writeDocument } from './json.ts';
import { type Layout, scalarOf } from './layout.ts';
import {
  count,
  deletion,
  type Found,
  isPoint,
  type Limits,
  load,
  loadAll,
  locate,
  locateLong,
  locatePoint,
  longAnswer,
  prepareQuery,
  type Query,
  type Route,
  routeOf,
  wholeCount,
} from './query.ts';
import type { Reader } from './reader.ts';
import type { RecentDocuments } from './recent-documents.ts';
import { elementsOf } from './schema.ts';
import { sql } from './sql.ts';
import { translateError } from './translate-error.ts';
import type { WriteQueue } from './write-queue.ts';

/** Documents that are loaded before others get their turn: less than 1 ms. */
const READ_BATCH = 128;
/** Documents that are written before others get their turn: about 5 ms. */
const WRITE_BATCH = 48;
/** Documents that are deleted before others get their turn: about 3 ms. */
const DELETE_BATCH = 128;

/** Operations of one bulk write that share a transaction, so that a large one does not keep the others waiting. */
const MAX_OPERATIONS_PER_TRANSACTION = 1_000;

/** What a collection works with; shared by all collections of a store. */
export interface Engine {
  readonly connection: Connection;
  readonly writes: WriteQueue;
  readonly reader: Reader;
  readonly limits: Limits;
  /** What all who use a collection remember of it, by its name. */
  recent(collection: string): RecentDocuments;
}

/** How a query would be answered. */
export interface Explanation {
  readonly route: Route;
  readonly statement: string;
  /** The lines of SQLite's EXPLAIN QUERY PLAN. */
  readonly plan: readonly string[];
}

/** What a write returns when the reader has to find its documents first. */
const LONG = Symbol('long');

const NOTHING: UpdateResult = { matchedCount: 0, modifiedCount: 0, upsertedCount: 0 };

const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A document before and after an update; equal texts when nothing changed, no `before` when it was inserted. */
interface Change {
  readonly before: string | undefined;
  readonly after: string;
}

/** An operation of a bulk write. */
interface Operation {
  /** Does it inside a transaction, unless finding its documents takes long. */
  readonly now: () => Partial<BulkResult> | typeof LONG;
  /** Does it in transactions of its own. */
  readonly later: () => Promise<Partial<BulkResult>>;
}

/** A document on its way into its table. */
interface PreparedInsertion {
  readonly id: string;
  readonly text: string;
  /** The statements that give side tables its elements, by its row. */
  readonly elements: readonly string[];
}

/** A column that holds the scalar at a path. */
interface Column {
  readonly names: readonly string[];
  readonly column: string;
  /** Reads it from the text of the document, which is the second parameter. */
  readonly value: string;
}

/** A collection in a table of SQLite. */
export class SqliteCollection<T extends Doc> implements Collection<T> {
  readonly #engine: Engine;
  readonly #layout: Layout;
  readonly #columns: readonly Column[];
  readonly #insertion: string;
  /** The statements that give side tables the elements of a row, and where in its document these are. */
  readonly #elements: readonly { readonly names: readonly string[]; readonly insertion: string }[];
  readonly #recent: RecentDocuments;

  constructor(engine: Engine, layout: Layout) {
    this.#engine = engine;
    this.#layout = layout;
    this.#recent = engine.recent(layout.name);
    this.#elements = layout.indexes.flatMap((index) =>
      index.array === undefined
        ? []
        : [{ names: index.array.split('.'), insertion: elementsOf(layout, index, 'd.n = ?') }],
    );
    this.#columns = [...layout.columns]
      .filter(([path]) => path !== '_id')
      .map(([path, column]) => ({ names: path.split('.'), column, value: scalarOf('?2', path) }));
    const names = ['id', 'doc', ...this.#columns.map(({ column }) => column)];
    const values = ['?1', 'jsonb(?2)', ...this.#columns.map(({ value }) => value)];
    this.#insertion = `INSERT INTO ${layout.table} (${names.join(', ')}) VALUES (${values.join(', ')})`;
  }

  async findOne(
    filter: Filter<T>,
    options: Pick<FindOptions<T>, 'projection' | 'sort'> = {},
  ): Promise<T | null> {
    const id = idAlone(filter);
    if (id !== undefined) return this.#guard(async () => this.#findById(id, options.projection));
    const query = this.#prepare(filter, { ...options, limit: 1 });
    return this.#guard(async () => {
      if (isPoint(query)) {
        const found = locatePoint(this.#engine.connection, query);
        return found ? project<T>(JSON.parse(found.document), options.projection) : null;
      }
      for await (const [document] of this.#batches(query, options.projection)) {
        if (document) return document;
      }
      return null;
    });
  }

  find(filter: Filter<T>, options: FindOptions<T> = {}): FindCursor<T> {
    const query = this.#prepare(filter, options);
    const batches = () => this.#batches(query, options.projection);
    const guard = <R>(work: () => Promise<R>) => this.#guard(work);
    return {
      toArray: () =>
        guard(async () => {
          const documents: T[] = [];
          for await (const batch of batches()) documents.push(...batch);
          return documents;
        }),
      async *[Symbol.asyncIterator]() {
        const iterator = batches();
        for (;;) {
          const { done, value } = await guard(() => iterator.next());
          if (done) return;
          yield* value;
        }
      },
    };
  }

  async countDocuments(filter: Filter<T>): Promise<number> {
    const query = this.#prepare(filter);
    return this.#guard(async () => {
      const counted = count(this.#engine.connection, query);
      if (counted !== undefined) return counted;
      const [row] = await this.#engine.reader.all(wholeCount(query));
      return Number(row?.[0]);
    });
  }

  async insertOne(document: T, options: WriteOptions = {}): Promise<void> {
    const prepared = this.#prepareInsertion(document);
    await this.#write(() => void this.#insert(prepared), options);
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
    return resultOf(await this.#updateFirst(this.#prepare(filter, { limit: 1 }), filter, update, options));
  }

  async updateMany(filter: Filter<T>, update: Update<T>, options: WriteOptions = {}): Promise<UpdateResult> {
    const { connection } = this.#engine;
    const query = this.#prepare(filter);
    let matchedCount = 0;
    let modifiedCount = 0;
    const updateAll = (rows: readonly number[]) => {
      for (const n of rows) {
        // Each is looked at again, because writing one may keep another from matching.
        const document = load(connection, this.#layout, n, query);
        if (document === undefined) continue;
        const change = this.#update({ n, document }, update);
        matchedCount++;
        if (change.before !== change.after) modifiedCount++;
      }
    };
    await this.#writeMatches(query, updateAll, { ...options, batch: WRITE_BATCH });
    return { matchedCount, modifiedCount, upsertedCount: 0 };
  }

  async findOneAndUpdate(
    filter: Filter<T>,
    update: Update<T>,
    options: WriteOptions & {
      readonly upsert?: boolean;
      readonly returnDocument?: 'before' | 'after';
      readonly sort?: Sort<T>;
      readonly along?: readonly Insertion[];
    } = {},
  ): Promise<T | null> {
    const { sort, returnDocument = 'before', along = [] } = options;
    const query = this.#prepare(filter, { limit: 1, ...(sort ? { sort } : {}) });
    const write = (found: Found | undefined) => {
      if (!found && !options.upsert) return undefined;
      let changed: Change | undefined;
      const change = () => {
        changed = this.#updateOrUpsert(found, filter, update, options);
        return () => {};
      };
      allOrNothing(this.#engine.connection, [...along.map(({ run }) => run), change]);
      return changed;
    };
    const change = await this.#writeFirst(query, write, options);
    const text = change?.[returnDocument];
    return text === undefined ? null : JSON.parse(text);
  }

  insertion(documents: readonly T[]): Insertion {
    const prepared = documents.map((document) => this.#prepareInsertion(document));
    const steps = prepared.map((each) => () => {
      const n = this.#insert(each);
      return () => void this.#delete(n);
    });
    return { run: () => allOrNothing(this.#engine.connection, steps) };
  }

  async deleteOne(filter: Filter<T>, options: WriteOptions = {}): Promise<DeleteResult> {
    const query = this.#prepare(filter, { limit: 1 });
    const deleted = await this.#writeFirst(query, (found) => (found ? this.#delete(found.n) : 0), options);
    return { deletedCount: deleted };
  }

  async deleteMany(filter: Filter<T>, options: WriteOptions = {}): Promise<DeleteResult> {
    const query = this.#prepare(filter);
    let deletedCount = 0;
    const deleteAll = (rows: readonly number[], verify: Query | undefined) => {
      this.#recent.clear();
      deletedCount += this.#engine.connection.run(deletion(this.#layout, rows, verify));
    };
    await this.#writeMatches(query, deleteAll, { ...options, batch: DELETE_BATCH });
    return { deletedCount };
  }

  async bulkWrite(operations: readonly BulkOperation<T>[], options: BulkOptions = {}): Promise<BulkResult> {
    const { ordered = true, durable = true } = options;
    // Texts and queries are made outside, so that one that cannot be made stops nothing half-way.
    const prepared = operations.map((operation) => this.#prepareOperation(operation, { durable }));
    const total = { insertedCount: 0, matchedCount: 0, modifiedCount: 0, deletedCount: 0, upsertedCount: 0 };
    const errors: unknown[] = [];
    const attempt = <R>(work: () => R): R | undefined => {
      try {
        return work();
      } catch (error) {
        if (!this.#engine.connection.inTransaction) throw error;
        errors.push(error);
        return undefined;
      }
    };
    for (let next = 0; next < prepared.length; ) {
      const results = await this.#write(() => {
        const done: (Partial<BulkResult> | typeof LONG)[] = [];
        for (const operation of prepared.slice(next, next + MAX_OPERATIONS_PER_TRANSACTION)) {
          const result = attempt(operation.now) ?? {};
          done.push(result);
          if (result === LONG || (ordered && errors.length > 0)) break;
        }
        return done;
      }, options);
      for (const result of results) {
        const operation = prepared[next++];
        add(
          total,
          result === LONG
            ? ((await operation?.later().catch((error) => void errors.push(error))) ?? {})
            : result,
        );
      }
      if (ordered && errors.length > 0) break;
    }
    if (errors.length > 0) {
      const error = translateError(this.#layout, errors[0]);
      throw error instanceof Conflict ? new Conflict(error.index, { ...total, cause: error }) : error;
    }
    return total;
  }

  async groups(filter: Filter<T>, options: GroupOptions<T>): Promise<Groups> {
    const query = this.#prepare(filter);
    const grouping: Grouping = { skip: 0, limit: 0, ...options };
    return this.#guard(() => groupsOf(this.#engine.reader, query, grouping));
  }

  async tally(): Promise<ReadonlyMap<string, number>> {
    const { tally } = this.#layout;
    if (!tally) throw new TypeError(`Collection ${this.#layout.name} declares no tally`);
    return this.#guard(async () => {
      const rows = this.#engine.connection.all(
        sql(`SELECT value, total FROM ${tally.table} WHERE total > 0`),
      );
      return new Map(rows.map(([value, total]) => [nameOf(value), Number(total)]));
    });
  }

  /** How a query would be answered if the collection were large. */
  explain(filter: Filter<T>, options: FindOptions<T> = {}): Explanation {
    const query = this.#prepare(filter, options);
    const statement = longAnswer(query);
    const plan = this.#engine.connection.all({ ...statement, text: `EXPLAIN QUERY PLAN ${statement.text}` });
    return { route: routeOf(query), statement: statement.text, plan: plan.map((row) => String(row[3])) };
  }

  #findById(id: string, projection?: object): T | null {
    const known = this.#recent.get(id);
    if (known !== undefined) return project<T>(JSON.parse(known), projection);
    const row = this.#engine.connection.get(
      sql(`SELECT json(doc) FROM ${this.#layout.table} WHERE id = ?`, id),
    );
    if (!row) return null;
    const text = String(row[0]);
    this.#recent.keep(id, text);
    return project<T>(JSON.parse(text), projection);
  }

  #prepare(filter: Filter<T>, options: FindOptions<T> = {}): Query {
    return prepareQuery(this.#layout, filter, options, this.#engine.limits);
  }

  async #guard<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      throw translateError(this.#layout, error);
    }
  }

  #write<R>(work: () => R, options?: WriteOptions): Promise<R> {
    return this.#guard(() => this.#engine.writes.run(work, options));
  }

  /**
   * The documents that answer a query, in order, with the fields that a projection wants. Those that have ceased to
   * answer it meanwhile are left out.
   */
  async *#batches(query: Query, projection?: object): AsyncGenerator<T[], undefined> {
    const { connection } = this.#engine;
    const fields = wantedFields(projection);
    const here = locate(connection, query);
    const rows = here ?? (await this.#locateLong(query));
    for (let start = 0; start < rows.length; start += READ_BATCH) {
      if (start > 0) await breathe();
      const batch = rows.slice(start, start + READ_BATCH);
      // Found in this very turn, the first documents need no second look.
      const verify = here && start === 0 ? undefined : query;
      yield loadAll(connection, this.#layout, batch, { query: verify, ...(fields && { fields }) }) as T[];
    }
  }

  #locateLong(query: Query): Promise<readonly number[]> {
    return locateLong(this.#engine.reader, query);
  }

  /** Finds the first document of a query and writes it, inside a transaction that is open. */
  #writeFirstNow<R>(query: Query, write: (found: Found | undefined) => R): R | typeof LONG {
    const { connection } = this.#engine;
    if (isPoint(query)) return write(locatePoint(connection, query));
    const rows = locate(connection, query);
    if (!rows) return LONG;
    const [n] = rows;
    const document = n === undefined ? undefined : load(connection, this.#layout, n);
    return write(n === undefined || document === undefined ? undefined : { n, document });
  }

  /** Finds the first document of a query, however long that takes, and writes it. */
  async #writeFirst<R>(
    query: Query,
    write: (found: Found | undefined) => R,
    options: WriteOptions,
  ): Promise<R> {
    for (;;) {
      const outcome = await this.#write(() => this.#writeFirstNow(query, write), options);
      if (outcome !== LONG) return outcome;
      const [n] = await this.#guard(() => this.#locateLong(query));
      const verified = await this.#write(() => {
        if (n === undefined) return write(undefined);
        const document = load(this.#engine.connection, this.#layout, n, query);
        return document === undefined ? LONG : write({ n, document });
      }, options);
      if (verified !== LONG) return verified;
    }
  }

  /**
   * Writes every document that answers a query, a batch of rows at a time.
   *
   * @param write given rows, and the query where it is to be asked of them again: they were found a while ago
   */
  async #writeMatches(
    query: Query,
    write: (rows: readonly number[], verify: Query | undefined) => void,
    { batch, ...options }: WriteOptions & { readonly batch: number },
  ): Promise<void> {
    const here = await this.#write(() => {
      const rows = locate(this.#engine.connection, query);
      if (rows && rows.length > 0) write(rows.slice(0, batch), undefined);
      return rows;
    }, options);
    const rows = here ?? (await this.#guard(() => this.#locateLong(query)));
    for (let start = here ? batch : 0; start < rows.length; start += batch) {
      await this.#write(() => write(rows.slice(start, start + batch), query), options);
    }
  }

  #updateFirst(
    query: Query,
    filter: Filter<T>,
    update: Update<T>,
    options: WriteOptions & { readonly upsert?: boolean },
  ): Promise<Change | undefined> {
    const write = (found: Found | undefined) => this.#updateOrUpsert(found, filter, update, options);
    return this.#writeFirst(query, write, options);
  }

  #updateOrUpsert(
    found: Found | undefined,
    filter: Filter<T>,
    update: Update<T>,
    options: { readonly upsert?: boolean },
  ): Change | undefined {
    if (found) return this.#update(found, update);
    return options.upsert ? this.#upsert(filter, update) : undefined;
  }

  #prepareInsertion(document: T | Fields): PreparedInsertion {
    const text = writeDocument(document);
    const elements = this.#elements.filter(({ names }) => hasElements(document, names));
    return {
      id: String(document._id).toWellFormed(),
      text,
      elements: elements.map(({ insertion }) => insertion),
    };
  }

  /** @returns the row */
  #insert({ id, text, elements }: PreparedInsertion): number {
    const { connection } = this.#engine;
    this.#recent.forget(id);
    let n = 0;
    const insert = () => {
      n = connection.insert(sql(this.#insertion, id, text));
      return () => void this.#delete(n);
    };
    const addElements = elements.map((statement) => () => {
      connection.run(sql(statement, n));
      return () => {};
    });
    allOrNothing(connection, [insert, ...addElements]);
    return n;
  }

  #update({ n, document: before }: Found, update: Update<T>): Change {
    const document = JSON.parse(before);
    const scalars = this.#columns.map(({ names }) => scalarAt(document, names));
    applyUpdate(document, update, { inserting: false });
    const after = writeDocument(document);
    if (after !== before) {
      // Columns that stay as they are leave the indexes over them alone.
      const changed = this.#columns.filter(({ names }, i) => {
        const value = scalarAt(document, names);
        return value !== scalars[i] || (typeof value === 'object' && value !== null);
      });
      const changes = changed.map(({ column, value }) => `, ${column} = ${value}`).join('');
      this.#recent.forget(String(document._id));
      const statement = `UPDATE ${this.#layout.table} SET doc = jsonb(?2)${changes} WHERE n = ?1`;
      this.#engine.connection.run(sql(statement, n, after));
    }
    return { before, after };
  }

  #upsert(filter: Filter<T>, update: Update<T>): Change {
    const document: Fields = {};
    for (const [path, value] of equalities(filter)) setPath(document, path, value);
    applyUpdate(document, update, { inserting: true });
    const prepared = this.#prepareInsertion(document);
    this.#insert(prepared);
    return { before: undefined, after: prepared.text };
  }

  #delete(n: number): number {
    this.#recent.clear();
    return this.#engine.connection.run(sql(`DELETE FROM ${this.#layout.table} WHERE n = ?`, n));
  }

  #prepareOperation(operation: BulkOperation<T>, options: WriteOptions): Operation {
    if ('insertOne' in operation) {
      const prepared = this.#prepareInsertion(operation.insertOne.document);
      const now = () => {
        this.#insert(prepared);
        return { insertedCount: 1 };
      };
      return { now, later: () => this.#write(now, options) };
    }
    if ('updateOne' in operation) {
      const { filter, update, upsert = false } = operation.updateOne;
      const query = this.#prepare(filter, { limit: 1 });
      const write = (found: Found | undefined) =>
        resultOf(this.#updateOrUpsert(found, filter, update, { upsert }));
      return {
        now: () => this.#writeFirstNow(query, write),
        later: () => this.#writeFirst(query, write, options),
      };
    }
    if ('deleteOne' in operation) {
      const query = this.#prepare(operation.deleteOne.filter, { limit: 1 });
      const write = (found: Found | undefined) => ({ deletedCount: found ? this.#delete(found.n) : 0 });
      return {
        now: () => this.#writeFirstNow(query, write),
        later: () => this.#writeFirst(query, write, options),
      };
    }
    const later =
      'updateMany' in operation
        ? () => this.updateMany(operation.updateMany.filter, operation.updateMany.update, options)
        : () => this.deleteMany(operation.deleteMany.filter, options);
    return { now: () => LONG, later };
  }
}

/** What a value of a tally is called: booleans are stored as numbers. */
function nameOf(value: unknown): string {
  return typeof value === 'string' ? value : String(value === 1);
}

/** Whether a document has elements in the array at a path. */
function hasElements(document: object, names: readonly string[]): boolean {
  let value: unknown = document;
  for (const name of names) value = (value as Fields | null | undefined)?.[name];
  return Array.isArray(value) && value.length > 0;
}

/** What a document holds at a path; nothing where an array is on the way. */
function scalarAt(document: Fields, names: readonly string[]): unknown {
  let value: unknown = document;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = (value as Fields)[name];
  }
  return value;
}

function resultOf(change: Change | undefined): UpdateResult {
  if (!change) return NOTHING;
  if (change.before === undefined) return { ...NOTHING, upsertedCount: 1 };
  return { ...NOTHING, matchedCount: 1, modifiedCount: change.before === change.after ? 0 : 1 };
}

function add(total: { -readonly [K in keyof BulkResult]: BulkResult[K] }, result: Partial<BulkResult>): void {
  total.insertedCount += result.insertedCount ?? 0;
  total.matchedCount += result.matchedCount ?? 0;
  total.modifiedCount += result.modifiedCount ?? 0;
  total.upsertedCount += result.upsertedCount ?? 0;
  total.deletedCount += result.deletedCount ?? 0;
}

/** The id that a filter asks for, if it asks for nothing else. */
function idAlone(filter: object): string | undefined {
  const [[path, id] = [], ...others] = Object.entries(filter);
  return path === '_id' && typeof id === 'string' && others.length === 0 ? id.toWellFormed() : undefined;
}

/** What a filter says a document equals: the start of the document that an upsert inserts. */
function equalities(filter: object): (readonly [path: string, value: unknown])[] {
  return Object.entries(filter).flatMap(([path, condition]): (readonly [string, unknown])[] => {
    if (path === '$and') return condition.flatMap(equalities);
    if (path.startsWith('$') || (typeof condition === 'object' && condition !== null)) return [];
    return [[path, condition]];
  });
}
