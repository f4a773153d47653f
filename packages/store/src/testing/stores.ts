import { randomId, systemRandom } from '@steward/kernel';
import { patient, requireEngine } from '@steward/testing';
import { MongoClient } from 'mongodb';
import type { Collection } from '../collection.ts';
import type { CollectionDeclaration, Doc } from '../declaration.ts';
import { openMongoStore } from '../mongo/open.ts';
import { openSqliteStore } from '../sqlite/open.ts';
import type { Store } from '../store.ts';

/** A store that a test has for itself. */
export interface OwnStore {
  readonly store: Store;
  /** Closes the store and removes what is in it. */
  drop(): Promise<void>;
}

/** A kind of store, and whether it can be had here. */
export interface OfferedStore {
  /** For the titles of tests: the engine, and that it is missing. */
  readonly title: string;
  readonly missing: boolean;
  /** Whether it is asked over the network, so that tests ask it less. */
  readonly remote: boolean;
  readonly open: () => Promise<OwnStore>;
}

const mongo = requireEngine('mongo');

/** The kinds of store on which a service must do the same. */
export const stores: readonly OfferedStore[] = [
  { title: 'on SQLite', missing: false, remote: false, open: openEmbedded },
  { title: `on ${mongo.title}`, missing: mongo.url === undefined, remote: true, open: openDatabase },
];

async function openEmbedded(): Promise<OwnStore> {
  const store = await openSqliteStore({ path: ':memory:' });
  return { store, drop: () => store.close() };
}

async function openDatabase(): Promise<OwnStore> {
  const url = new URL(patient(mongo.url ?? ''));
  url.pathname = `/steward_test_${randomId(systemRandom)}`;
  const store = await openMongoStore({ url: url.href });
  return {
    store: handingOutOnce(store),
    async drop() {
      await store.close();
      const client = await MongoClient.connect(url.href);
      await client.db().dropDatabase();
      await client.close();
    },
  };
}

/** A store that hands out each collection once: what a test writes is then known to the service at once. */
function handingOutOnce(store: Store): Store {
  const opened = new Map<string, Promise<unknown>>();
  return {
    capabilities: store.capabilities,
    collection<T extends Doc>(declaration: CollectionDeclaration<T>) {
      const known = opened.get(declaration.name) ?? store.collection(declaration);
      opened.set(declaration.name, known);
      return known as Promise<Collection<T>>;
    },
    close: () => store.close(),
    healthy: () => store.healthy(),
  };
}
