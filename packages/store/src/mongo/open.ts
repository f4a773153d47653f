import { setTimeout } from 'node:timers/promises';
import { type Clock, systemClock, systemRandom } from '@steward/kernel';
import { type Meters, noMeters } from '@steward/telemetry';
import type { Db, MongoClient } from 'mongodb';
import { meterCollection } from '../meter-collection.ts';
import type { Store, StoreCapabilities } from '../port/store.ts';
import { connect, databaseOf, type MongoServer } from './client/connect.ts';
import { InFlight } from './client/in-flight.ts';
import { isRouter } from './client/is-router.ts';
import { HEALTH_LIMIT_MS } from './client/limits.ts';
import { LingeringClient } from './client/lingering-client.ts';
import { meterPool } from './client/meter-pool.ts';
import { MongoCollection } from './collection/mongo-collection.ts';
import { ensureIndexes } from './indexes/ensure-indexes.ts';
import { connectError } from './translate/connect-error.ts';
import { translateError } from './translate/translate-error.ts';

/** Several processes share a server, which changes one document at a time. */
const CAPABILITIES: StoreCapabilities = {
  soleWriter: false,
  insertsAlongCommit: false,
  loading: false,
  estimatesStorage: true,
};

/** A store on a MongoDB server. */
export interface MongoStore extends Store {
  /** The store's own client, for what the port does not offer, e.g. GridFS. Closed with the store. */
  readonly client: MongoClient;
  /** The database of the documents. */
  readonly database: Db;
}

/** Whether a store is on a MongoDB server, and so has a client. */
export function isMongoStore(store: Store): store is MongoStore {
  return 'client' in store;
}

/** Options of `openMongoStore`. */
export interface MongoStoreOptions extends MongoServer {
  /** The database; unless given, the one in the path of the URL, or `steward`. */
  readonly database?: string;
  /** Determines the age of cached tallies; the system's clock unless given. */
  readonly clock?: Clock;
  /** Measures the operations; none unless given. */
  readonly meters?: Meters;
}

/**
 * Opens a store on a MongoDB server or a compatible one: a single server, a replica set or a sharded cluster. While the
 * server is unreachable, calls fail with `Unavailable` after about two seconds; when it is back, they succeed again.
 *
 * @throws Unavailable when the server cannot be reached
 * @throws Unusable when the URL or a file is not valid, the server refuses the credentials or is too old, or the two cannot
 * agree on TLS
 */
export async function openMongoStore(options: MongoStoreOptions): Promise<MongoStore> {
  const { database = databaseOf(options.url), clock = systemClock, meters = noMeters, ...server } = options;
  const client = await connect(server);
  meterPool(client, meters);
  const isSharded = await isRouter(client).catch(async (error: unknown) => {
    await client.close();
    throw connectError(error, server.url);
  });
  // The server is silent while it builds an index, for longer than the limit of serving connections.
  const withLongTimeouts = new LingeringClient(() => connect(server, { socketTimeoutMS: 0 }));
  const inFlight = new InFlight();
  const engine = { database: client.db(database), inFlight, clock, random: systemRandom, isSharded };
  let ping: Promise<boolean> | undefined;
  return {
    capabilities: CAPABILITIES,
    client,
    database: engine.database,
    collection: (declaration) =>
      inFlight.run(async () => {
        try {
          await withLongTimeouts.use((client) => ensureIndexes(client.db(database), declaration));
        } catch (error) {
          throw translateError(error);
        }
        return meterCollection(new MongoCollection(engine, declaration), declaration.name, meters);
      }),
    someId: (name) =>
      inFlight.run(async () => {
        try {
          const found = await engine.database
            .collection<{ _id: string }>(name)
            .findOne({}, { projection: { _id: 1 } });
          return found?._id;
        } catch (error) {
          throw translateError(error);
        }
      }),
    async close() {
      await inFlight.close();
      await withLongTimeouts.close();
      await client.close();
    },
    async healthy() {
      if (inFlight.closed) return false;
      // Callers share one ping: the driver closes the connection of a ping that times out, and with many of them the
      // server would never become healthy.
      ping ??= engine.database
        .command({ ping: 1 })
        .then(
          () => true,
          () => false,
        )
        .finally(() => {
          ping = undefined;
        });
      return Promise.race([ping, setTimeout(HEALTH_LIMIT_MS, false, { ref: false })]);
    },
  };
}
