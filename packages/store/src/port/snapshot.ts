import type { Doc } from './declaration.ts';

/** A document and its collection, without its declaration. */
export interface StoredDocument {
  readonly collection: string;
  readonly document: Doc;
}

/** All documents of a store as they were at one point in time, while others may go on writing. */
export interface Snapshot {
  /**
   * The documents, collection by collection, read as they are consumed. Can be called once.
   *
   * @param only the collections to read; all unless given
   * @throws Unavailable when the engine cannot be read, or no longer has that point in time
   */
  documents(only?: readonly string[]): AsyncIterable<StoredDocument>;
  /** A document as it is now, after the point in time. */
  current(collection: string, id: string): Promise<Doc | undefined>;
  close(): Promise<void>;
}
