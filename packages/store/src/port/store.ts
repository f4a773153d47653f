import type { Collection } from './collection.ts';
import type { CollectionDeclaration, Doc } from './declaration.ts';

/** What an engine guarantees beyond the port. A caller takes a faster way only where the capability says so. */
export interface StoreCapabilities {
  /**
   * No other process has the store open while this one has it open. So what the process remembers of its own writes is
   * what is stored, and a lease that it finds when it opens the store was left by a crash.
   */
  readonly soleWriter: boolean;
  /**
   * `findOneAndUpdate` writes documents of other collections in the same atomic step (`along`), as
   * `Collection.insertion` and `Collection.alteration` prepare them. Without it callers insert such documents before the
   * update, in a form that readers ignore, and update them afterwards.
   */
  readonly insertsAlongCommit: boolean;
  /**
   * The bytes of documents approximate the storage that they take. Without it all collections share one file, in which
   * the part of a document is not known.
   */
  readonly estimatesStorage: boolean;
  /**
   * The store is open for an import: collections lack the indexes that it does not need, and a read that would need one of them
   * throws. So services do nothing in the background.
   */
  readonly loading: boolean;
}

/** An engine that keeps collections. */
export interface Store {
  /** What the engine guarantees beyond the port; the same as long as the store is open. */
  readonly capabilities: StoreCapabilities;
  /** The collection of a declaration. Creates and fills first what is declared and missing in the engine. */
  collection<T extends Doc>(declaration: CollectionDeclaration<T>): Promise<Collection<T>>;
  /**
   * The id of some document of a collection, if there is one. Creates nothing, and needs no declaration.
   *
   * @throws Unavailable like the operations of a collection
   */
  someId(collection: string): Promise<string | undefined>;
  /** Finishes the writes in progress, then releases the engine. */
  close(): Promise<void>;
  /** Whether the engine answers. Never throws. */
  healthy(): Promise<boolean>;
}
