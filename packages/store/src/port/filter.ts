type Shallower = readonly [never, 0, 1, 2];

/** The object type behind a field that holds a plain object; `never` for scalars and arrays. */
type Nested<V> =
  NonNullable<V> extends readonly unknown[] ? never : NonNullable<V> extends object ? NonNullable<V> : never;

type DeclaredKey<T> = keyof { [K in keyof T as string extends K ? never : K]: T[K] } & string;

/** The names of an object's fields; of a map without declared names, any string. */
type Key<T> = [DeclaredKey<T>] extends [never] ? keyof T & string : DeclaredKey<T>;

/** Dotted paths through objects, at most four names long; they do not enter arrays. */
export type Path<T, D extends number = 3> = {
  [K in Key<T>]-?:
    | K
    | (D extends 0
        ? never
        : [Nested<T[K]>] extends [never]
          ? never
          : `${K}.${Path<Nested<T[K]>, Shallower[D]>}`);
}[Key<T>];

/** Dotted paths that end in a field of the objects in one array, e.g. `external_ids.key`. */
export type ElementPath<T, D extends number = 3> = {
  [K in Key<T>]-?: NonNullable<T[K]> extends readonly (infer E)[]
    ? [Nested<E>] extends [never]
      ? never
      : `${K}.${Key<Nested<E>>}`
    : D extends 0
      ? never
      : [Nested<T[K]>] extends [never]
        ? never
        : `${K}.${ElementPath<Nested<T[K]>, Shallower[D]>}`;
}[Key<T>];

/** The type of the value at a path; for an element path the type of the field of one element. */
export type PathValue<T, P extends string> = P extends keyof T
  ? T[P]
  : P extends `${infer K}.${infer Rest}`
    ? K extends keyof T
      ? NonNullable<T[K]> extends readonly (infer E)[]
        ? PathValue<NonNullable<E>, Rest>
        : PathValue<NonNullable<T[K]>, Rest>
      : never
    : never;

/** The paths of `T` whose value fits `V`. */
export type PathOf<T, V> = {
  [P in Path<T>]: NonNullable<PathValue<T, P>> extends V ? P : never;
}[Path<T>];

type ElementOf<V> = NonNullable<V> extends readonly (infer E)[] ? E : V;
type Comparable<V> = ElementOf<V> extends infer E ? (E extends string | number | boolean ? E : never) : never;
type Ordered<V> = Comparable<V> extends infer E ? (E extends string | number ? E : never) : never;

/** The operators that test one value. All that are given must hold. */
export interface Operators<V, Null = null> {
  readonly $in?: readonly (Comparable<V> | Null)[];
  readonly $nin?: readonly (Comparable<V> | Null)[];
  readonly $ne?: Comparable<V> | Null;
  readonly $gt?: Ordered<V>;
  readonly $gte?: Ordered<V>;
  readonly $lt?: Ordered<V>;
  readonly $lte?: Ordered<V>;
  /** Whether the field is present; a field that holds null is. */
  readonly $exists?: boolean;
}

/** The conditions that one element of an array satisfies together: on the fields of an object, or on a scalar. */
export type ElementFilter<E> = [Nested<E>] extends [never]
  ? Operators<E, never>
  : {
      readonly [P in Path<Nested<E>, 1>]?:
        | Comparable<PathValue<Nested<E>, P>>
        | Operators<PathValue<Nested<E>, P>>;
    };

type ArrayOperators<V> =
  NonNullable<V> extends readonly (infer E)[]
    ? { readonly $elemMatch?: ElementFilter<E> }
    : { readonly $elemMatch?: never };

/**
 * A condition on a field: a value that it equals, or operators. `null` equals both null and a missing field. A condition
 * on an array holds when it holds for at least one element (`$ne` and `$nin`: for none). `$gt`, `$gte`, `$lt` and `$lte`
 * never match null or a missing field.
 */
export type Condition<V> = Comparable<V> | null | (Operators<V> & ArrayOperators<V>);

/**
 * A search for a term inside string fields. No character of the term has a special meaning. Upper and lower case differ,
 * so the caller folds the term and the stored fields. An empty term matches every string.
 */
export interface ContainsSearch<T> {
  /** At least one of these fields contains the term. All are declared as `search`. */
  readonly paths: readonly PathOf<T, string>[];
  readonly term: string;
}

/**
 * A selection of documents: all conditions must hold. A subset of the MongoDB filter, so that a filter that one of the
 * engines cannot answer does not compile. A condition that is `undefined` throws `TypeError`, because ignoring it would
 * widen the filter.
 */
export type Filter<T> = {
  readonly [P in Path<T>]?: Condition<PathValue<T, P>>;
} & {
  readonly [P in ElementPath<T>]?: Comparable<PathValue<T, P>> | Operators<PathValue<T, P>, never>;
} & {
  readonly $and?: readonly Filter<T>[];
  readonly $or?: readonly Filter<T>[];
  readonly $nor?: readonly Filter<T>[];
  /** At the top level of a filter, or in a top-level `$and`. */
  readonly $contains?: ContainsSearch<T>;
};

/**
 * The order of results, by the keys in the order in which they are written. Null and missing fields come first, then
 * false, then true; strings are ordered by code point. A sort that ends with `_id` is a total order.
 */
export type Sort<T> = { readonly [P in PathOf<T, string | number | boolean>]?: 1 | -1 };

/**
 * The top-level fields to return. `_id` is returned, too, unless it is 0 beside other fields. The result keeps the type of
 * the document.
 */
export type Projection<T> = { readonly [K in Exclude<keyof T & string, '_id'>]?: 1 } & {
  readonly _id?: 0 | 1;
};
