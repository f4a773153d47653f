import type { BlobStore } from '@steward/media';
import type { Doc, StoredDocument } from '@steward/store';
import type { Progress } from '../command/progress.ts';
import type { Manifest } from './manifest.ts';

/** The server that is backed up: its engines, in addition to its processes. */
export interface Source {
  readonly engine: Manifest['engine'];
  /** Copies the documents as they are at one moment, and what belongs to that moment, into files of a folder. */
  copyDocuments(folder: string, progress?: Progress): Promise<CopiedDocuments>;
  /** A document as it is now. */
  current(collection: string, id: string): Promise<Doc | undefined>;
  readonly blobs: BlobStore;
  close(): Promise<void>;
}

/** A copy of documents in a folder. */
export interface CopiedDocuments {
  readonly cut: Manifest['cut'];
  /** The number of documents in each collection. */
  readonly counts: ReadonlyMap<string, number>;
  /** The names of the files in the folder. */
  readonly files: readonly string[];
  /** The copied documents of a collection. */
  read(collection: string): AsyncIterable<StoredDocument>;
}
