import type { ElementFilter, Path, PathOf, PathValue } from './filter.ts';

type Settable<T> = Exclude<Path<T>, '_id'>;
type ArrayPath<T> = PathOf<T, readonly unknown[]>;
type ElementAt<T, P extends string> = NonNullable<PathValue<T, P>> extends readonly (infer E)[] ? E : never;
type Several<E> = { readonly $each: readonly E[] };

/** Which elements `$pull` removes: a scalar element, one of several, or the objects that match. */
type Pulled<E> = E extends object ? ElementFilter<E> : E | { readonly $in: readonly E[] };

/**
 * A change of one document, with the meaning the operators have on MongoDB. No path may be given
 * twice, nor beside a path inside it. A value of `undefined` is ignored. A field on the way to a
 * path is created when it is missing, and refused when it holds anything but an object.
 */
export interface Update<T> {
  readonly $set?: { readonly [P in Settable<T>]?: PathValue<T, P> };
  readonly $unset?: { readonly [P in Settable<T>]?: true };
  /** Adds to a number; a missing field counts as 0, null is refused. */
  readonly $inc?: { readonly [P in Exclude<PathOf<T, number>, '_id'>]?: number };
  /** Lowers a value to this one; a missing field takes it, null is lower than any value. */
  readonly $min?: { readonly [P in Exclude<PathOf<T, number | string>, '_id'>]?: PathValue<T, P> };
  /** Raises a value to this one; a missing field and null take it. */
  readonly $max?: { readonly [P in Exclude<PathOf<T, number | string>, '_id'>]?: PathValue<T, P> };
  /** Appends to an array; a missing one is created, null is refused. */
  readonly $push?: { readonly [P in ArrayPath<T>]?: ElementAt<T, P> | Several<ElementAt<T, P>> };
  /** Removes elements from an array; a missing one stays missing, null is refused. */
  readonly $pull?: { readonly [P in ArrayPath<T>]?: Pulled<ElementAt<T, P>> };
  /** Appends what the array does not hold yet; objects are equal when they are written alike. */
  readonly $addToSet?: { readonly [P in ArrayPath<T>]?: ElementAt<T, P> | Several<ElementAt<T, P>> };
  /** Applies only when an upsert inserts. */
  readonly $setOnInsert?: { readonly [P in Path<T>]?: PathValue<T, P> };
}
