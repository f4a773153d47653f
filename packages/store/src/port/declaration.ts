import type { ElementPath, Path, PathOf } from './filter.ts';

/** A stored document: JSON with a string id. Numbers are finite, and fields that are `undefined` are not stored. */
export interface Doc {
  readonly _id: string;
}

/** An index over one or more paths. */
export interface IndexDeclaration<T> {
  /** Unique within the collection, of letters, digits and `_`. `Conflict.index` contains it. */
  readonly name: string;
  /**
   * Paths and directions. Every index ends with `_id`, which is appended in ascending order where it is not given.
   * Paths that enter an array make an index with one entry per element, and all of them enter the same array.
   */
  readonly keys: readonly (readonly [path: Path<T> | ElementPath<T>, direction: 1 | -1])[];
  /**
   * Whether no two documents have the same values. This applies to documents in which all keys are present and not null.
   * Where a key can be absent, declare `sparse`, too, and leave the field out instead of storing null. Equal elements
   * within one document do not conflict.
   */
  readonly unique?: boolean;
  /**
   * Whether the index holds only documents that have the first key; or, as a path, those that have that path, so that
   * other writes cost nothing. A query uses the latter only if it tests the path. An engine can keep the other documents
   * in the index. An index over elements, or a unique one, is sparse by its first key only.
   */
  readonly sparse?: boolean | Path<T>;
}

/** The declaration of a collection: its name, and what the engines must know about its documents. */
export interface CollectionDeclaration<T extends Doc> {
  /** `<service>.<collection>` in lower case, e.g. `user.accounts`. */
  readonly name: string;
  readonly indexes: readonly IndexDeclaration<T>[];
  /** The paths that hold arrays and appear in `indexes`. */
  readonly arrays?: readonly PathOf<T, readonly unknown[]>[];
  /** The string fields that `$contains` searches. */
  readonly search?: readonly PathOf<T, string>[];
  /**
   * Those of the `search` fields whose values many documents share, e.g. ids. The embedded engine keeps an exact count
   * for each value, so that it searches the distinct values, and counts without reading documents.
   */
  readonly shared?: readonly PathOf<T, string>[];
  /** A field of strings or booleans, for which `tally()` returns the exact number of documents per value. */
  readonly tally?: PathOf<T, string | boolean>;
  /**
   * Present if imports load many documents, which they find by id: the names of the indexes that they need besides the
   * unique and sparse ones. A store that is open for loading builds the others when it is closed.
   */
  readonly whileLoading?: readonly string[];
  /**
   * The path by whose hash a sharded cluster distributes the documents; null for a collection that stays on one shard,
   * because it is small, or has a unique index, which a cluster cannot keep over several shards. A query that tests the path
   * by equality reaches one shard. No update changes the value.
   */
  readonly shardKey: PathOf<T, string> | null;
  /** The value of the shard key in the document with an id, so that a query by id reaches one shard. */
  readonly shardKeyOfId?: (id: string) => string;
}

/**
 * Declares a collection together with its document type.
 *
 * @throws TypeError when the declaration is inconsistent
 */
export function declareCollection<T extends Doc>(
  declaration: CollectionDeclaration<T>,
): CollectionDeclaration<T> {
  const { name, indexes, arrays = [], search = [], shared = [], whileLoading = [] } = declaration;
  const fail = (what: string): never => {
    throw new TypeError(`Collection ${name}: ${what}`);
  };
  if (!/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/.test(name))
    fail('the name is not of the form service.collection');
  const unsearched = shared.find((path) => !search.includes(path));
  if (unsearched !== undefined) fail(`${unsearched} is shared, but not searched`);
  const unknown = whileLoading.find((index) => !indexes.some((declared) => declared.name === index));
  if (unknown !== undefined) fail(`index ${unknown} is needed while loading, but not declared`);
  const unique = indexes.find((index) => index.unique);
  if (unique && declaration.shardKey !== null)
    fail(`a cluster cannot shard it with unique index ${unique.name}`);
  const names = new Set(['_id']);
  for (const index of indexes) {
    if (!/^[A-Za-z0-9_]+$/.test(index.name))
      fail(`index name ${index.name} has other than letters, digits and _`);
    if (names.has(index.name)) fail(`index ${index.name} is declared twice`);
    names.add(index.name);
    if (index.keys.length === 0) fail(`index ${index.name} has no keys`);
    const entered = index.keys.flatMap(([path]) =>
      arrays.filter((a) => path === a || path.startsWith(`${a}.`)),
    );
    if (new Set(entered).size > 1) fail(`index ${index.name} enters more than one array`);
    if (typeof index.sparse === 'string' && (index.unique || entered.length > 0))
      fail(`index ${index.name} can be sparse by its first key only`);
  }
  return declaration;
}
