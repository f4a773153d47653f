import { Conflict, declareCollection, type Store } from '@steward/store';

/** The name of the server whose data a store holds; the only document of its collection. */
export interface ServerName {
  readonly _id: 'server_name';
  readonly name: string;
}

/** The name of the server. */
export const serverNames = declareCollection<ServerName>({
  name: 'server.identity',
  shardKey: null,
  indexes: [],
});

/** The collection whose ids are the user ids of the server. */
const ACCOUNTS = 'user.accounts';

/**
 * Checks that a store belongs to the server of a name. A store without a name gets it: a new one, and one of an
 * earlier release unless it has accounts of another server. Of processes that do so concurrently, one decides.
 *
 * @throws Error with a message of one line when the store belongs to another server
 */
export async function claimServerName(store: Store, name: string): Promise<void> {
  const names = await store.collection(serverNames);
  const recorded = (await names.findOne({ _id: 'server_name' }))?.name;
  const owner = recorded ?? (await nameOfAccounts(store)) ?? name;
  if (owner !== name) {
    throw new Error(
      `The store holds the data of the server ${owner}, but STEWARD_SERVER_NAME is ${name}. A server cannot be renamed: set the former name, or use an empty store.`,
    );
  }
  if (recorded !== undefined) return;
  try {
    await names.insertOne({ _id: 'server_name', name });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    // Another process recorded a name at the same time, perhaps another one.
    return claimServerName(store, name);
  }
}

async function nameOfAccounts(store: Store): Promise<string | undefined> {
  const userId = await store.someId(ACCOUNTS);
  return userId?.slice(userId.indexOf(':') + 1);
}
