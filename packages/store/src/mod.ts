/** The port through which services store documents, and its engines: SQLite for one process, MongoDB for several. */
export { forEachBatch, type Removal, removeBatch, removeInBatches } from './batches.ts';
export { type Migration, type MigrationOptions, type MigrationProgress, migrate } from './migrate.ts';
export type { MongoServer } from './mongo/client/connect.ts';
export { loadDocuments } from './mongo/load-documents.ts';
export { openMongoSnapshot } from './mongo/mongo-snapshot.ts';
export { isMongoStore, type MongoStore, type MongoStoreOptions, openMongoStore } from './mongo/open.ts';
export { type Cluster, openCluster } from './mongo/shard/cluster.ts';
export {
  type ShardedCollection,
  type ShardOutcome,
  shardCollections,
} from './mongo/shard/shard-collections.ts';
export { storedCollections } from './mongo/stored-collections.ts';
export { addressOf } from './mongo/translate/connect-error.ts';
export { translateError } from './mongo/translate/translate-error.ts';
export {
  type Along,
  type BulkOperation,
  type BulkOptions,
  type BulkResult,
  type Collection,
  type DeleteResult,
  type FindCursor,
  type FindOptions,
  type Group,
  type GroupOptions,
  type Groups,
  NOT_FLUSHED,
  type Totals,
  type UpdateById,
  type UpdateResult,
  type WriteOptions,
  type WritesAlong,
} from './port/collection.ts';
export {
  type CollectionDeclaration,
  type Doc,
  declareCollection,
  type IndexDeclaration,
} from './port/declaration.ts';
export { Conflict, Unavailable, Unusable } from './port/errors.ts';
export type { Condition, ContainsSearch, Filter, PathOf, Projection, Sort } from './port/filter.ts';
export { firstId, firstOfList } from './port/shard-key-of-id.ts';
export type { Snapshot, StoredDocument } from './port/snapshot.ts';
export type { Store, StoreCapabilities } from './port/store.ts';
export type { Update } from './port/update.ts';
export { type RetryDeps, type RetryOptions, retryOnConflict } from './retry-on-conflict.ts';
export { declareServerKeys, type ServerKey, sharedKey } from './shared-key.ts';
export { copySqliteFile } from './sqlite/copy-file.ts';
export { lockDirectory } from './sqlite/lock-directory.ts';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/open.ts';
export type { BuildProgress } from './sqlite/schema/ensure-schema.ts';
export { openSortedDocuments, type SortedDocuments, spoolDocuments } from './sqlite/sorted-documents.ts';
export { openSqliteSnapshot } from './sqlite/sqlite-snapshot.ts';
export { traceStore } from './trace-store.ts';
