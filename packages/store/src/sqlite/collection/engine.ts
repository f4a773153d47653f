import type { Connection } from '../engine/connection.ts';
import type { Reader } from '../engine/reader.ts';
import type { RecentDocuments } from '../engine/recent-documents.ts';
import type { RecentResults } from '../engine/recent-results.ts';
import type { Revision } from '../engine/revision.ts';
import type { WriteQueue } from '../engine/write-queue.ts';
import type { Limits } from '../plan/limits.ts';
import type { Views } from '../views/views.ts';

/** What the collections of a store share. */
export interface Engine {
  readonly connection: Connection;
  readonly writes: WriteQueue;
  readonly reader: Reader;
  readonly limits: Limits;
  readonly results: RecentResults;
  /** The recent documents of a collection, by its name; the same for all who open the collection. */
  recent(collection: string): RecentDocuments;
  /** The revision of a collection, by its name; the same for all who open the collection. */
  revision(collection: string): Revision;
  /** The views of a collection, by its name; the same for all who open the collection. */
  views(collection: string): Views;
}
