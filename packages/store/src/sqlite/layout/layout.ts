import type { CollectionDeclaration, Doc } from '../../port/declaration.ts';
import { identifier, jsonPath } from '../engine/sql.ts';

/** One key of an index: the path, and the column that holds it in the index's table. */
export interface KeyLayout {
  readonly path: string;
  readonly column: string;
  readonly descending: boolean;
  /** Whether there is one entry per element of an array. */
  readonly perElement: boolean;
}

/** An index of SQLite, over the collection's table or over a side table. Names are quoted. */
export interface IndexLayout {
  /** The declared name, or `_id`. */
  readonly name: string;
  readonly sqlName: string;
  readonly table: string;
  /** The last one is `_id`, unless the index is unique. */
  readonly keys: readonly KeyLayout[];
  readonly unique: boolean;
  /** The path that all documents in the index have, and its column. */
  readonly sparse?: { readonly path: string; readonly column: string };
  /** The array of which the side table has one row per element. */
  readonly array?: string;
}

/**
 * A table of the distinct values of a path. Each row has a `value`, a `part` (a value of the tally path), and `total`,
 * the exact number of documents with both.
 */
export interface SharedLayout {
  readonly path: string;
  readonly table: string;
}

/** The structures with which terms are searched in some paths. */
export interface SearchLayout {
  /** The full-text index, which lacks the latest changes. */
  readonly table: string;
  /** The index over the searched columns. */
  readonly index: string;
  /** The rows `n` that were changed since the full-text index was brought up to date. */
  readonly unsearched: string;
  readonly paths: readonly string[];
}

/** The tables, columns and indexes of a collection in the file. Names are quoted. */
export interface Layout {
  readonly name: string;
  /** Has the columns `n` (the row), `id`, `doc` (JSONB), and one per declared scalar path, which every write keeps equal to the document. */
  readonly table: string;
  /** The columns of scalar paths. */
  readonly columns: ReadonlyMap<string, string>;
  readonly indexes: readonly IndexLayout[];
  readonly search?: SearchLayout;
  /** The tables of distinct values, by the searched paths that have one in place of the full-text index. */
  readonly shared: ReadonlyMap<string, SharedLayout>;
  readonly tally?: { readonly table: string; readonly path: string };
  /** The names of the indexes that are kept while documents are loaded; absent if nothing may wait for the end. */
  readonly whileLoading?: ReadonlySet<string>;
  /** Whether this is the part of a layout that is kept while documents are loaded. */
  readonly isLoading?: boolean;
}

/** Derives the layout of a collection from its declaration. */
export function layOut<T extends Doc>(declaration: CollectionDeclaration<T>): Layout {
  const { name } = declaration;
  const arrays: readonly string[] = declaration.arrays ?? [];
  const shared: readonly string[] = declaration.shared ?? [];
  const searched: readonly string[] = declaration.search ?? [];
  const search = searched.filter((path) => !shared.includes(path));
  const tally: string | undefined = declaration.tally;
  const table = identifier(name);
  const columns = new Map([['_id', 'id']]);
  const columnOf = (path: string): string => {
    const column = columns.get(path) ?? identifier(`.${path}`);
    columns.set(path, column);
    return column;
  };

  const indexes: IndexLayout[] = [
    {
      name: '_id',
      sqlName: identifier(`${name}/_id`),
      table,
      keys: [{ path: '_id', column: 'id', descending: false, perElement: false }],
      unique: true,
    },
  ];
  for (const declared of declaration.indexes) {
    const { unique = false, sparse = false } = declared;
    const keys: (readonly [path: string, direction: 1 | -1])[] = [...declared.keys];
    if (!unique && !keys.some(([path]) => path === '_id')) keys.push(['_id', 1]);
    // The triggers of a side table read scalar keys from columns of the collection's table.
    for (const [path] of keys) if (!arrays.some((entered) => entersArray(path, entered))) columnOf(path);
    const array = arrays.find((entered) => keys.some(([path]) => entersArray(path, entered)));
    const laidOut = keys.map(([path, direction], i) => ({
      path,
      column: array === undefined ? columnOf(path) : `k${i}`,
      descending: direction === -1,
      perElement: array !== undefined && entersArray(path, array),
    }));
    const present = typeof sparse === 'string' ? { path: sparse, column: columnOf(sparse) } : laidOut[0];
    indexes.push({
      name: declared.name,
      sqlName: identifier(`${name}/${declared.name}`),
      table: array === undefined ? table : identifier(`${name}/${declared.name}/elements`),
      keys: laidOut,
      unique,
      ...(sparse && present ? { sparse: { path: present.path, column: present.column } } : {}),
      ...(array === undefined ? {} : { array }),
    });
  }
  for (const path of searched) columnOf(path);
  if (tally !== undefined) columnOf(tally);
  return {
    name,
    table,
    columns,
    indexes,
    ...(search.length === 0
      ? {}
      : {
          search: {
            table: identifier(`${name}//search`),
            index: identifier(`${name}//searched`),
            unsearched: identifier(`${name}//unsearched`),
            paths: search,
          },
        }),
    shared: new Map(shared.map((path) => [path, { path, table: identifier(`${name}//values/${path}`) }])),
    ...(tally === undefined ? {} : { tally: { table: identifier(`${name}//tally`), path: tally } }),
    ...(declaration.whileLoading
      ? {
          whileLoading: new Set([
            '_id',
            ...declaration.whileLoading,
            ...declaration.indexes.flatMap(({ name, unique, sparse }) =>
              unique || sparse === true ? [name] : [],
            ),
          ]),
        }
      : {}),
  };
}

/** The part of a layout that is kept while documents are loaded: all columns, and the indexes that loads need. */
export function loadingPart({ search: _, tally: __, ...layout }: Layout): Layout {
  const { whileLoading } = layout;
  return {
    ...layout,
    indexes: layout.indexes.filter(({ name }) => whileLoading?.has(name)),
    shared: new Map(),
    isLoading: true,
  };
}

/** Whether a path is an array, or enters its elements. */
function entersArray(path: string, array: string): boolean {
  return path === array || path.startsWith(`${array}.`);
}

/**
 * SQL that reads the scalar at a path of a document.
 *
 * @param document SQL of type JSON
 */
export function scalarOf(document: string, path: string): string {
  return `${document} ->> ${jsonPath(path.split('.'))}`;
}

/** SQL that reads the scalar at a path of a row. */
export function valueAt(layout: Layout, path: string): string {
  return layout.columns.get(path) ?? `(${scalarOf('doc', path)})`;
}
