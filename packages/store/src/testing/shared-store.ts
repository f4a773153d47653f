import type { Store } from '../port/store.ts';

/** A store as one of several processes sees it: not the sole writer. */
export function sharedStore(store: Store): Store {
  return {
    capabilities: { ...store.capabilities, soleWriter: false },
    collection: (declaration) => store.collection(declaration),
    close: () => store.close(),
    someId: (name) => store.someId(name),
    healthy: () => store.healthy(),
  };
}
