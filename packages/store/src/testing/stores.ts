import { requireEngine, withLongTimeouts } from '@steward/testing';
import { MongoClient } from 'mongodb';
import { expect } from 'vitest';
import { openMongoStore } from '../mongo/open.ts';
import type { Collection } from '../port/collection.ts';
import type { CollectionDeclaration, Doc } from '../port/declaration.ts';
import type { Store } from '../port/store.ts';
import { openSqliteStore } from '../sqlite/open.ts';
import { newDatabaseName } from './test-databases.ts';

/** A store for one test. */
export interface OwnStore {
  readonly store: Store;
  /** Closes the store and deletes its data. */
  drop(): Promise<void>;
}

/** A kind of store for tests. */
export interface OfferedStore {
  /** For test titles: the engine, and whether it is missing. */
  readonly title: string;
  /** Whether the engine is not available here. */
  readonly missing: boolean;
  /** Whether it is reached over the network, so that tests should make fewer calls. */
  readonly remote: boolean;
  readonly open: () => Promise<OwnStore>;
}

const mongo = requireEngine('mongo');

/** The kinds of store on which a service must behave alike. */
export const stores: readonly OfferedStore[] = [
  { title: 'on SQLite', missing: false, remote: false, open: openEmbedded },
  { title: `on ${mongo.title}`, missing: mongo.url === undefined, remote: true, open: openDatabase },
];

async function openEmbedded(): Promise<OwnStore> {
  const store = await openSqliteStore({ path: ':memory:' });
  return { store, drop: () => store.close() };
}

/** The databases that no test uses, by package: creating the collections and indexes of a service takes seconds. */
const idle = new Map<string, string[]>();

async function openDatabase(): Promise<OwnStore> {
  const url = new URL(withLongTimeouts(mongo.url ?? ''));
  const databases = idle.get(thisPackage()) ?? [];
  idle.set(thisPackage(), databases);
  const name = databases.pop() ?? newDatabaseName();
  url.pathname = `/${name}`;
  const store = openingOnce(await openMongoStore({ url: url.href }));
  return {
    store,
    async drop() {
      await store.close();
      const client = await MongoClient.connect(url.href);
      await Promise.all(store.opened().map((collection) => client.db().collection(collection).deleteMany()));
      await client.close();
      databases.push(name);
    },
  };
}

/** The package of the tests that run: the declarations of all its tests are the same. */
function thisPackage(): string {
  return expect.getState().testPath?.replace(/\/src\/.*/, '') ?? '';
}

/** A store that opens each collection once, so that a service sees at once what a test writes, in spite of its tally cache. */
function openingOnce(store: Store): Store & { opened(): readonly string[] } {
  const opened = new Map<string, Promise<unknown>>();
  return {
    capabilities: store.capabilities,
    collection<T extends Doc>(declaration: CollectionDeclaration<T>) {
      const known = opened.get(declaration.name) ?? store.collection(declaration);
      opened.set(declaration.name, known);
      return known as Promise<Collection<T>>;
    },
    close: () => store.close(),
    someId: (name) => store.someId(name),
    healthy: () => store.healthy(),
    opened: () => [...opened.keys()],
  };
}
