import type { Doc } from '../../port/declaration.ts';
import type { Filter } from '../../port/filter.ts';
import type { Update } from '../../port/update.ts';
import { columnsOf, deletion, updateOf } from '../compile/documents.ts';
import type { FieldChanges } from '../compile/field-changes.ts';
import { allOrNothing } from '../engine/all-or-nothing.ts';
import type { Connection } from '../engine/connection.ts';
import type { RecentDocuments } from '../engine/recent-documents.ts';
import type { Revision } from '../engine/revision.ts';
import { sql } from '../engine/sql.ts';
import type { Found } from '../execute/load.ts';
import { type Layout, scalarOf } from '../layout/layout.ts';
import type { Query } from '../plan/query.ts';
import { elementsOf } from '../schema/index-structures.ts';
import { type Scalars, valueAt } from '../views/scalars.ts';
import type { Views } from '../views/views.ts';
import { applyUpdate, type Fields, setPath } from './apply-update.ts';
import type { Change } from './change.ts';
import { writeDocument } from './write-document.ts';

/** A document that is ready to be inserted. */
export interface PreparedInsertion {
  readonly id: string;
  readonly text: string;
  /** The statements that add its elements to side tables, by its row. */
  readonly elements: readonly string[];
}

/** What must learn of every write to a collection. */
export interface Followers {
  readonly recent: RecentDocuments;
  readonly revision: Revision;
  readonly views: Views;
}

/** A column that repeats the scalar at a path. */
interface Column {
  readonly names: readonly string[];
  readonly column: string;
  /** SQL that reads the scalar from the text of the document, which is the second parameter. */
  readonly value: string;
}

/** Writes the rows of a collection. Every method except `prepare` runs inside an open transaction. */
export class TableWriter<T extends Doc> {
  readonly #connection: Connection;
  readonly #layout: Layout;
  readonly #recent: RecentDocuments;
  readonly #revision: Revision;
  readonly #views: Views;
  readonly #columns: readonly Column[];
  readonly #insertion: string;
  /** The statements that add the elements of a row to side tables, and the arrays in its document that hold them. */
  readonly #elements: readonly { readonly names: readonly string[]; readonly insertion: string }[];

  constructor(connection: Connection, layout: Layout, { recent, revision, views }: Followers) {
    this.#connection = connection;
    this.#layout = layout;
    this.#recent = recent;
    this.#revision = revision;
    this.#views = views;
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

  /** Prepares the insertion of a document, outside a transaction. */
  prepare(document: T | Fields): PreparedInsertion {
    const text = writeDocument(document);
    const elements = this.#elements.filter(({ names }) => hasElements(document, names));
    return {
      id: String(document._id).toWellFormed(),
      text,
      elements: elements.map(({ insertion }) => insertion),
    };
  }

  /** @returns a function that deletes the row again, inside the same transaction */
  insert({ id, text, elements }: PreparedInsertion): () => void {
    let n = 0;
    this.#revision.number++;
    const insert = () => {
      n = this.#connection.insert(sql(this.#insertion, id, text));
      if (this.#views.recording) {
        this.#views.record({ before: undefined, after: this.#views.scalarsOf(JSON.parse(text)) });
      }
      return () => this.deleteAll([n]);
    };
    const addElements = elements.map((statement) => () => {
      this.#connection.run(sql(statement, n));
      return () => {};
    });
    return allOrNothing(this.#connection, [insert, ...addElements]);
  }

  /** @param options whether the document is about to be read or updated again, as one is that was updated alone */
  update(
    { n, document: before, parsed }: Found,
    update: Update<T>,
    { isRecent = false }: { readonly isRecent?: boolean } = {},
  ): Change {
    const document = (parsed ?? JSON.parse(before)) as Fields;
    const scalars = this.#columns.map(({ names }) => valueAt(document, names));
    const recorded = this.#views.recording ? this.#views.scalarsOf(document) : undefined;
    applyUpdate(document, update, { inserting: false });
    const after = writeDocument(document);
    if (after !== before) {
      // A column that keeps its value is left out, so that SQLite does not touch the indexes over it.
      const changed = this.#columns.filter(({ names }, i) => {
        const value = valueAt(document, names);
        return value !== scalars[i] || (typeof value === 'object' && value !== null);
      });
      const changes = changed.map(({ column, value }) => `, ${column} = ${value}`).join('');
      // Indexes over elements are kept by triggers, which do not tell whether they changed anything.
      if (changed.length > 0 || this.#elements.length > 0) this.#revision.number++;
      this.#recent.forget(n);
      const statement = `UPDATE ${this.#layout.table} SET doc = jsonb(?2)${changes} WHERE n = ?1`;
      this.#connection.run(sql(statement, n, after));
      if (isRecent) this.#recent.keepWritten(n, String(document._id), after);
      if (recorded) this.#views.record({ before: recorded, after: this.#views.scalarsOf(document) });
    }
    return { before, after };
  }

  /**
   * Makes the same changes of rows with one statement; with a query, of those of them that match.
   *
   * @returns the rows that were changed; the others have to be updated one by one
   */
  updateFields(rows: readonly number[], changes: FieldChanges, query?: Query): readonly number[] {
    const before = this.#views.recording ? this.#columnsOf(rows, query) : undefined;
    const updated = this.#connection
      .all(updateOf(this.#layout, rows, changes, query))
      .map(([n]) => Number(n));
    if (updated.length === 0) return updated;
    if (changes.hasColumns || this.#elements.length > 0) this.#revision.number++;
    for (const n of updated) this.#recent.forget(n);
    if (before && changes.hasColumns) {
      const after = this.#columnsOf(updated);
      for (const n of updated) this.#views.record({ before: before.get(n), after: after.get(n) });
    }
    return updated;
  }

  /** Updates the document that was found, or without one inserts what `upsert` makes of the filter and the update. */
  updateOrUpsert(
    found: Found | undefined,
    filter: Filter<T>,
    update: Update<T>,
    options: { readonly upsert?: boolean },
  ): Change | undefined {
    if (found) return this.update(found, update, { isRecent: true });
    return options.upsert ? this.#upsert(filter, update) : undefined;
  }

  /** @returns the number of rows deleted */
  delete(n: number): number {
    return this.deleteAll([n]);
  }

  /**
   * Deletes rows; with a query, those of them that match.
   *
   * @returns the number of rows deleted
   */
  deleteAll(rows: readonly number[], query?: Query): number {
    this.#revision.number++;
    for (const n of rows) this.#recent.forget(n);
    const statement = deletion(this.#layout, rows, query);
    if (!this.#views.recording) return this.#connection.run(statement);
    const deleted = this.#columnsOf(rows, query);
    const count = this.#connection.run(statement);
    for (const before of deleted.values()) this.#views.record({ before, after: undefined });
    return count;
  }

  #upsert(filter: Filter<T>, update: Update<T>): Change {
    const document: Fields = {};
    for (const [path, value] of equalities(filter)) setPath(document, path, value);
    applyUpdate(document, update, { inserting: true });
    const prepared = this.prepare(document);
    this.insert(prepared);
    return { before: undefined, after: prepared.text };
  }

  /** What views know of rows; nothing, and no view is left, when a row has an integer that a number cannot hold. */
  #columnsOf(rows: readonly number[], query?: Query): ReadonlyMap<number, Scalars> {
    try {
      const found = this.#connection.all(columnsOf(this.#layout, rows, query));
      return new Map(found.map(([n, ...scalars]) => [Number(n), scalars as Scalars]));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#views.clear();
      return new Map();
    }
  }
}

/** Whether a document has elements in the array at a path. */
function hasElements(document: object, names: readonly string[]): boolean {
  let value: unknown = document;
  for (const name of names) value = (value as Fields | null | undefined)?.[name];
  return Array.isArray(value) && value.length > 0;
}

/** The equalities of a filter, with which the document of an upsert begins. */
function equalities(filter: object): (readonly [path: string, value: unknown])[] {
  return Object.entries(filter).flatMap(([path, condition]): (readonly [string, unknown])[] => {
    if (path === '$and') return condition.flatMap(equalities);
    if (path.startsWith('$') || (typeof condition === 'object' && condition !== null)) return [];
    return [[path, condition]];
  });
}
