import { type Collection, type Doc, openSqliteStore, type Store } from '@steward/store';
import { explain } from '@steward/store/testing';
import type { ActivityStream } from './stream.ts';

/**
 * The plans of the queries with which streams read their first page and a later one, by stream, on the embedded engine.
 *
 * @param streamsOn creates the streams on a store
 */
export async function plansOfStreams(
  streamsOn: (store: Store) => Promise<readonly ActivityStream[]>,
): Promise<readonly (readonly [stream: string, plan: string])[]> {
  const store = await openSqliteStore({ path: ':memory:' });
  const plans: string[] = [];
  const watched: Store = {
    ...store,
    async collection<T extends Doc>(...declared: Parameters<typeof store.collection<T>>) {
      const collection = await store.collection<T>(...declared);
      const find: Collection<T>['find'] = (filter, options) => {
        plans.push(explain(collection, filter, options ?? {}).plan.join('; '));
        return collection.find(filter, options);
      };
      return Object.assign(Object.create(collection), { find });
    },
  };
  try {
    const found: (readonly [string, string])[] = [];
    for (const stream of await streamsOn(watched)) {
      const page = { userId: '@a:test', until: 5, limit: 10, rights: { admin: true } };
      await stream.read({ ...page, after: undefined });
      await stream.read({ ...page, after: { ts: 5, id: '7' } });
      for (const plan of plans.splice(0)) found.push([stream.name, plan]);
    }
    return found;
  } finally {
    await store.close();
  }
}
