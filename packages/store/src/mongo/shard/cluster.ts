import type { Document } from 'mongodb';
import { connect, databaseOf, type MongoServer } from '../client/connect.ts';
import { isRouter } from '../client/is-router.ts';
import { translateError } from '../translate/translate-error.ts';

/** The administration of a sharded cluster. */
export interface Cluster {
  /** Whether the server is a router of a cluster. */
  readonly isRouter: boolean;
  /** The key by which a collection is distributed; `undefined` while it is not. */
  keyOf(collection: string): Promise<Document | undefined>;
  /** Distributes a collection by a key. Creates the collection and its index over the key, if one is missing. */
  shard(collection: string, key: Document): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects to a cluster.
 *
 * @throws Unavailable when the server cannot be reached
 * @throws Unusable when the URL or a file is not valid, or the server refuses the credentials
 */
export async function openCluster(server: MongoServer): Promise<Cluster> {
  // The server is silent while it builds an index.
  const client = await connect(server, { socketTimeoutMS: 0 });
  const name = databaseOf(server.url);
  const run = async <R>(operation: () => Promise<R>): Promise<R> => {
    try {
      return await operation();
    } catch (error) {
      throw translateError(error);
    }
  };
  const isOfCluster = await run(() => isRouter(client)).catch(async (error: unknown) => {
    await client.close();
    throw error;
  });
  return {
    isRouter: isOfCluster,
    keyOf: (collection) =>
      run(async () => {
        const found = await client
          .db('config')
          .collection<{ _id: string; key?: Document; unsplittable?: boolean }>('collections')
          .findOne({ _id: `${name}.${collection}` });
        // Later servers list collections that stay on one shard, too.
        return found?.unsplittable ? undefined : found?.key;
      }),
    shard: (collection, key) =>
      run(async () => {
        // A collection with documents is not distributed without it.
        await client.db(name).collection(collection).createIndex(key);
        await client.db('admin').command({ shardCollection: `${name}.${collection}`, key });
      }),
    close: () => client.close(),
  };
}
