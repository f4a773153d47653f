import type { Store } from '../store.ts';

/** A store as one of several processes has it, so that a service takes the leases of others for alive. */
export function sharedStore(store: Store): Store {
  return {
    capabilities: { ...store.capabilities, soleWriter: false },
    collection: (declaration) => store.collection(declaration),
    close: () => store.close(),
    healthy: () => store.healthy(),
  };
}
