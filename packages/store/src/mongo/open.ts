import { setTimeout } from 'node:timers/promises';
import { type Clock, systemClock } from '@steward/kernel';
import { MongoClient } from 'mongodb';
import type { Store, StoreCapabilities } from '../port/store.ts';
import { ensureIndexes } from './ensure-indexes.ts';
import { InFlight } from './in-flight.ts';
import { clientOptions, HEALTH_LIMIT_MS } from './limits.ts';
import { LingeringClient } from './lingering-client.ts';
import { MongoCollection } from './mongo-collection.ts';
import { translateError } from './translate-error.ts';

const DEFAULT_DATABASE = 'steward';

/** Several processes share a server, which changes one document at a time. */
const CAPABILITIES: StoreCapabilities = {
  soleWriter: false,
  insertsAlongCommit: false,
  estimatesStorage: true,
};

/** A store on a MongoDB server. */
export interface MongoStore extends Store {
  /** The store's own client, for what the port does not offer, e.g. GridFS. Closed with the store. */
  readonly client: MongoClient;
}

/** Whether a store is on a MongoDB server, and so has a client. */
export function isMongoStore(store: Store): store is MongoStore {
  return 'client' in store;
}

/** Where documents are kept. */
export interface MongoStoreOptions {
  /**
   * A `mongodb://` or `mongodb+srv://` URL. Limits that it states, such as `maxPoolSize`, replace
   * ours; what the port promises (majority, journal, primary) it cannot change.
   */
  readonly url: string;
  /** The database; the one in the path of the URL unless given, or `steward`. */
  readonly database?: string;
  /** Tells how old a remembered tally is; the system's unless given. */
  readonly clock?: Clock;
}

/**
 * Opens a MongoDB server, or one that is compatible. It may be a single server, a replica set or a
 * sharded cluster. When it goes away, calls fail with `Unavailable` after about two seconds; they
 * work again when it is back.
 *
 * @throws Unavailable when it cannot be reached
 */
export async function openMongoStore(options: MongoStoreOptions): Promise<MongoStore> {
  const { url, database = databaseIn(url) ?? DEFAULT_DATABASE, clock = systemClock } = options;
  const client = await connect(url);
  // Building an index may take longer than any silence that serving puts up with.
  const patient = new LingeringClient(() => connect(url, { socketTimeoutMS: 0 }));
  const inFlight = new InFlight();
  const engine = { database: client.db(database), inFlight, clock };
  let ping: Promise<boolean> | undefined;
  return {
    capabilities: CAPABILITIES,
    client,
    collection: (declaration) =>
      inFlight.run(async () => {
        try {
          await patient.use((client) => ensureIndexes(client.db(database), declaration));
        } catch (error) {
          throw translateError(error);
        }
        return new MongoCollection(engine, declaration);
      }),
    async close() {
      await inFlight.close();
      await patient.close();
      await client.close();
    },
    async healthy() {
      if (inFlight.closed) return false;
      // Given up, a ping would take its connection along: asked often enough, a server would never be back.
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

async function connect(url: string, options: { socketTimeoutMS?: number } = {}): Promise<MongoClient> {
  const client = new MongoClient(url, { ...clientOptions(url), ...options });
  try {
    return await client.connect();
  } catch (error) {
    await client.close();
    throw translateError(error);
  }
}

function databaseIn(url: string): string | undefined {
  const path = /^[^:]+:\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
  return path === undefined ? undefined : decodeURIComponent(path);
}
