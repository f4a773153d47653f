import type { ElementFilter, Path, PathOf, PathValue } from './filter.ts';

type Settable<T> = Exclude<Path<T>, '_id'>;
type ArrayPath<T> = PathOf<T, readonly unknown[]>;
type ElementAt<T, P extends string> = NonNullable<PathValue<T, P>> extends readonly (infer E)[] ? E : never;
type Several<E> = { readonly $each: readonly E[] };

/** The elements that `$pull` removes: a scalar, one of several scalars, or the objects that match. */
type Pulled<E> = E extends object ? ElementFilter<E> : E | { readonly $in: readonly E[] };

/**
 * A change of one document, with the meaning of the operators on MongoDB. An update must not name a path twice, or a path
 * and its parent. A value of `undefined` is ignored. A missing parent of a path is created; a parent that is not an
 * object is an error.
 */
export interface Update<T> {
  readonly $set?: { readonly [P in Settable<T>]?: PathValue<T, P> };
  readonly $unset?: { readonly [P in Settable<T>]?: true };
  /** Adds to a number; a missing field counts as 0, null is an error. */
  readonly $inc?: { readonly [P in Exclude<PathOf<T, number>, '_id'>]?: number };
  /** Lowers a value to this one. Sets a missing field; null is lower than any value. */
  readonly $min?: { readonly [P in Exclude<PathOf<T, number | string>, '_id'>]?: PathValue<T, P> };
  /** Raises a value to this one. Sets a missing field and null. */
  readonly $max?: { readonly [P in Exclude<PathOf<T, number | string>, '_id'>]?: PathValue<T, P> };
  /** Appends to an array. Creates a missing one; null is an error. */
  readonly $push?: { readonly [P in ArrayPath<T>]?: ElementAt<T, P> | Several<ElementAt<T, P>> };
  /** Removes elements from an array. A missing one stays missing; null is an error. */
  readonly $pull?: { readonly [P in ArrayPath<T>]?: Pulled<ElementAt<T, P>> };
  /** Appends the elements that the array does not hold yet. Objects are equal when their JSON texts are. */
  readonly $addToSet?: { readonly [P in ArrayPath<T>]?: ElementAt<T, P> | Several<ElementAt<T, P>> };
  /** Applies only when an upsert inserts. */
  readonly $setOnInsert?: { readonly [P in Path<T>]?: PathValue<T, P> };
}
