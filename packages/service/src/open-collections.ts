import type { Collection, CollectionDeclaration, Doc, Store } from '@steward/store';
import type { Aggregate } from './aggregate.ts';
import { type AggregateCollection, AggregateCollectionWithFields } from './aggregate-collection.ts';
import type { AggregateDeclaration } from './declare-aggregate.ts';

/** The collections of a service, by the names under which its dependencies hold them. */
export type CollectionList = Readonly<Record<string, { readonly name: string }>>;

/** The type of the opened collection of a declaration. */
export type OpenedCollection<C> =
  C extends AggregateDeclaration<infer T extends Aggregate, infer U extends string>
    ? [U] extends [never]
      ? AggregateCollection<T>
      : AggregateCollectionWithFields<T, U>
    : C extends CollectionDeclaration<infer T extends Doc>
      ? Collection<T>
      : never;

/** The opened collections of a list; a service's dependencies extend it. */
export type OpenedCollections<L extends CollectionList> = { readonly [K in keyof L]: OpenedCollection<L[K]> };

/** Opens the collections of a list sequentially: those of aggregates for reading, the others also for writing. */
export async function openCollections<const L extends CollectionList>(
  store: Store,
  list: L,
): Promise<OpenedCollections<L>> {
  const opened: Record<string, unknown> = {};
  for (const [key, declaration] of Object.entries(list)) {
    const collection = await store.collection(declaration as CollectionDeclaration<Aggregate>);
    opened[key] =
      'unversioned' in declaration
        ? new AggregateCollectionWithFields(collection, store.capabilities)
        : collection;
  }
  return opened as OpenedCollections<L>;
}
