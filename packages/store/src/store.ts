import type { Collection } from './collection.ts';
import type { CollectionDeclaration, Doc } from './declaration.ts';

/** An engine that keeps collections. */
export interface Store {
  /** The collection of a declaration. What is declared and missing in the engine is created and filled first. */
  collection<T extends Doc>(declaration: CollectionDeclaration<T>): Promise<Collection<T>>;
  /** Finishes the writes that are under way and lets go of the engine. */
  close(): Promise<void>;
  /** Whether the engine answers. Never throws. */
  healthy(): Promise<boolean>;
}
