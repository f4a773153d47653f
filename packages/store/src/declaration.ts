import type { ElementPath, Path, PathOf } from './filter.ts';

/** Anything that is stored: JSON with a string id. Numbers are finite; `undefined` is not stored. */
export interface Doc {
  readonly _id: string;
}

/** An index over one or more paths. */
export interface IndexDeclaration<T> {
  /** Unique within the collection; what `Conflict.index` says. Letters, digits and `_`. */
  readonly name: string;
  /**
   * Paths and directions. `_id` ends every index: it is appended, ascending, where it is not given.
   * Paths that enter an array make an index with one entry per element; all of them enter the same array.
   */
  readonly keys: readonly (readonly [path: Path<T> | ElementPath<T>, direction: 1 | -1])[];
  /**
   * No two documents have the same values. It binds documents whose keys are all there and not
   * null; where a key may be absent declare `sparse` too, and leave the field out instead of
   * storing null. Equal elements within one document are no violation.
   */
  readonly unique?: boolean;
  /**
   * Only documents in which the first key is there; or those in which another path is, which spares the writes
   * that lack it: what is asked through such an index asks for a value of that path. Engines may keep the others
   * in it. An index over elements, or a unique one, is sparse by its first key only.
   */
  readonly sparse?: boolean | Path<T>;
}

/** What a collection is: its name, and what both engines must know of its documents. */
export interface CollectionDeclaration<T extends Doc> {
  /** `<service>.<collection>`, lower case: `user.accounts`. */
  readonly name: string;
  readonly indexes: readonly IndexDeclaration<T>[];
  /** The paths that hold arrays and appear in `indexes`. */
  readonly arrays?: readonly PathOf<T, readonly unknown[]>[];
  /** The string fields that `$contains` looks into. */
  readonly search?: readonly PathOf<T, string>[];
  /**
   * Those of them that hold ids: many documents share a value. The embedded engine keeps an exact count for each
   * value, so that it searches among the values, and counts without looking at documents.
   */
  readonly shared?: readonly PathOf<T, string>[];
  /** A field of strings or booleans; `tally()` answers the exact number of documents per value. */
  readonly tally?: PathOf<T, string | boolean>;
  /** The key by which a cluster spreads the collection. */
  readonly shardKey: string;
}

/**
 * Declares a collection beside its document type.
 *
 * @throws TypeError when the declaration contradicts itself
 */
export function declareCollection<T extends Doc>(
  declaration: CollectionDeclaration<T>,
): CollectionDeclaration<T> {
  const { name, indexes, arrays = [], search = [], shared = [] } = declaration;
  const fail = (what: string): never => {
    throw new TypeError(`Collection ${name}: ${what}`);
  };
  if (!/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/.test(name))
    fail('the name is not of the form service.collection');
  const unsearched = shared.find((path) => !search.includes(path));
  if (unsearched !== undefined) fail(`${unsearched} is shared, and not searched`);
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
