import { type CollectionDeclaration, declareCollection, type IndexDeclaration } from '@steward/store';
import type { Aggregate } from './aggregate.ts';

/** The index through which sweeps find documents with pending effects. */
const PENDING_INDEX: IndexDeclaration<Aggregate> = {
  name: 'pending',
  keys: [['pending.id', 1]],
  sparse: true,
};

/** A collection of aggregates. `openCollections` opens it as an `AggregateCollection`. */
export interface AggregateDeclaration<T extends Aggregate, U extends string = never>
  extends CollectionDeclaration<T> {
  /** The fields that may be written without a commit, because no decision depends on them. */
  readonly unversioned: readonly U[];
}

/**
 * Declares a collection of aggregates together with their type, and adds the index over pending effects.
 *
 * @throws TypeError when the declaration contradicts itself
 */
export function declareAggregate<T extends Aggregate, U extends keyof T & string = never>(
  declaration: CollectionDeclaration<T> & { readonly unversioned?: readonly U[] },
): AggregateDeclaration<T, U> {
  const { arrays = [], indexes, unversioned = [] } = declaration;
  return {
    ...declareCollection<T>({
      ...declaration,
      arrays: [...arrays, 'pending'] as unknown as NonNullable<CollectionDeclaration<T>['arrays']>,
      indexes: [...indexes, PENDING_INDEX as unknown as IndexDeclaration<T>],
    }),
    unversioned,
  };
}
