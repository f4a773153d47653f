/** The complete server in one process. */

export { importReference } from './import/record-formats.ts';
export { type AllInOneOptions, type RunningServer, startAllInOne } from './service.ts';
export { shardedCollections } from './shard/sharded-collections.ts';
export { storedDataReference } from './stored-data/stored-data-reference.ts';
