import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'mongodb';
import type { CollectionDeclaration, Doc } from '../../port/declaration.ts';
import type { Cluster } from './cluster.ts';

/** What is the case with a collection: it is distributed by its key already, or from now on, or by another key. */
export type ShardOutcome = 'was' | 'is' | 'would be' | 'differs';

/** A collection, the path of its key, and what is the case with it. */
export interface ShardedCollection {
  readonly collection: string;
  readonly path: string;
  readonly outcome: ShardOutcome;
}

/**
 * Distributes the declared collections over the shards of a cluster, by the hashes of their keys, and reports one after the
 * other. What is distributed already is left as it is, so that it can be repeated after an interruption, while the server
 * is running. The cluster then moves documents in the background.
 *
 * @param options.isDryRun reports what would be done, and changes nothing
 * @throws Error with a message of one line when the server is not a router of a cluster
 */
export async function* shardCollections(
  cluster: Pick<Cluster, 'isRouter' | 'keyOf' | 'shard'>,
  declarations: readonly Pick<CollectionDeclaration<Doc>, 'name' | 'shardKey'>[],
  { isDryRun }: { readonly isDryRun: boolean },
): AsyncGenerator<ShardedCollection> {
  if (!cluster.isRouter) {
    throw new Error(
      'The database is not a sharded cluster: STEWARD_STORE must name its routers (mongos). A single server and a replica set need no keys.',
    );
  }
  for (const { name, shardKey } of declarations) {
    if (shardKey === null) continue;
    const key = { [shardKey]: 'hashed' };
    const outcome = outcomeOf(await cluster.keyOf(name), key) ?? (await shard(cluster, name, key, isDryRun));
    yield { collection: name, path: shardKey, outcome };
  }
}

async function shard(
  cluster: Pick<Cluster, 'keyOf' | 'shard'>,
  name: string,
  key: Document,
  isDryRun: boolean,
): Promise<ShardOutcome> {
  if (isDryRun) return 'would be';
  try {
    await cluster.shard(name, key);
    return 'is';
  } catch (error) {
    // The same command may run twice at once.
    const outcome = outcomeOf(await cluster.keyOf(name), key);
    if (outcome === undefined) throw error;
    return outcome;
  }
}

function outcomeOf(present: Document | undefined, key: Document): 'was' | 'differs' | undefined {
  if (!present) return undefined;
  return isDeepStrictEqual({ ...present }, key) ? 'was' : 'differs';
}
