/** The complete server in one process. */

export { type AllInOneOptions, type RunningServer, startAllInOne } from './service.ts';
export { shardedCollections } from './shard/sharded-collections.ts';
