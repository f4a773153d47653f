import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Config } from '@steward/config';
import {
  addressOf,
  type MongoStore,
  openMongoStore,
  openSqliteStore,
  type Store,
  Unavailable,
  Unusable,
} from '@steward/store';
import { type Logger, type Meters, noMeters } from '@steward/telemetry';
import { claimSchema } from './claim-schema.ts';
import { claimServerName } from './claim-server-name.ts';
import { databaseAccess } from './engine-access.ts';
import { sayBuilds } from './say-progress.ts';

/** The file of the embedded store, in the data directory. */
export const STORE_FILE = 'steward.db';

/** The file of a store that is being restored, in the data directory; it gets the name of the store at the end. */
export const UNFINISHED_STORE_FILE = `${STORE_FILE}.unfinished`;

/** The collection that a database has while it is being restored. */
export const RESTORE_MARKER = 'server.restore';

/** The pauses between attempts to reach a database that may be starting: a minute in total, in milliseconds. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000] as const;

type StoreConfig = Pick<Config, 'server' | 'store'>;

/**
 * Opens the embedded store, and checks that it belongs to the server of the settings.
 *
 * @param options `inMemory` keeps all data in memory, for tests without a restart; `loading` opens it for an import; `say` receives
 * lines about the building of indexes that takes long
 * @throws Error with a message of one line when the store cannot be used, belongs to a server of another name, was written
 * by a later release, or is being restored
 */
export async function openEmbeddedStore(
  { server }: StoreConfig,
  {
    inMemory = false,
    loading = false,
    meters = noMeters,
    say,
  }: {
    readonly inMemory?: boolean;
    readonly loading?: boolean;
    readonly meters?: Meters;
    readonly say?: (line: string) => void;
  } = {},
): Promise<Store> {
  const path = inMemory ? ':memory:' : join(server.data, STORE_FILE);
  if (!inMemory && existsSync(join(server.data, UNFINISHED_STORE_FILE))) throw unfinishedRestore(server.data);
  const store = await openSqliteStore({ path, loading, meters, ...(say ? { onBuild: sayBuilds(say) } : {}) });
  try {
    await claim(store, server.name);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Opens the database of the settings, and checks that it belongs to the server of the settings. A database that cannot
 * be reached, perhaps because it starts together with this process, is tried again for a minute; each failure is logged.
 *
 * @param options `wait` waits for a number of milliseconds; `connect` opens the database
 * @throws Error with a message of one line when the database cannot be used, belongs to a server of another name, was
 * written by a later release, or is being restored
 */
export async function openDatabase(
  { server, store: settings }: StoreConfig,
  logger: Pick<Logger, 'warn'>,
  {
    meters = noMeters,
    wait = setTimeout,
    connect = openMongoStore,
  }: {
    readonly meters?: Meters;
    readonly wait?: (ms: number) => Promise<unknown>;
    readonly connect?: typeof openMongoStore;
  } = {},
): Promise<Store> {
  const access = databaseAccess({ store: settings });
  const { url } = access;
  const open = async () => {
    const store = await connect({ ...access, meters });
    try {
      await refuseUnfinished(store, url);
      await claim(store, server.name);
      // A restore that began since then has seen the name, and ended; or its marker is there now.
      await refuseUnfinished(store, url);
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  };
  for (const pauseMs of PAUSES_MS) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw naming(error, url);
      logger.warn(`${explain(error, url)}; trying again in ${pauseMs / 1_000} s`);
      await wait(pauseMs);
    }
  }
  try {
    return await open();
  } catch (error) {
    throw error instanceof Unavailable
      ? new Error(explain(error, url), { cause: error })
      : naming(error, url);
  }
}

/**
 * Checks that a database contains all of its documents.
 *
 * @param url of the database, for the message
 * @throws Error with a message of one line while a restore into it, or a move, has not been completed
 */
export async function refuseUnfinished(store: MongoStore, url: string): Promise<void> {
  if ((await store.someId(RESTORE_MARKER)) !== undefined) throw unfinishedRestore(addressOf(url));
}

/** Names the setting with the URL that cannot be used. */
function naming(error: unknown, url: string): unknown {
  return error instanceof Unusable
    ? new Error(`STEWARD_STORE: ${explain(error, url)}`, { cause: error })
    : error;
}

function unfinishedRestore(where: string): Error {
  return new Error(`A restore into ${where} has not been completed: repeat it, or empty the target.`);
}

async function claim(store: Store, serverName: string): Promise<void> {
  await claimServerName(store, serverName);
  await claimSchema(store);
}

/** A failed connection names its address itself; a failed operation does not. */
function explain(error: Unavailable | Unusable, url: string): string {
  const address = addressOf(url);
  if (error.message.includes(address)) return error.message;
  const reason = error.cause instanceof Error ? error.cause.message.split('\n', 1)[0] : error.message;
  return `The database at ${address} does not work: ${reason}`;
}
